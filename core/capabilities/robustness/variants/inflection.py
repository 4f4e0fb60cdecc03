"""Forms of English words that a rewriting needs: third person, past, participle."""

from __future__ import annotations

_PAST = {
    "be": ("was", "been"), "have": ("had", "had"), "do": ("did", "done"), "go": ("went", "gone"),
    "pay": ("paid", "paid"), "get": ("got", "got"), "give": ("gave", "given"), "take": ("took", "taken"),
    "make": ("made", "made"), "buy": ("bought", "bought"), "sell": ("sold", "sold"), "send": ("sent", "sent"),
    "lend": ("lent", "lent"), "spend": ("spent", "spent"), "lose": ("lost", "lost"), "find": ("found", "found"),
    "hold": ("held", "held"), "keep": ("kept", "kept"), "tell": ("told", "told"), "say": ("said", "said"),
    "think": ("thought", "thought"), "know": ("knew", "known"), "grow": ("grew", "grown"), "fall": ("fell", "fallen"),
    "rise": ("rose", "risen"), "begin": ("began", "begun"), "see": ("saw", "seen"), "come": ("came", "come"),
    "become": ("became", "become"), "run": ("ran", "run"), "set": ("set", "set"), "put": ("put", "put"),
    "cost": ("cost", "cost"), "cut": ("cut", "cut"), "let": ("let", "let"), "meet": ("met", "met"),
    "write": ("wrote", "written"), "bear": ("bore", "borne"), "draw": ("drew", "drawn"), "choose": ("chose", "chosen"),
    "withdraw": ("withdrew", "withdrawn"), "bring": ("brought", "brought"), "leave": ("left", "left"),
    "lead": ("led", "led"), "mean": ("meant", "meant"), "offset": ("offset", "offset"), "bid": ("bid", "bid"),
    "drive": ("drove", "driven"), "show": ("showed", "shown"), "stand": ("stood", "stood"), "win": ("won", "won"),
    "understand": ("understood", "understood"), "undertake": ("undertook", "undertaken"), "speak": ("spoke", "spoken"),
    "break": ("broke", "broken"), "build": ("built", "built"), "read": ("read", "read"), "hit": ("hit", "hit"),
}  # fmt: skip
_DOUBLING = frozenset(
    ["plan", "drop", "stop", "ship", "refer", "occur", "permit", "submit", "transfer", "commit", "cancel", "control"]
)
_VOWELS = "aeiou"


def third_person(verb: str) -> str:
    """ "costs" of "cost"."""
    special = {"have": "has", "be": "is", "do": "does", "go": "goes"}
    if verb in special:
        return special[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in _VOWELS else verb + "s"


def past(verb: str) -> str:
    """ "paid" of "pay"."""
    return _PAST[verb][0] if verb in _PAST else _regular(verb)


def participle(verb: str) -> str:
    """The past participle: "taken" of "take"."""
    return _PAST[verb][1] if verb in _PAST else _regular(verb)


def _regular(verb: str) -> str:
    if verb in _DOUBLING:
        return verb + verb[-1] + "ed"
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if verb.endswith("y") and verb[-2:-1] not in _VOWELS else verb + "ed"
