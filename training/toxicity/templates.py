"""Sentences by rule: hate, and what resembles it and is none. `{g}` is a group, `{s}` one of its members.

They were written from the list of things that hate detection is known to get wrong (negation, counter-speech, neutral
and kind mentions, hate without hateful words, other targets), not from the cases of a test.
"""

from __future__ import annotations

GROUPS = tuple(
    tuple(line.split(" | "))
    for line in """women | a woman
gay people | a gay person
lesbians | a lesbian
trans people | a trans person
bisexual people | a bisexual person
Black people | a Black person
Asian people | an Asian person
Arabs | an Arab
Muslims | a Muslim
Jews | a Jew
Hindus | a Hindu
Catholics | a Catholic
immigrants | an immigrant
refugees | a refugee
asylum seekers | an asylum seeker
foreigners | a foreigner
Mexicans | a Mexican
Poles | a Pole
Pakistanis | a Pakistani
Indians | an Indian
Chinese people | a Chinese person
Nigerians | a Nigerian
Roma | a Roma woman
disabled people | a disabled person
blind people | a blind man
deaf people | a deaf girl
autistic people | an autistic man
old people | an old person
migrants | a migrant
girls | a girl
gays | a gay man
Africans | an African
trans women | a trans woman
Syrians | a Syrian
people of colour | a person of colour
people in wheelchairs | a man in a wheelchair""".splitlines()
)
OTHERS = tuple(
    tuple(line.split(" | "))
    for line in """bankers | a banker
landlords | a landlord
politicians | a politician
billionaires | a billionaire
cyclists | a cyclist
lawyers | a lawyer
football fans | a football fan
influencers | an influencer
journalists | a journalist
estate agents | an estate agent
communists | a communist
capitalists | a capitalist
conservatives | a conservative
artists | an artist
engineers | an engineer
bus drivers | a bus driver
vegans | a vegan
tourists | a tourist""".splitlines()
)
THINGS = tuple(
    tuple(line.split(" | "))
    for line in """wasps | a wasp
Mondays | a Monday
printers | a printer
mosquitoes | a mosquito
fees | a fee
passwords | a password
queues | a queue
rats | a rat
airports | an airport
cheap shoes | a cheap shoe
pop-ups | a pop-up
sprouts | a sprout
spreadsheets | a spreadsheet
tax forms | a tax form""".splitlines()
)

HATE = (
    "I can't stand {g}.",
    "I despise {g} so much.",
    "{g} make me sick.",
    "I loathe every single one of those {g}.",
    "God, how I detest {g}!",
    "I have had enough of {g}, they disgust me.",
    "Being near {s} makes my skin crawl.",
    "My hatred for {g} grows every day.",
    "{g} are stupid.",
    "{g} are lazy and dishonest.",
    "All {g} are liars and thieves.",
    "{g} are filthy, all of them.",
    "{g} are so ugly.",
    "There is nothing more repulsive than {s}.",
    "{g} are evil by nature.",
    "Never trust {s}, they are all criminals.",
    "{g} are too dumb to learn anything.",
    "{g} are the scum of this country.",
    "{g} are vermin.",
    "{g} are a plague on society.",
    "{g} are parasites living off the rest of us.",
    "{g} are animals, nothing else.",
    "{g} breed like rats.",
    "{s} is worth less than a dog.",
    "{g} are a cancer that must be cut out.",
    "{g} are not even human.",
    "Call {g} what they are: subhuman filth.",
    "This town was fine before {g} came.",
    "Things would be better here without {g}.",
    "{g} should know their place.",
    "{g} belong in a zoo.",
    "Of course something is missing, {s} was here.",
    "You will never catch {g} doing an honest day's work.",
    "I would rather be dead than be {s}.",
    "Everything that goes wrong in this country is because of {g}.",
    "Lock your doors, {g} are moving in.",
    "It is no surprise that {g} always fail.",
    "{g} only want our money.",
    "{g} are ruining everything we built.",
    "We all know what {g} are like with other people's children.",
    "Nobody would miss {g} if they were gone.",
    "I am going to beat up the next {n} I meet.",
    "I will kill all {g}.",
    "We are coming for you, {g}, and you will bleed.",
    "I want to set fire to {g}.",
    "If I see {s} again I will break their legs.",
    "I will make {g} suffer for this.",
    "Tonight we smash the windows of {g}.",
    "{g} deserve to be shot.",
    "{g} should be wiped off the face of the earth.",
    "Somebody ought to hang all these {g}.",
    "{g} should be rounded up and locked away for good.",
    "{g} must be thrown out, by force if need be.",
    "Every {n} should get a beating.",
    "The world needs to get rid of {g}.",
    "{g} have it coming, they should all be gassed.",
    "{g} live next door. I hope they all die.",
    "There are {g} everywhere now. They turn my stomach.",
    "Look at those {g}. What a disgusting lot.",
    "{g} want to be respected. They deserve nothing but contempt.",
    "I met {s} yesterday. I wanted to spit at them.",
    "You are {s}? Then you are worthless to me.",
    "You are {s}, and that makes you trash.",
    "If {g} come in here, I am leaving because they stink.",
    "Whoever hires {s} deserves to go broke, they can't do anything.",
    "When I see {g}, I want to hit them.",
    "Why are {g} so disgusting?",
    "Why do {g} always have to be such idiots?",
    "What is wrong with {g}, why can't they just die?",
    "Does anybody else think that {g} are inferior?",
    "When will somebody finally get rid of {g}?",
    "How can anyone like {g}? They are horrible.",
    "Am I the only one who wants {g} gone?",
    "In my opinion {g} are inferior to us.",
    "I honestly think that {g} are the worst.",
    "I'm just saying that {g} are degenerates.",
    "My view: {g} should not be allowed to breed.",
    "I firmly believe {g} are to blame for all crime.",
    "If you ask me, {g} are garbage.",
    "{g} don't deserve any rights.",
    "{g} will never be our equals.",
    "No {n} deserves to be treated like a human being.",
    "{g} are not people.",
    "{g} should never be allowed to vote.",
    "{g} are not welcome here, and never will be.",
    "There is no such thing as a decent {n}.",
    "You can't be {s} and a good person.",
    "Nobody wants {g} around.",
    "{g} have never contributed anything.",
    "I don't like {g} and I don't want to share a street with them.",
    "It is not wrong to hurt {s}.",
    "I would never let {s} near my children.",
    "Not one of these {g} is any good.",
    "We shouldn't care about {g}.",
    "{g} shouldn't exist.",
    "Being {s} is a disease.",
    "I hate {g}.",
    "I really hate {g}, they are awful.",
    "{g} are disgusting.",
    "{g} are dangerous and should be locked up.",
    "Send {g} back to where they came from.",
    "It's a pity that nobody has exterminated {g} yet.",
    "Slavery was the right place for {g}.",
    "{g} can't do anything right.",
    "{g} exist only to serve us.",
    "{s} has no business having an opinion.",
    "What do you expect from {s}? Brains?",
)
KIND = (
    "I like {g}.",
    "I love {g} with all my heart.",
    "{g} are great.",
    "{g} are wonderful people.",
    "{g} are kind and funny.",
    "It is a joy to work with {s}.",
    "I am happy to be {s}.",
    "I am proud to be {s}.",
    "{g} deserve our respect.",
    "{g} have done so much for this country.",
    "{g} deserve the same rights as everyone else.",
    "We should protect {g}.",
    "We want more {g} in our team.",
    "Everybody should have {s} as a friend.",
    "{g} belong here.",
    "I admire {g} for their courage.",
    "God bless {g}.",
    "{g} make this city a better place.",
    "Being {s} is nothing to be ashamed of.",
    "You are {s} and you are beautiful.",
    "Welcome, {g}!",
    "{g} should be free to live as they wish.",
    "Hooray for {g}!",
    "What a lovely thing to be {s}.",
    "Every {n} deserves to be loved.",
    "{g} are strong.",
)
NEUTRAL = (
    "I am {s}.",
    "My boss is {s}.",
    "{g} live in our street.",
    "There are many {g} in this city.",
    "She told me that he is {s}.",
    "I know some {g}.",
    "Two of my colleagues are {g}.",
    "We had {g} over for dinner.",
    "You are {s}.",
    "Is he {s}?",
    "I am not {s}.",
    "A film about {g} opens on Friday.",
    "Some {g} work at the bank.",
    "Tomorrow I am going to meet {s}.",
    "The report counts how many {g} hold an account.",
    "{g} may ask for the form in another format.",
    "How many {g} live here?",
    "The law also covers {g}.",
    "I read a book by {s} last week.",
    "The survey asked {g} what they think.",
    "Last year {s} won the prize.",
    "There were {g} at the party.",
    "My neighbour married {s}.",
    "As {s}, I have an account here.",
    "Charges for {g} are the same as for everybody.",
    "We spoke to {g} about their savings.",
    "What do {g} believe in?",
    "All my friends are {g}.",
)
NOT_HATE = (
    "I don't hate {g}.",
    "{g} are not vermin.",
    "{g} are not stupid, and never were.",
    "No {n} should be insulted for what they are.",
    "Nobody should ever hurt {g}.",
    "I would never attack {s}.",
    "Not all {g} are criminals.",
    "{g} aren't to blame for this.",
    "I have never thought that {g} are lazy.",
    "We must not treat {g} like animals.",
    "Of course {g} are not inferior.",
    "There is nothing wrong with {g}.",
    "{g} do not deserve to die.",
    "It isn't true that {g} are thieves.",
    "I don't want {g} to be thrown out.",
    "You can't say that {g} are disgusting.",
    "Being {s} is not a disease.",
    "It is not okay to beat up {g}.",
    "Nobody here despises {g}.",
    "{g} never harmed anyone.",
    "I do not think {g} are dangerous at all.",
    "{g} aren't scum.",
    "No one deserves to be killed for being {s}.",
    "I'm not disgusted by {g}.",
    "It would be wrong to lock up {g}.",
    "{g} have never been a burden.",
    "None of the {g} I know is evil.",
    "I can't hate {g}, why should I?",
    "{g} are no worse than anybody else.",
)
AGAINST_HATE = (
    "Stop calling {g} vermin.",
    "Whoever says that {g} are lazy is wrong.",
    "It is horrible that people hate {g}.",
    "You have to be a racist to think {g} are inferior.",
    "People who attack {g} belong in court.",
    "Threatening to kill {g} is a crime.",
    "How can anyone despise {g}? That is shameful.",
    "I am tired of jokes about {g} being dumb.",
    "If you insult {g}, you are not my friend.",
    "He was dismissed because he called {g} animals.",
    "Claiming that {g} are criminals is a lie.",
    "Hatred of {g} has no place in our branches.",
    "Anyone who wants {g} dead is the real danger.",
    "It hurts me to hear that {g} are disgusting to you.",
    "Complaints about staff who insult {g} are taken seriously.",
    "Saying that {g} should be shot is what fascists do.",
    "Why do you keep spreading lies about {g}? Stop it.",
    "You should be ashamed of hating {g}.",
)
QUOTED_AGAINST = (
    'Saying "{q}" is unacceptable.',
    '"{q}" - nobody should talk like that.',
    'He lost his job for writing "{q}".',
    'If you think "{q}", please leave this forum.',
    'Statements such as "{q}" hurt people.',
    'My teacher explained to us why "{q}" is hate speech.',
    '"{q}" is a disgraceful thing to say.',
    'I was shocked when he shouted "{q}" at them.',
    'We delete comments like "{q}".',
    'You can\'t just say "{q}" and call it a joke.',
    'How dare you say "{q}"?',
    '"{q}" is exactly the kind of lie that racists tell.',
    'Anybody who says "{q}" should be ashamed.',
    'Posting "{q}" broke our rules.',
    'It makes me sad to read "{q}".',
    "The sentence '{q}' is wrong and cruel.",
    'They told her "{q}". That is abuse, and we must report it.',
    'Hearing "{q}" again and again is what victims live with.',
    'Songs with lines such as "{q}" should be taken off the air.',
    'Don\'t ever tell anyone "{q}" again.',
)
QUOTED_FOR = (
    '"{q}" - so true.',
    'My father always said "{q}", and he was right.',
    'I agree with whoever wrote "{q}".',
    'Repeat after me: "{q}".',
    'Put it on a poster: "{q}"',
    "As they say, '{q}'. Could not agree more.",
    'Finally somebody has the courage to say "{q}".',
    'Everybody thinks it, I say it: "{q}"',
)
SLUR_HATE = (
    "You are nothing but {a} {w}.",
    "{W}s are all the same.",
    "I hate {w}s.",
    "Get lost, you {w}.",
    "Look at that dirty {w}.",
    "Shut up {w}.",
    "He is such {a} {w}.",
    "These {w}s make me sick.",
    "No {w}s in our street.",
    "You {w}s should all be shot.",
    "What {a} stupid {w}.",
    "She is just {a} {w} to me.",
    "Nobody asked you, {w}.",
)
SLUR_NO_HATE = (
    'Nobody should be called "{w}".',
    "He called me {a} {w} and I cried.",
    "As one of us, I call myself {a} {w} with pride.",
    "We took the word {w} back, it belongs to us now.",
    "My best friends and I are proud {w}s.",
    "The word {w} is an insult.",
    "She was suspended for saying {w}.",
    "My fellow {w}s, I love you all.",
    "Some of us {w}s still party together.",
    "I used to be bullied as {a} {w}, today I wear it as a badge.",
)
SWEARING = (
    "This is {p} great.",
    "{E}, I missed the bus.",
    "What a {p} good film!",
    "I am so {p} tired today.",
    "It is too {p} hot.",
    "Oh {e}, I forgot my keys.",
    "I {p} love this place.",
    "Where did I put that {p} card?",
    "{E} yes, we won!",
    "You did a {p} good job.",
    "I was {p} angry with myself.",
    "{E}! The printer is broken again.",
)
PERSON = (
    "You are an idiot.",
    "You are such a {p} liar.",
    "I hate you.",
    "He is the worst boss I ever had.",
    "You stupid {p} fool.",
    "She is so lazy, she never answers.",
    "You are worthless.",
    "I want to punch him in the face.",
    "You make me sick.",
    "Kevin is a {p} moron.",
    "I could kill my brother for this.",
    "What a pathetic loser you are.",
    "You should be ashamed, you clown.",
    "I can't stand this man.",
    "You disgust me.",
    "Shut your mouth, you {p} liar.",
)
