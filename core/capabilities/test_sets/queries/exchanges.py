"""Words and question frames that can replace one another in any corpus, as one text each: see `rewording`."""

from __future__ import annotations

WORDS = """
customers = clients
customer = client
clients = customers
client = customer
employees = staff members
employee = staff member
cash machines = ATMs
cash machine = ATM
telephones = phones
telephone = phone
luggage = baggage
papers = documents
trips = journeys
trip = journey
journeys = trips
journey = trip
ceiling = limit
ceilings = limits
the limits = the ceilings
the limit = the ceiling
a limit = a ceiling
sum = amount
amount = sum
the fee = the charge
annual fee = yearly charge
yearly fee = annual charge
monthly fee = monthly charge
monthly charge = monthly fee
yearly = annual
receive = get
receives = gets
obtain = get
require = need
requires = needs
required = needed
needed = required
needs = requires
need = require
start = begin
starts = begins
begin = start
begins = starts
checked = examined
examined = checked
deleted = erased
erased = deleted
answered = replied to
sent back = returned
handed in = submitted
submitted = handed in
switched off = turned off
switched on = turned on
lifted = removed
collected = picked up
be lowered = be reduced
be raised = be increased
be changed = be altered
be stored = be kept
be ended = be terminated
permitted = allowed
allowed = permitted
compulsory = mandatory
mandatory = compulsory
whole = entire
entire = whole
additional = extra
extra = additional
largest = biggest
approximately = about
primarily = mainly
main = principal
immediately = right away
at once = right away
free of charge = for free
at no cost = for free
without charge = for free
prior to = before
in excess of = more than
in total = altogether
every month = each month
every year = each year
every week = each week
every day = each day
pick up = collect
"""
"""One pair per line: the words before "=" may be replaced by those after it. In lower case, so that names are
unchanged."""

FRAMES = r"""
\b[Ww]ithin how many (business days|days|hours|months) (?=(?:is|are|do|does|must|may|can)\b) = how soon, in \1,~
\b[Hh]ow long (does|do|did) (.+?) take(?=[ ?]) = how much time \1 \2 need
\b[Hh]ow long ((?!(?:does|do|did|is|are)\b)[^,?]+?) takes(?=[ ?]) = how much time \1 needs
\b[Hh]ow much (does|do|did) ((?:(?! or )[^,:])+?) cost(?=[ ?:])(?! each) = what is the price of \2
\b[Hh]ow (?:much|high) is (the [a-z ]*(?:fee|charge|price|excess))(?=\?| for | on ) = what does \1 come to
\b[Hh]ow (?:much|high) (the [a-z ]*(?:fee|charge|price|excess)) is(?=\?| for | on ) = what \1 comes to
(?<!know )(?<!tell me )(?<!idea )\b[Ww]hat happens (?=if\b|when\b) = what are the consequences~
\b[Bb]y how much did ([^?]+) change from ([^?]+?) to ([^?]+)(?=\?) = what was the difference in \1 between \2 and \3
\b[Ww]hat w(?:as|ere) ([A-Z][^?]*?)'s? ([^?,]+?) in ((?:fiscal )?\d{4})(?=\?) = what figure did \1 report as \2 for \3
\b[Ww]hat w(?:as|ere) ([A-Z][^?]*?)'s? ([^?,]+? at the end of (?:fiscal )?\d{4})(?=\?) = what figure did \1 report as \2
"""
"""One pair per line of a pattern and its replacement, "~" for a space at its end. The subject of the question, with all
numbers, names and units, is in groups, which are unchanged."""

VERBS = frozenset(("need", "needs", "require", "requires", "start", "starts", "begin", "begins"))
"""Words of `WORDS` that are replaced as verbs only: after a determiner they are nouns ("the start", "your needs")."""
NOT_BEFORE_TO = frozenset(("need", "needs", "require", "requires", "required"))
"""Words of `WORDS` that are not interchangeable before "to": one needs to sign, but requires a signature."""
_DETERMINERS_TEXT = "a an the this that these those my your our its their his her any no each every which what whose"
DETERMINERS = frozenset(_DETERMINERS_TEXT.split())
