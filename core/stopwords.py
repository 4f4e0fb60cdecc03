"""English words that name no topic."""

from __future__ import annotations

_WORDS = """
a about above actually after again against ago all almost already also although always am among an and another any
anyone anything are aren't around as ask asked at away back be became because become been before being below best
better between both but by came can can't cannot cant come could couldn't couldnt did didn't didnt do does doesn't
doesnt doing don't done dont down during each either else etc even ever every everything few find first for from
further gave get gets getting give given go goes going gone got had hadn't happen happened has hasn't hasnt have
haven't havent having he hello help her here hers herself hi him himself his how however i i'd i'll i'm i've id if
ill im in into is isn't isnt it it's its itself ive just keep kept kind knew know known last least less let like
likely ll long look looking made make makes making many may maybe me mean might mine more most much must my myself
need needed needs neither never new next no nobody none nor not nothing now of off often ok on once one ones only
onto or other others our ours out over own per perhaps please possible put quite rather re really right said same
saw say says see seem seems seen shall she should shouldn't shouldnt show since so some someone something sometimes
soon still such sure take taken tell than thank thanks that that's thats the their theirs them themselves then there
there's these they thing things think this those though through thus to together told too took toward towards tried
try trying two under unless until up upon us use used using ve very via want wanted wants was wasn't wasnt way we
well went were weren't what what's whats when where whereas whether which while who whom whose why will with within
without won't wont would wouldn't wouldnt yes yet you you're you've your yours yourself
"""

STOP_WORDS = frozenset(_WORDS.split())
