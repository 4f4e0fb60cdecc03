"""The nouns and verbs of declining, as parts of regular expressions in lower case."""

from __future__ import annotations

GIVEN = (
    r"(?:contexts?|texts?|passages?|documents?|documentation|information|(?<!personal\s)(?<!customer\s)data|details|"
    r"excerpts?|extracts?|sources?|articles?|materials?|snippets?|handbook|manual|knowledge base|database|"
    r"search results?|evidence|data\s?set|corpus)"
)
"""Words for retrieved content; not for the data that a bank stores about somebody."""
RECORD = (
    r"(?:statements?|filings?|reports?|10-[kq]|exhibits?|records?|tables?|pages?|sections?|contents?|brochure|guide|"
    r"website|faqs?|notes?|chapters?|paragraphs?|transcript|minutes)"
)
"""Words that may be the subject of the question, so that "the report does not include a penalty" is an answer."""
RULES = r"(?:polic(?:y|ies)|terms|conditions|agreements?|contracts?|clauses?|rules|regulations?|price\s+list|schedule)"
"""Documents that grant and demand, so that "does not provide for", "cover" and "allow" do not refer to their
content."""
SOURCE = rf"(?:{GIVEN}|{RECORD})"
KNOWLEDGE = r"(?:information|data|details?|mention|context|figures?|facts?|knowledge|answers?|evidence|records?)"
ABBREVIATED = r"(?:(?<=\binc)|(?<=\bltd)|(?<=\bplc)|(?<=\bcorp)|(?<=\bco)|(?<=\bu\.s))\."
"""The full stop of a company's name, which does not end a sentence."""
QUESTION_WORD = r"(?:whether|if|what|who|whose|when|where|why|how|which)"


SAY = (
    r"(?:mention|specify|state|reveal|indicate|clarify|say|explain|tell|spell\s+out|elaborate|go\s+into|"
    r"touch\s+(?:up)?on|"
    r"talk\s+about|comment\s+on)"
)
"""Only writing or speech says something, so that a rule that does not say is silent."""
TELL_ANYTHING = rf"(?:{SAY}|disclose|provide|address|discuss)"
TELL = (
    rf"(?:{TELL_ANYTHING}|contain|include|give(?!\s+[^.;,]{{1,40}}\b(?:right|permission)\b)|have(?!\s+to\b)|offer|"
    rf"list|cover|"
    r"detail|show|present|break|report|answer|describe|refer|(?:allow|permit)(?:\s+(?:us|me|one|for)\b|\s+an?\b|"
    r"\s+the\b))"
)
SAID = r"(?:stated|specified|mentioned|indicated|spelled\s+out)"
TOLD = (
    rf"(?:{SAID}|provided|available|given|included|disclosed|found|listed|present|contained|"
    r"detailed|covered|shown|discussed|addressed|accessible)"
)
REASON_OUT = (
    r"(?:determine|calculate|compute|answer|assess|conclude|ascertain|evaluate|infer|say|tell|state|derive|know|"
    r"predict|forecast|foresee|speculate|guess|judge|work\s+out|figure\s+out|estimate)"
)
MAKE_SURE = r"(?:find|locate|identify|confirm|verify|establish)"
"""Verbs that people also use of other things ("verify a customer's identity"): they need "whether" or a source."""
WORK_OUT = rf"(?:{REASON_OUT}|{MAKE_SURE})"
WORKED_OUT = (
    r"(?:determined|calculated|computed|answered|concluded|ascertained|evaluated|inferred|derived|worked\s+out|"
    r"figured\s+out)"
)
SEEN = r"(?:confirmed|verified|identified|found|located|assessed|established|provided)"
EXACT = r"(?:accurate|exact|precise|specific|definit(?:e|ive)|requested|real-time|up-to-date|current)"
FEW = r"(?:[\w'-]+\s+){0,4}"
ADVERB = r"(?:\w+ly\s+)?"
NOT = r"(?:\s+not|n'?t)"
HEDGED = r"\s+(?:\w+ly\s+)?(?:(?:seem|appear)\s+to\s+)?(?:\w+ly\s+)?"
REPORTS = r"(?:says?|states?|mentions?|notes?|shows?|confirms?|explains?|stipulates?|makes?\s+clear)"
ON_TO_VERB = (
    rf"(?:(?:(?!\b{REPORTS}\b)[^.;:,]){{0,150}}?|[^.;:]{{0,250}}?\b(?:but|and|nor|which|that)\s+(?:(?:it|they)\s+)?)"
)
"""From the source to its own verb: what it "says the bank does not do" it does say."""
CANNOT = r"(?:cannot|can\s+not|can't|could\s+not|couldn't)"
START = r"^\W*(?:answer:\s*)?(?:(?:sorry|unfortunately|apologies|honestly|no)\b\W+)?"
ENDS = rf"(?=\W*$|\s*[,;]|\s+(?:{QUESTION_WORD}|in|from|by|within|anywhere|here)\b)"
NO_RECIPIENT = r"(?!\s+(?:to\s+(?!me\b|us\b|answer\b|determine\b|calculate\b|compute\b)|without\b|unless\b))"
"""Information not given "to third parties" or "without consent" is withheld by somebody; it is not missing."""

OPINION = (
    r"(?!\s+(?:\w+ly\s+)?(?:think|believe|recommend|suggest|advise|expect|doubt|mean|mind|agree|object|want|need)\b)"
)

NEGATED = r"(?:(?:do|does|did|is|are|was|were|has|have|could|can)(?:\s+not|n'?t)|cannot|never)"
SHOWN = r"(?:provided|given|retrieved|supplied|available|above|shared|excerpted|returned)"
PASSAGE = (
    rf"(?:(?<!in\sthis\s)(?<!in\sthat\s)(?:contexts?|passages?|excerpts?|extracts?|snippets?|search\s+results?|"
    rf"knowledge\s+base)|"
    rf"{SHOWN}\s+(?:[\w-]+\s+)?{SOURCE}|{SOURCE}\s+(?:that\s+)?(?:{SHOWN}|(?:you|i)(?:\s+have|'ve|"
    rf"\s+was)?(?:\s+{SHOWN})?))"
)
"""Words that can only mean retrieved content, so that any negated verb after them says that it lacks the answer."""
