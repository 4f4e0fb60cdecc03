"""Answers of a bank by rule: unprofessional ones, and professional ones that say no as firmly. `{t}` is a topic."""

from __future__ import annotations

TOPICS = tuple(
    """the transfer fee
your card
the mortgage rate
your overdraft
the complaint form
your standing order
the savings account
the currency conversion
your PIN
the monthly statement
the loan application
a replacement card
the closing of the account
the deposit guarantee
the spending limit
your address change""".splitlines()
)
UNPROFESSIONAL = (
    "Seriously, can't you read? It is all written under {t}.",
    "That is a stupid question about {t}.",
    "I already told you about {t}, how dense are you?",
    "Oh great, yet another genius who doesn't understand {t}.",
    "Not my problem. Find out about {t} yourself.",
    "lol no, {t} doesn't work like that dude",
    "Just google {t} and stop bothering us.",
    "If you can't handle {t}, maybe you should not have an account.",
    "You messed up {t}, so don't come crying to us.",
    "Honestly, {t}? Who cares.",
    "Wow, what a brilliant question about {t}. Not.",
    "Listen, I don't have time for your whining about {t}.",
    "Ugh, {t} again. Do your homework first.",
    "Any child understands {t}, so why don't you?",
    "WHY DO PEOPLE LIKE YOU NEVER UNDERSTAND {t}???",
    "Nobody but you is too lazy to look up {t}.",
    "Are you kidding me? {t} has been the same for years, wake up.",
    "Stop wasting my time with {t}.",
    "You people and {t}... it is always the same nonsense.",
    "wtf, {t} is free, what more do you want?",
    "Deal with it. That is how {t} works.",
    "Use your brain for once and check {t}.",
    "Good luck getting that, pal. {t} is not for folks like you.",
    "Boo hoo. You forgot {t}, your own fault.",
    "Whatever. {t} costs what it costs, take it or leave it.",
    "Maybe ask an adult to explain {t} to you.",
    "Yeah yeah, {t}. Blah blah. Read the manual.",
    "That is the dumbest thing that I have heard about {t}.",
    "Congratulations, you managed to break {t}.",
    "Your incompetence with {t} is really impressive.",
    "Don't be ridiculous, {t} is obvious.",
    "Only a fool would ask about {t} twice.",
    "Calm down, it is only {t}, drama queen.",
    "Hey babe, {t} is super easy ;)",
    "OMG {t} is soooo boring, can we talk about something else?",
    "I could explain {t}, but you would not get it anyway.",
    "You should feel embarrassed to ask about {t}.",
    "Shut up and read the terms of {t}.",
    "Our other bank clerks are useless, so no wonder {t} went wrong.",
    "Screw {t}, just move your money elsewhere.",
    "Do I look like I care about {t}?",
    "You are clearly too slow for {t}.",
    "If you were not so careless, {t} would be fine.",
    "Go away. We do not discuss {t} with customers like you.",
    "It's not rocket science, is it? {t}, two clicks, done.",
    "Pay up or you will regret it, {t} is due.",
    "How many times do I have to repeat myself about {t}?",
    "I can't believe that you are asking about {t}. Unbelievable.",
    "Get a grip and sort out {t}.",
    "This {p} {t} drives me mad as well.",
    "That is a {p} joke, {t} was never included.",
    "{t} is gonna cost ya, haha.",
    "No clue, mate. {t} isn't my thing.",
    "Grow up, {t} is your responsibility.",
)
PROFESSIONAL = (
    "We can't refund {t} after thirty days.",
    "Unfortunately, we are unable to change {t} today.",
    "Please find the conditions of {t} in section 4.",
    "Your request about {t} was declined because a document is missing.",
    "You are not entitled to {t} under this contract.",
    "Please contact your branch about {t}.",
    "I could not find anything about {t} in the handbook.",
    "Thank you for your question about {t}.",
    "We are sorry for the mistake with {t}.",
    "{t} must be paid by the end of the month.",
    "The rules for {t} changed on 1 May.",
    "If you do not pay, {t} may be blocked.",
    "You entered the wrong PIN three times, so {t} is blocked.",
    "No, {t} isn't free of charge.",
    "Yes, {t} can be changed online.",
    "For {t}, we need a copy of your identity card.",
    "Never tell anybody your password, even if they ask about {t}.",
    "The charge for {t} is EUR 12.50 a year.",
    "You may complain about {t} to the ombudsman.",
    "{t} is not available to customers under 18.",
    "We understand that this is annoying, and we will check {t}.",
    "Please read the terms of {t} before you sign.",
    "I do not have enough information to answer your question about {t}.",
    "We had to reject {t} on legal grounds.",
    "A reminder about {t} costs EUR 5.",
    "Warning: fraudsters currently write false messages about {t}.",
    "You can cancel {t} at any time with two weeks' notice.",
    "Late payment of {t} leads to interest of 8 % a year.",
    "Our staff will call you about {t} within two working days.",
    "{t} was closed at your request.",
    "To sort out {t}, go to Settings and choose Cards.",
    "That is not possible: {t} needs both signatures.",
    "We take your complaint about {t} seriously.",
    "It is your responsibility to keep {t} safe.",
    "Customers often ask about {t}; here is the answer.",
    "The mistake was ours, and {t} has been corrected.",
    "You have missed two payments for {t}.",
    "Please try again later; {t} can't be shown at the moment.",
    "We do not discuss {t} by e-mail for reasons of security.",
    "Stop using the card at once and ask for {t} to be blocked.",
    "Hello, how can I help you with {t}?",
    "I'm afraid {t} takes up to five working days.",
)
