"""The wordings by which English refers elsewhere, limits an answer, or answers in spite of a gap, in lower case."""

from __future__ import annotations

import re

from hcat.core.refusals.words import (
    CANNOT,
    NOT,
    SOURCE,
    WORK_OUT,
)

ONLY_DETAILS = re.compile(
    rf"(?:{CANNOT}|unable\s+to|not\s+possible\s+to|do{NOT}\s+have)\s+(?:provide|give|offer)?\s*"
    r"(?:any\s+)?(?:(?:further|more|additional|exact|precise|specific)\s+(?:\w+\s+)?(?:details?|information|"
    r"figures?|breakdown)|"
    r"(?:any\s+)?(?:details|specifics))\b"
)
CONDITION = re.compile(
    r"\b(?:says?|states?|makes?\s+clear|stipulates?)\s+that\b[^,;]*$|\b(?:says?|repl(?:y|ies)|"
    r"answers?)\s*[,:]?\s*[\"“':][^\"”]*$|"
    r"\b(?:if|when|unless|until|should)\b[^,;]*$|^\W*(?:where|in\s+case|as\s+long\s+as)\b[^,;]*$"
)
"""Statements in a condition, or reported ones, do not count."""
CONCEDES = re.compile(r"\W*(?:although|while|though|even\s+though|despite|whereas)\b")
TURN = re.compile(r"[,;:–—-]\s*(?:but|however|although|though|yet|nevertheless|nonetheless|still)\b,?\s*")
LIMITS = re.compile(r"[,;:–—]?\s+(?:although|though|even\s+though|albeit)\b|;|,\s*but\b")
CONTRAST = re.compile(
    r"\W*(?:however|but|nevertheless|nonetheless|that\s+said|still|instead|yet|on\s+the\s+other\s+hand)\b"
)
FINDS = re.compile(
    rf"\b(?:{SOURCE}|it|they|there)\s+(?:\w+\s+){{0,3}}?(?:do(?:es)?\s+)?"
    r"(?:mentions?|states?|indicates?|suggests?|shows?|notes?|reports?|lists?|says?)\b|"
    r"\b(?:we|i|one)\s+can\s+(?:\w+\s+)?"
    r"(?:infer|see|calculate|compute|estimate|say|observe|deduce|derive|conclude|find|look|approximate)\b|"
    r"\bbased\s+on\b|\baccording\s+to\b|\bappears?\b|"
    r"\bit\s+(?:is|can\s+be)\s+(?:\w+\s+)?(?:inferred|clear|estimated|likely)\b"
)
REFERS = re.compile(
    r"\b(?:you|we|one|i)\s+(?:would|will|'ll|'d|may|might|can|should|could|must)?\s*"
    r"(?:also\s+|want\s+to\s+|\w+ly\s+)?(?:need|have\s+to|look|refer|consult|check|access|follow|review|require|"
    r"obtain|visit|contact|find|use|divide|take|calculate)\b|"
    r"\bplease\b|\brecommend|\bfor\s+the\s+most\s+(?:accurate|current|up-to-date|recent|detailed)|"
    r"\bonce\s+you\b|\bif\s+you\b|\bto\s+(?:calculate|determine|find|answer|compute)\b[^.]*,\s*(?:you|we|one|i|"
    r"the)\b|"
    r"\b(?:needed|necessary|required)\b|\bas\s+an?\s+ai\b|\bknowledge\s+cutoff\b|"
    r"\bas\s+of\s+my\s+(?:last|latest|current|knowledge|training)\b|\bbest\s+to\b|\bi'd\s+refer\b|\b(?:advisable|"
    r"advised)\b|\bbe\s+found\s+(?:in|on|at)\b|\bi(?:'d|\s+would)?\s+(?:suggest|advise)\b"
)
ASKS_ELSEWHERE = re.compile(
    r"\bplease\s+(?:\w+ly\s+)?(?:contact|consult|ask(?!\s+for)|check\s+with|speak|reach\s+out|refer|"
    r"get\s+in\s+touch)\b|"
    r"\b(?:recommend|suggest|advise)\s+(?:that\s+)?(?:you\s+)?(?:to\s+)?(?:contact|consult|ask|check|speak|talk|"
    r"refer)\w*\b|"
    r"\bbest\s+to\s+(?:contact|consult|ask|check|speak|talk|refer)\b|"
    r"\bi(?:'d|\s+would|\s+must)?\s+refer\s+you\s+to\b|\b(?:could|can|would)\s+you\s+(?:please\s+)?(?:clarify|"
    r"rephrase|specify)\b|"
    r"\bplease\s+(?:clarify|rephrase|specify)\b|"
    r"\byou(?:'d|'ll|\s+would|\s+will)\s+(?:need|have)\s+to\s+(?:ask|consult|check\s+with|refer)\b|"
    r"\b(?:recommended|advisable|advised)\s+to\s+(?:contact|consult|ask|check|refer|review|look)\b|"
    r"\b(?:information|details|figures?|data|this)\s+(?:can|could|may|might|would|"
    r"will)\s+(?:\w+ly\s+)?be\s+found\s+(?:in|on|at)\b|"
    r"\bplease\s+provide\s+(?:me\s+with\s+)?(?:the\s+)?(?:necessary|relevant|missing|required|additional|more)\b|"
    r"\byou\s+(?:should|could|may|might)\s+(?:contact|consult|ask|check\s+with|speak)\b"
)
"""Sends the reader to somebody else; an answer that does only that answers nothing."""
ASKS_BACK = re.compile(
    r"\b(?:which|what|who|whom)\b[^?.!]{0,80}\b(?:do|did|are|would)\s+you\s+(?:mean|refer|referring|asking|ask|talking|"
    r"interested|have\s+in\s+mind|like\s+to\s+know)\b[^?.!]{0,80}\?|"
    r"^(?:and\s+|so\s+|sorry,\s+)?(?:do\s+you\s+mean|are\s+you\s+(?:asking|referring|talking))\b[^?.!]{0,120}\?|"
    r"\b(?:could|can|would|will)\s+you\s+(?:please\s+)?(?:tell\s+me|let\s+me\s+know|say|state|name)\s+(?:which|what|who)\b|"
    r"\bplease\s+(?:tell\s+me|let\s+me\s+know|say|state|name)\s+(?:which|what|who)\b|"
    r"\b(?:could|can|would)\s+you\s+(?:please\s+)?(?:be\s+more\s+specific|give\s+(?:me\s+)?(?:some\s+)?(?:more|further)|"
    r"provide\s+(?:some\s+)?(?:more|further))\b|"
    r"\bwelche[nmrs]?\b[^?.!]{0,80}\bmeinen\s+sie\b|\b(?:was|wen)\s+meinen\s+sie\b|\bworauf\s+beziehen\s+sie\s+sich\b"
)
"""Asks the reader what the question is about; an answer that does only that answers nothing."""
FOR_ACTION = re.compile(
    r"\bto\s+(?!(?:the|an?|your|our|my|us|them|its|their|his|her|this|that|these|customer|someone|somebody|find|"
    r"get|learn|"
    rf"obtain|see|check|assist|help|ask|consult|contact|speak|talk|refer|{WORK_OUT})\b)\w+|\b(?:if|when|once|"
    rf"before|within|at\s+once)\b|:\s*\w|\b(?:below|following)\b"
)
"""Going there to have something done is the answer to how it is done."""
EXPLAINS = re.compile(
    r"\b(?:typically|generally|in\s+general|usually|refers?\s+to|defined\s+as|(?:is|are)\s+calculated|"
    r"is\s+an?\s+(?:\w+\s+)?(?:measure|metric|indicator|key|useful|important)|also\s+known\s+as|formula|ratio\s*=|"
    r"for\s+example|hypothetical)|"
    rf"\b{SOURCE}\b[^.;]{{0,80}}\b(?:only|pertains?|discuss(?:es)?|focus(?:es)?|relate[sd]?\s+to|"
    r"(?:is|are)\s+about|unspecified|unnamed)\b|"
    r"\bthe\s+latest\b[^.;]*\bavailable\b|\b(?:sorry|apologi[sz]e|thank)\b"
)
ANSWER_IS = re.compile(r"\bthe\s+answer\b[^.]{0,80}?\b(?:is|would\s+be)\b")
SUPPOSING = re.compile(r"\W*(?:if|once|when|should)\b")
"""Beginnings of a conditional clause, after which the reader still does not know the answer."""
CONCLUDES = re.compile(
    r"\W*(?:therefore|thus|hence|so|overall|in\s+(?:summary|conclusion)|consequently|as\s+a\s+result)\b"
)
SUPPOSES = re.compile(
    r"\b(?:for\s+example|for\s+instance|hypothetical|suppose|let's\s+(?:say|assume|suppose)|imagine)\b"
)
QUANTITY = re.compile(
    r"[$€£]\s?\d|(?<![\d.,])(?<![*×x÷/]\s)(?<![*×x÷/])(?<!\bby\s)"
    r"\d[\d.,]*(?:\s?%|(?<=\d\.\d)|(?<=\d,\d{3})|\s+(?:thousand|million|billion|percent|days|times|euros?|dollars)\b)"
)
"""A figure, but no constant of a formula ("× 100 %", "by 365 days")."""
YES_NO = re.compile(r"\W*(?:yes|no)\s*[,.:;–—-]")
VERDICT = re.compile(r"\W*(?:yes|no)\b|\W*based\s+on\b|\W*according\s+to\b")
PLANS = re.compile(
    r"\b(?:we|i|one|you)\s+(?:\w+\s+)?(?:can|need|must|will|would|should|have\s+to)\b|\bhere\s+(?:is|are)\b|"
    r"\b(?:we|i)\s+have\s+the\s+following\b|\blet(?:'s|\s+us)\b"
)
"""Says what is to be done, or what follows; it is no answer yet."""
COMMA = re.compile(r",\s*")
