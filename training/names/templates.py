"""Sentences by rule around people, places, organisations, addresses, posts and numbers: letters, chats, forms, files of
customers, news, and what resembles a name and is none. A slot is named as in `values.VALUES`; two
slashes are a new line.

Written for this project from what a bank's clerks and customers write; no sentence of a test set was copied.
"""

from __future__ import annotations

BANKING = """The account of {full} was opened in {town} on {date}.
{person} asked why the transfer of {amount} to {org} was returned.
We have written to {person} at {address}.
Please send the new card to {address}.
The card was posted to {street}, which is the address we have for {person}.
{person} moved from {address} to {address} last month.
The mortgage on {street} is held by {full} and {full}.
Payments to {org} are stopped at the request of {person}.
Your adviser in our {town} branch is {person}.
The beneficiary is {full}, and the bank is {org}.
{person} ({age}) has an overdraft of {amount}.
The borrower, {full}, works as {post} at {org}.
She is {age} years old and a {post} by profession.
{person} has a standing order of {amount} in favour of {org}.
Our records show that {person} lives in {town}, {country}.
The payment came from {org} in {country}.
Ask {person} for a proof of address; the one we have says {address}.
A customer of {nat} nationality asked about the {product}.
{person} and {person} hold the {product} together.
The statement for {date} went to {address}.
The cheque was signed by {full}, {post} of {org}.
Income: {amount} a month from {org}, where {person} is {post}.
The customer's telephone number is {number}.
You can reach {person} under {number} or at {org}.
{person} gave {number} as identification, issued in {country}.
The driving licence {number} belongs to {full}.
Card {number} of {person} was blocked in {town}.
{person} withdrew {amount} in {town} and {amount} in {place}.
The guarantor is {org}, registered at {address}.
We closed the account of {org} because {person} no longer signs for it.
The transfer to {full} in {country} takes {count} days.
Mail for {person} comes back from {address}.
The postcode of {person} is {code}.
Their postal code changed from {code} to {code}.
The insured person, {full}, was born in {town} in {date}.
{person} pays {amount} a year to {org} for the house at {street}.
The new owner of {org} is {full} from {country}.
{org} and {org} share a branch in {town}.
Transfers from {country} to {country} cost {amount}.
{person}'s salary is paid by {org}.
According to {org}, {person} has left the company.
The {product} is sold in {country} and {country} only.
I confirm that {full}, {age}, is a customer of {org}.
{last} and {last} signed on behalf of {org}.
The appointment with {person} is on {date} at {street}, {town}."""
CHAT = """hi, this is {first} from {town}
Hello, my name is {person} and I lost my card in {place}.
My name's {full}. I live at {address}.
I'm {first}, {age}, from {place}.
this is {full}, can you call me on {number}?
{first} here. Did {first} call you?
Thanks {first}, speak soon!
Dear {person},//thank you for your letter of {date}.
Good morning {person}, how can I help you?
Could you please tell {first} that I am in {town}?
I'd like to change my address to {address}
my new address is {address}, please update it
We used to live on {street} but now we are in {town}.
I work for {org} as a {post}.
I've been working at {org} for {count} years
My husband {first} is a {post}, he is {age}.
My daughter {first} turned {age} on {date}.
My son is {age} and my mother {age}.
my boss {person} says {org} will pay
Is {org} in {town} part of your bank?
Have you heard of {org}?
What does {org} do with my data?
Can I use my card in {country}?
i am flying to {place} on {date}, will my card work in {town}?
Where is the nearest machine to {street}?
Is there a branch near {address}?
How do I get from {street} to {street} in {town}?
Our office is at {address}.
The shop on {street} does not take my card.
Who is {full}?
Do you know {person}? I met {person} at {org}.
I was told by {person} to ask for {person}.
My {nat} passport has expired.
I speak {nat} and {nat}.
My wife is {nat}, I am from {country}.
Are there {nat} speaking staff in {town}?
He's a {nat} citizen living in {country}.
Is the {nat} branch open on {date}?
as a {faith} I don't take interest
I need a card for my {age} year old son {first}.
How old is {first}? I think {age}.
You can write to me: {full}, {address}
Send it to {full}//{address}
Please deliver to: {org}, {address}
Pick me up at {address} at eight.
zip code: {code}
what's the postcode for {street}? it is {code}
my number is {number}
call {number} and ask for {first}
text me on {number}, {first}
My passport number is {number}.
the reference is {number}, I think
Just moved to {town} from {place} :)
I'm in {town}, {state} right now
{place} is lovely in summer
We flew from {town} to {town} with {org}.
{first} and {first} are visiting us from {place}.
I saw {full} on TV yesterday.
My favourite singer is {full}, who comes from {country}.
I prefer {org} to {org}.
{org} charged me twice!!
why is there a payment from {org} on my statement
I bought it from {org} in {place}.
can you refund the {org} payment of {amount}
Have a nice day, {first}
Regards, {full}
Yours, {first} {last}, {org}
Ask {first}.
I'm a {post}, what do I need for a loan?
I used to be a {post} in {country} and now I'm a {post}.
Does a {post} earn enough for a mortgage?
My sister {first} got a job as {post} with {org}"""
LETTERS = """{full}//{address}//{date}//Dear {person},//Thank you for choosing {org}.
Dear Sir or Madam,//I write on behalf of my client {full} of {address}.
Yours sincerely,//{full}//{post}//{org}
Kind regards,//{full}//{post}, {org}//{address}//{number}
Best,//{first}
{org}//{address}//Tel: {number}
To: {full}//{org}//{address}
From: {full}//To: {full}//Re: visit of {person}
Attn: {person}, {post}
Mr and Mrs {last}//{address}
cc: {full}, {full}
{person} will meet you at {address}, on {date}.
On {date}, {person} of {org} visited our office in {town}.
Attached is the CV of {full}, who was {post} at {org} until {date}.
I hereby declare that I, {full}, live at {address}.
We are pleased to welcome {full} as our new {post}.
{full} has been promoted to {post}.
Our {post}, {person}, will contact you."""
FORMS = """Name: {full}//Address: {address}//Phone: {number}
Name: {full}, Age: {age}, Nationality: {nat}
First name: {first}//Last name: {last}//Country: {country}
Customer: {full}; City: {town}; Zip: {code}; Country: {country}
Full name - {full}
Surname: {last}
Employer: {org}//Occupation: {post}
Occupation: {post}. Age: {age}.
Place of birth: {town}, {country}
Street: {street}//City: {town}//Postcode: {code}
Company name: {org}
Religion: {faith}
Citizenship: {country}
Signed: {full}
Contact person: {full} ({number})
{full} | {org} | {post} | {town}
{full};{age};{town};{country}
ID: {number}, name: {full}
Licence no. {number}
Home address: {address}
Delivery address: {full}, {address}
Patient {full}, {age} years, admitted on {date}
Witness: {full}, {post}, {age}
{last}, {first} ({age})"""
NEWS = """{full}, {post} of {org}, resigned on {date}.
{full}, {age}, of {street}, {town}, was fined {amount}.
{org} opened an office in {town}, {country}.
The {nat} company {org} bought {org} for {amount}.
{person} was born in {town} in {date} and studied at {org}.
{full} wrote the song after a journey through {country}.
The concert of {full} in {town} is sold out.
Police in {town} are looking for {full}, a {age}-year-old {post}.
The {nat} painter {full} died in {town} on {date}.
Trade between {country} and {country} fell by {count} per cent.
Flooding hit {town} and {town} in {country}.
{country}'s {post}s went on strike on {date}.
{org}'s chairman, {full}, said profits rose.
{full} joined {org} from {org}.
{full} vs {full} begins on {date} in {town}
The book by {full} was translated by {full}.
The capital of {country} is {town}.
{town} lies between {town} and {town}.
Many {nat} families came to {town} after {date}.
The road from {town} to {town} is closed.
{full}: a {post}'s life in {country}
{org}, {org} and {org} signed the agreement.
The team from {place} beat the team from {place}.
Researchers at {org} interviewed {count} {post}s in {country}.
The {faith} community in {town} thanked {person}.
{first} is a common name in {country}.
Shares of {org} rose after {person} left.
{full} married {full} in {place}.
The film stars {full} as {first}, a {post} from {place}.
Directions: take {street}, then {street}, and stop at {org}."""
NOTHING = """The {product} costs {amount} a month.
Open the {product} in the app and follow the steps.
{product}: what you need to know
You can change the limit of your card under Settings, Cards, Limits.
We answer within {count} working days.
Our Terms and Conditions changed in May.
HOW TO ORDER A NEW CARD
Please enter the code that we sent to your phone.
It takes {count} minutes and costs nothing.
A fee of {amount} applies to each withdrawal over {amount}.
Section {count} of the General Conditions applies.
The rate rose by {count} basis points.
Chapter {count}: Fees and Charges
If you are over 18 you may apply.
The app is open from 9 to 5, Monday to Friday.
What is the fee for the {product}?
What happens when my card is stolen?
Interest is paid at the end of March.
Choose Payments, then New Payment, and enter the amount.
There are {count} ways to pay.
Mark the box and sign.
The Customer may withdraw within {count} days.
No. You can't do that online.
May I ask why?
Will the bill be paid?
Grant access to the app, then bill the fee.
Frank answers help; be honest.
I will be in touch in {count} hours.
The limit is {count} withdrawals a week.
Table {count} shows all fees.
Version {count} of the {product} replaces version {count}.
The mother of the customer called twice.
A street near the station was closed.
Our company has branches in every city of the country.
My brother works as hard as I do.
He is the best customer we have.
The address is missing from the form.
Please write your name and your address in capital letters.
Which number do I call?
An error occurred (code {count}).
The meeting is in room {count}.
I waited for {count} minutes and spoke to nobody.
Your balance is {amount}.
It's {count} degrees today.
They bought {count} tickets for {amount}."""
KINDS = {"banking": BANKING, "chat": CHAT, "letters": LETTERS, "forms": FORMS, "news": NEWS, "nothing": NOTHING}
"""The kinds of text, each with its templates."""
