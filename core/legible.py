"""Removes what programs add to a text: reasoning of a model, terminal codes, invisible characters."""

from __future__ import annotations

import re

_NAMES = (
    r"(?:seed:|ant)?think(?:ing)?|thoughts?|reasoning(?:_content)?|reflection|scratchpad|inner_monologue"
    r"|chain_of_thought"
)
_OPEN = rf"<(?:{_NAMES})(?:\s[^<>]*)?>|\[(?:{_NAMES})\]|◁think▷|<\|(?:begin_of_thought|start_thinking)\|>"
_CLOSE = rf"</(?:{_NAMES})\s*>|\[/(?:{_NAMES})\]|◁/think▷|<\|(?:end_of_thought|end_thinking)\|>"
_TAG = re.compile(rf"(?P<open>{_OPEN})|(?P<close>{_CLOSE})", re.IGNORECASE)
_CHANNEL = re.compile(
    r"<\|channel\|>(?P<name>\w+)[^<]*<\|message\|>(?P<text>.*?)(?=<\|(?:end|start|return|channel)\|>|\Z)", re.S
)
"""A model's message that marks its channels; the text for the user is in the channel "final"."""
_SIGNS = re.compile(
    r"<\|(?:im_start|im_end|eot_id|end|endoftext|end_of_text|return|assistant|begin_of_solution|end_of_solution|"
    r"start_response|end_response)\|>|</?s>|<(?:eos|bos|end_of_turn)>",
    re.IGNORECASE,
)
"""Special tokens by which models mark the beginning and end of a turn."""
_WRAPPED = re.compile(
    r"\s*<(?P<name>answer|final_answer|response|output)>(?P<text>.*)</(?P=name)>\s*\Z", re.S | re.IGNORECASE
)

_ESCAPES = re.compile(
    r"(?:\x1b|\\x1b|\\u001b|\\033|\u241b|\^\[)\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_]",
    re.IGNORECASE,
)
"""Colours, cursor movements and window titles (ECMA-48), also if the escape character is spelled out."""
_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028]")
_JOINING = "\u0590-\u1fff\u2640-\u2bff\ufe0f\U0001f000-\U0001ffff"
"""Scripts and symbols in which a zero-width joiner changes what is read."""
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u2060-\u2064\ufeff\ufffe\uffff]"
    f"|(?<![{_JOINING}])[\u200b-\u200d](?![{_JOINING}])"
)
_DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ANY = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff\u241b]"
    r"|\\x1b\[|\\u001b\[|\\033\[|\^\[\[",
    re.IGNORECASE,
)

_NOTHING = frozenset({"null", "nan", "undefined", "<na>", "nat", "n/a", "#n/a", "na", "(null)", "<null>", "<none>"})
_NOTHING_AS_WRITTEN = frozenset({"None"})
_BLANKS = re.compile(
    r"[.…·\-‐‑‒–—―_*\s]+|[\[(<]\s*(?:no (?:answer|response|output)|empty|missing|placeholder)\s*[\])>]", re.I
)


def legible(text: str) -> str:
    """The text without terminal codes and invisible characters; form feeds become line breaks."""
    while _ANY.search(text) is not None:
        before = text
        text = _BREAKS.sub("\n", _ESCAPES.sub("", text))
        if _RIGHT_TO_LEFT.search(text) is None:
            text = _DIRECTIONS.sub("", text)
        text = _INVISIBLE.sub("", text)
        if text == before:
            break
    return text


def clean_name(name: str) -> str:
    """A name without outer blanks and invisible characters, which could make two names look the same."""
    return legible(name).replace("\u200b", "").strip(" \t\r\n\u00a0\u202f\u3000")


def without_thoughts(text: str) -> str:
    """The part of a model's text that is for the user.

    Reasoning between tags is removed, an unclosed one included, and so are the tokens of its turns. Text without
    reasoning is unchanged."""
    if (channels := list(_CHANNEL.finditer(text))) and "<|channel|>" in text:
        return "\n".join(match["text"].strip() for match in channels if match["name"] == "final")
    if _TAG.search(text) is None:
        return text
    said, depth, start = "", 0, 0
    for tag in _TAG.finditer(text):
        if tag["open"]:
            said += text[start : tag.start()] if depth == 0 else ""
            depth += 1
        else:
            said = said if depth else ""  # thoughts whose beginning is missing
            depth = max(depth - 1, 0)
        start = tag.end()
    said += text[start:] if depth == 0 else ""
    said = _SIGNS.sub("", said).strip()
    wrapped = _WRAPPED.match(said)
    return wrapped["text"].strip() if wrapped else said


def is_placeholder(text: str) -> bool:
    """Whether a text is a placeholder for a missing value: "null", "NaN", "N/A", "…", "(no answer)"."""
    bare = text.strip().strip('"').strip()
    return bare.casefold() in _NOTHING or bare in _NOTHING_AS_WRITTEN or _BLANKS.fullmatch(bare) is not None
