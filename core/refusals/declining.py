"""The wordings by which English declines, in lower case.

The subject decides what counts: for the speaker ("I"), "cannot" does; for a document, "does not say" does; for anybody
else neither does, since that a company did not do something, or that a rule does not allow it, is an answer."""

from __future__ import annotations

import re

from hcat.core.late_pattern import LatePattern
from hcat.core.refusals.signs import ENGLISH_SIGNS, SignedPattern
from hcat.core.refusals.words import (
    ABBREVIATED,
    ADVERB,
    CANNOT,
    ENDS,
    EXACT,
    FEW,
    GIVEN,
    HEDGED,
    KNOWLEDGE,
    MAKE_SURE,
    NEGATED,
    NO_RECIPIENT,
    NOT,
    ON_TO_VERB,
    OPINION,
    PASSAGE,
    QUESTION_WORD,
    REASON_OUT,
    RECORD,
    RULES,
    SAID,
    SAY,
    SEEN,
    SHOWN,
    SOURCE,
    START,
    TELL,
    TELL_ANYTHING,
    TOLD,
    WORK_OUT,
    WORKED_OUT,
)

_SPEAKER_CANNOT = (
    # An assistant is no party to what it reports: what it denies of itself, other than an opinion, is its ability
    rf"\b(?:i|this\s+(?:assistant|chatbot|bot|system|model|tool)|the\s+(?:assistant|chatbot)|(?:assistant|model)\s+and)"
    rf"\s+(?:\w+ly\s+|"
    rf"still\s+|also\s+)?"
    rf"(?:{CANNOT}|(?:(?:am|was|have|had|will|do|does|did)(?:\s+\w+ly)?(?:\s+not|n't|\s+never)|dont|won't){OPINION})(?:\s+[\w-]+)?",
    r"\bi(?:'m|'ve|'d|'ll)\s+(?:\w+ly\s+)?(?:not|never|unable|unaware|(?:rather|prefer)\s+not)\b",
    r"\bi\s+(?:\w+ly\s+|still\s+)?(?:lack|decline|refuse|must\s+decline|have\s+to\s+decline|would\s+(?:rather|"
    r"prefer)\s+not|"
    r"ha(?:ve|d)\s+no(?!\s+(?:objection|doubt|problem))|(?:could\s+|can\s+)?(?:found|find|see|saw|"
    r"know(?:\s+of)?)\s+(?:no|nothing)|"
    r"only\s+(?:know|have)|can\s+only\s+(?:answer|help|assist|discuss|talk|respond)|(?:am|was)\s+(?:unable|"
    r"unaware|only))\b",
    r"\bi'm\s+only\s+(?:trained|designed|able|allowed|meant|here)\b",
    rf"{START}(?:{CANNOT}|unable\s+to|not\s+able\s+to)\s+{ADVERB}(?:{WORK_OUT}|help|assist|comment|provide)\b",
    rf"\bwe\s+{ADVERB}{CANNOT}\s+{ADVERB}(?:{REASON_OUT}\b|{MAKE_SURE}\s+(?:the|this|that|{QUESTION_WORD})\b|"
    r"(?:complete|perform)\s+(?:the|this|that|such)\b|provide\s+the\s+(?:requested|exact|specific)\b)",
    rf"\b(?:we\s+are|we're|we\s+were)\s+{ADVERB}(?:unable|not\s+able)\s+to\s+{ADVERB}"
    rf"(?:{WORK_OUT}|(?:provide|give|offer)\s+{FEW}{KNOWLEDGE})\b",
    rf"\bwe\s+{ADVERB}(?:(?:do|did){NOT}\s+{ADVERB}have|have\s+no)\s+{FEW}(?:access|enough|sufficient|ability|"
    rf"{KNOWLEDGE})\b",
    rf"n(?:'|o)?t\s+something\s+(?:that\s+)?(?:i|we|(?:the\s+)?{GIVEN})\b",
    r"\bmy\s+(?:\w+\s+)?(?:knowledge|training|ability|capabilit\w+|data|information|sources?|documents?|"
    r"records?)\b[^.;]{0,40}?"
    r"\b(?:ends?|ended|stops?|only|limited|last\s+updated|nothing|do\s+not|don't|does\s+not|doesn't)\b",
    rf"\b(?:outside|beyond|exceeds?)\s+(?:of\s+)?(?:what\s+(?:i|(?:the\s+)?{GIVEN})\b|my\b|"
    rf"the\s+scope\s+of\s+(?:what\s+i\b|my\b|"
    rf"(?:(?:the|these|this)\s+)?{FEW}{SOURCE}\b))",
    r"\b(?:question|request|query|topic|inquiry)\b[^.;]{0,60}?\b(?:outside|beyond|out\s+of\s+scope)\b",
    r"\bonly\s+(?:an?|the|your)\s+[^.;,]{1,40}?\b(?:can|could)\s+(?:answer|say|tell|determine)\b",
)
_REQUEST = (
    r"(?:this|that|it|such\s+(?:an?\s+)?\w+|th(?:is|at|ese|is\s+kind\s+of|at\s+kind\s+of)\s+(?:\w+\s+)?"
    r"(?:request|question|query|topic)s?)"
)
_SPEAKER_WILL_NOT = (
    r"\bi\s+(?:\w+ly\s+)?only\s+(?:answer|help|assist|discuss|respond|deal)\b",
    r"\bi(?:'m|\s+am)\s+(?:designed|made|meant|here|built|trained)\s+(?:only\s+)?to\b[^.;]{0,80},\s*not\s+to\b",
    r"\bi(?:'m|\s+am)\s+(?:going|afraid\s+i(?:'ll|\s+will)?\s+have)\s+to\s+(?:pass|decline|refuse|stop)\b",
    r"\bi(?:'ll|\s+will)?\s+(?:have|need)\s+to\s+(?:pass|decline|refuse|keep\s+(?:this|that|it|my)\b)",
    r"\bi(?:'d|\s+would)?\s+prefer\s+not\s+to\b",
    r"\bi\s+(?:stick|keep)\s+to\s+(?:questions|topics|matters|what)\b",
    r"\blet(?:'s|\s+us)\s+(?:talk|speak)\s+about\s+something\s+else\b",
    r"\bmy\s+(?:own\s+)?(?:\w+\s+)?(?:guidelines|instructions|rules|policies|principles|programming)\s+(?:\w+ly\s+)?"
    rf"(?:do(?:es)?{NOT}\s+(?:permit|allow|let)|prevent|forbid|prohibit|are\s+confidential|{CANNOT}\s+be\s+shared)",
    rf"\b{_REQUEST}\s+(?:goes\s+against|violates?|would\s+violate|would\s+go\s+against|"
    r"conflicts?\s+with|is\s+against)\s+(?:my|our)\b",
    rf"\b{_REQUEST}\s+(?:is|are)(?:\s+not|n't)\s+(?:supported|permitted\s+here|allowed\s+here)\b",
    r"\bit\s+(?:would(?:\s+not|n't)\s+be\s+(?:appropriate|right)|"
    r"would\s+be\s+(?:inappropriate|wrong))\s+(?:for\s+me|of\s+me)\b",
    r"\b(?:disclosing|revealing|sharing)\s+(?:\w+\s+)?(?:other|another)\s+(?:customer|client|"
    r"person|people)\w*['’]?s?['’]?\s[^.;]{0,30}\b(?:is|are)"
    r"(?:\s+not|n't)\s+(?:permitted|allowed|possible)\b",
    rf"\b(?:confidential|private|protected|internal)\s+and\s+(?:{CANNOT}|must\s+not|may\s+not)\s+be\s+"
    r"(?:disclosed|shared|revealed|told)\b",
    rf"{START}(?:sorry,?\s+no|no,?\s+sorry|no,?\s+i\s+(?:will|do|can|am){NOT}\b|no,?\s+i\s+(?:won't|can't|don't)\b)",
)
"""Phrases by which the speaker declines to say something: a rejected request, as for attacks."""
_NOBODY_CAN = (
    rf"\b(?:not\s+{ADVERB}possible|impossible|hard|difficult|no\s+way)\s+(?:for\s+(?:me|"
    rf"us)\s+)?(?:to\s+{ADVERB}{REASON_OUT}\b|"
    rf"of\s+(?:knowing|telling|determining)\b|to\s+{ADVERB}(?:provide|give|offer)\s+(?:an?|the|any)\s+{EXACT}\b|"
    rf"to\s+{ADVERB}(?:draw|provide|give|offer)\s+{FEW}"
    rf"(?:conclusions?|{KNOWLEDGE})\b|to\s+{ADVERB}{MAKE_SURE}\s+(?:{QUESTION_WORD}\b|the\s+{FEW}"
    rf"(?:{KNOWLEDGE}|amount|number|ratio|value)\b|[^.;]{{1,80}}\b(?:from|without|based\s+on)\s+{FEW}{SOURCE}\b))",
    rf"\b{CANNOT}\s+be\s+{ADVERB}{WORKED_OUT}\b(?!\s+that\b)(?![^.;]*\b(?:until|before)\b)",
    rf"\b{CANNOT}\s+be\s+{ADVERB}{SEEN}\b[^.;]{{0,40}}?\b(?:from|with|in|on|by|without)\s+{FEW}{SOURCE}\b",
    rf"\b(?:based\s+on|from|with|given|without)\s+{FEW}{SOURCE}\b[^.;]{{0,80}}?\b{CANNOT}\s+be\s+{ADVERB}{SEEN}\b",
)
_SOURCE_IS_SILENT = (
    rf"\b{PASSAGE}\s+(?:\w+ly\s+|also\s+|here\s+|itself\s+|{SHOWN}\s+){{0,2}}?{NEGATED}\b",
    rf"\b{PASSAGE}\s+(?:\w+\s+)?(?:(?:is|are)\s+(?:unrelated|irrelevant|insufficient|silent|unclear)|ha(?:s|ve)\s+no|"
    r"offers?\s+no|gives?\s+no|provides?\s+no|contains?\s+no|includes?\s+no|makes?\s+no)\b",
    rf"\b(?:{SOURCE}|{RULES})\s+never\s+(?:mention|specif|stat|say|explain|tell|disclos|address|discuss)\w*",
    rf"\b(?:it|they)\s+(?:do|does|did){NOT}{HEDGED}(?:say|specify|state|mention|clarify)\b",
    rf"\b{SOURCE}\b[^.;:,]{{0,40}}?\b(?:is|are)(?:{NOT})\s+{ADVERB}(?:clear|explicit)\b",
    rf"\bi\s+(?:do|did){NOT}\s+(?:think|believe)\b[^.;]{{0,40}}?\b{GIVEN}\b[^.;]{{0,40}}?\b{TELL}",
    rf"\b{GIVEN}\b{ON_TO_VERB}(?:does|do|did){NOT}{HEDGED}{TELL}",
    rf"\b{RECORD}\b{ON_TO_VERB}(?:does|do|did){NOT}{HEDGED}"
    rf"(?:{TELL_ANYTHING}\b|{TELL}\s+{FEW}(?:any|{KNOWLEDGE})\b)",
    rf"\b{RULES}\b{ON_TO_VERB}(?:does|do|did){NOT}{HEDGED}{SAY}\b",
    rf"\b(?:according\s+to|based\s+on|in|from)\s+{FEW}{SOURCE}\b[^.;]{{0,60}}?,(?:[^.;:]|{ABBREVIATED}){{1,80}}?\bdoes{NOT}{HEDGED}"
    r"(?:specify|state|indicate|clarify|say)\b",
    rf"\b(?:{SOURCE}|{RULES})\b[^.;:,]{{0,80}}?"
    r"\b(?:(?:says?|makes?|gives?|contains?|has|have|offers?|provides?|includes?)\s+"
    r"(?:nothing|no\s+(?:[\w-]+\s+){0,2}(?:mention|information|details?|reference|answer|insight|entry|indication|"
    r"guidance))|"
    r"(?:is|are)\s+(?:silent|insufficient)|fails?\s+to\s+(?:mention|say|state|specify|provide|address)|"
    r"leaves?\s+(?:\w+\s+){0,2}(?:open|unclear|unanswered|unsaid))\b",
    rf"\b{GIVEN}\b[^.;:,]{{0,40}}?\b(?:lacks?|omits?)\b",
    rf"\b(?:{GIVEN}|filing|report)\s+{ADVERB}(?:is|are|was|were|has\s+been|have\s+been|seems?\s+to\s+(?:be|"
    rf"have\s+been)|appears?\s+to\s+(?:be|have\s+been))\s+{ADVERB}(?:cut\s+off|truncated)\b",
)
_NOT_IN_THE_SOURCE = (
    # The subject is what was asked for: "is not stated" can only refer to the content of a text
    rf"\b(?:does|do|did){NOT}\s+(?:appear|occur|feature)\s+(?:anywhere\s+)?in\s+{FEW}{GIVEN}\b",
    rf"\b(?:necessary|required|relevant|requested|needed)\s+{FEW}(?:{KNOWLEDGE}|sections?|pages?)\s+(?:is|are|was|"
    rf"were)\s+"
    r"(?:missing|unavailable|absent|lacking)\b",
    r"\b(?:figures?|amounts?|values?|information|data)\s+(?:is|are)\s+missing\b",
    r"\b(?:remains?|answer\s+is)\s+(?:unclear|unknown|unspecified|unanswered)\b",
    rf"\bit(?:\s+(?:is|was)|'s)(?:{NOT})\s+{ADVERB}(?:{SAID}|given|said|disclosed|explained|defined|known|"
    rf"clear){ENDS}",
    rf"\bit(?:'s|\s+is|\s+was|\s+remains)\s+{ADVERB}(?:unclear|unknown|uncertain|unspecified)\s+(?:from\b|"
    rf"{QUESTION_WORD}\b)",
    rf"\b(?:is|are|was|were)(?:{NOT})\s+{ADVERB}{SAID}{ENDS}",
    rf"\b(?:is|are|was|were)(?:{NOT})\s+{ADVERB}{TOLD}\b(?!\s+with\b)[^.;]{{0,60}}?\b{SOURCE}\b",
    rf"\b{SOURCE}\b[^.;:]{{0,100}}?\b(?:is|are|was|were)(?:{NOT})\s+(?:\w+ly\s+|yet\s+)?"
    rf"(?:{TOLD}(?=\W*$|,|\s+(?:for|here|yet|as|at|because|since|so|and|to\s+(?:me|us))\b)|"
    r"sufficient|enough)",
    rf"\b(?:unknown|{NOT}\s+(?:\w+ly\s+|yet\s+)?(?:available|accessible|known|visible))\s+to\s+me\b",
    r"(?:\bnot?|n't)\b[^.;,]{0,40}?\bin\s+my\s+(?:database|records|knowledge|training)\b",
    rf"\b(?:is|are|was|were)(?:{NOT})\s+(?:\w+\s+)?(?:part\s+of|among|contained\s+in|included\s+in|in|"
    rf"within)\s+{FEW}{GIVEN}\b",
    rf"\b(?:missing|absent|omitted)\s+from\s+{FEW}{GIVEN}\b",
    r"\bas\s+of\s+(?:my|the|this|our)\s+(?:last|latest|current|knowledge|training)\b[^.;]{0,150}?"
    rf"\b(?:has|have|had|is|are|was|were){NOT}\s+(?:(?:yet|been|\w+ly)\s+)*(?:available|released|published|"
    rf"reported|known)\b",
    rf"\b(?:has|have|had|is|are|was|were){NOT}\s+(?:(?:yet|been|\w+ly)\s+)*(?:available|released|published|"
    rf"reported|known)\b"
    r"[^.;]{0,40}?\bas\s+of\s+(?:my|now)\b",
    r"\bthe\s+answer\b[^.;]{0,40}?\b(?:is|was)(?:\s+not|n't)\s+(?:there|here)\b",
    rf"\b(?:one|you|nobody)\s+(?:{CANNOT}|can)\s+(?:tell|say|know|determine|"
    rf"see)\b[^.;]{{0,20}}?\bfrom\s+{FEW}{SOURCE}\b",
    rf"\byou\s+(?:have|did){NOT}\s+{ADVERB}(?:provided?|given?|shared?|included?|specif\w+)\b(?!\s+your\b)",
)
_THERE_IS_NOTHING = (
    rf"\b(?:nowhere|at\s+no\s+point)\b[^.;]{{0,80}}?\b(?:{SOURCE}|{SAID}|{SAY})\b",
    rf"\b(?:none|nothing|neither|nobody|no\s*-?one)\b[^.;,]{{0,60}}?\b(?:{TOLD}|said|know|tell|"
    rf"say)\b[^.;]{{0,40}}?\b{SOURCE}\b",
    rf"\b(?:nothing|nobody)\b(?:\s+\w+){{0,2}}?\s+(?:is|was)\s+(?:said|retrieved|found|known|{SAID})\b",
    rf"\bno\s+(?:[\w-]+\s+){{1,4}}?(?:is|are|was|were)\s+{ADVERB}{TOLD}\b(?!\s+with\b)[^.;]{{0,40}}?\b{GIVEN}\b",
    r"\bno\s+(?:[\w-]+\s+){1,4}?(?:could|can)\s+be\s+(?:found|located|retrieved)\b(?!\s+by\b)",
    rf"\b(?:no|neither|none\s+of|nothing\s+in)\s+(?:the\s+)?{FEW}{SOURCE}\b[^.;:,]{{0,80}}?\b{TELL}(?:e?s)?\b",
    rf"\bthere(?:\s+(?:is|are|was|were)|'s)(?:\s+no|(?:{NOT})\s+(?:any|enough))\s+{FEW}"
    r"(?:information|data|details?|mention|reference|indication\s+(?:in|of|whether))\b(?!\s+(?:to\s+(?:submit|"
    r"provide|give|fill)|fees?|charges?|costs?|protection|breach|requirements?|limit)\b)",
    rf"\bthere(?:\s+(?:is|was)|'s)\s+nothing\b[^.;]{{0,60}}?\b{SOURCE}\b|\bnothing\s+(?:in|from)\s+(?:what\s+i|my)\b",
    rf"\b(?:i|we)\b[^.;]{{0,60}}?\b(?:did{NOT}|{CANNOT})\s+(?:\w+ly\s+)?find\b",
    rf"\bno\s+{FEW}(?:information|details?|data|mention|answer|results?|documents?|passages?|"
    rf"reference)\b[^.;]{{0,60}}?"
    rf"\b(?:(?:{TOLD}|retrieved)\b{NO_RECIPIENT}|in\s+the\s+{FEW}{SOURCE})",
    r"\bno\s+(?:[\w-]+\s+){0,2}(?:figure|amount|date|number|value|reason|deadline|mention|reference)s?\s+(?:is|"
    r"are|was|were)\s+"
    rf"{ADVERB}(?:{SAID}|given|provided|disclosed|listed|found|made)\b",
    rf"(?:^\W*|\bthere\s+(?:is|was|are|were)\s*|\bwithout\s+|\bgiven\s+)(?:not\s+|n'?t\s+|"
    rf"no\s+)?(?:\w+\s+)?(?:enough|sufficient|adequate)\s+"
    rf"{FEW}{KNOWLEDGE}\b",
    rf"(?:\bno|\bnot|n't)\s+(?:\w+\s+){{0,3}}?(?:enough|sufficient|"
    rf"adequate)\s+{FEW}{KNOWLEDGE}\s+(?:[\w']+\s+){{0,2}}?to\s+{ADVERB}"
    rf"(?:{WORK_OUT}|provide|give|make)\b",
    r"\b(?:insufficient|lack\s+of|lacking)\s+(?:[\w-]+\s+){0,2}(?:information|data|context|"
    r"details?)\b(?!\s+(?:leads?|means?))",
)
_LOOK_UP = (
    r"(?:ask|check|consult|contact|speak|talk|refer|look|review|examine|access|obtain|analy[sz]e|see|visit|read|have|"
    r"know|find|get)"
)
_WOULD_HAVE_TO_BE_LOOKED_UP = (
    r"\b(?:i|we)(?:'d|\s+would)\s+(?:need|require)\s+(?:more|additional|further)\s+(?:\w+\s+)?(?:information|"
    r"details?|data|context)\b",
    rf"\b(?:more|additional|further)\s+(?:\w+\s+)?(?:information|details?|data|context)\s+(?:is|are|would\s+be)\s+"
    rf"(?:needed|required|necessary)\s+to\s+{ADVERB}(?:{WORK_OUT}|provide|give)\b",
    r"^(?!.{0,20}\bfor\s+(?:the\s+most|more|further)\b).*?"
    rf"\b(?:you|we|one|i)(?:'d|\s+would)\s+{ADVERB}(?:need|have)\s+to\s+{ADVERB}(?:ask|check\s+with|consult|"
    rf"refer\s+to)\b",
    rf"\bto\s+{ADVERB}(?:{WORK_OUT}|provide|give|obtain|get|learn|understand)\b[^.;]{{0,300}}?,\s*(?:you|we|one|i)"
    rf"(?:'d|\s+would)\s+{ADVERB}(?:need|have)\s+to\s+{ADVERB}{_LOOK_UP}\b",
    rf"\bto\s+{ADVERB}(?:{WORK_OUT}|provide|give|obtain|get|learn|understand)\b[^.;]{{0,300}}?,\s*(?:you|we|one|i)"
    rf"(?:'d|\s+would)\s+{ADVERB}(?:need|require)\s+(?!to\b)",
    r"\bif\s+you\s+(?:can|could|would)?\s*(?:provide|share|supply)\b[^.;]{1,150}?,?\s+i\s*(?:can|could|would|will|"
    r"'ll|'d)\b",
)
"""Phrases for what "would" have to be done in order to know, so that the speaker does not know."""

DECLINES = SignedPattern(
    LatePattern(
        "|".join(
            (
                *_SPEAKER_CANNOT,
                *_SPEAKER_WILL_NOT,
                *_SOURCE_IS_SILENT,
                *_NOT_IN_THE_SOURCE,
                *_THERE_IS_NOTHING,
                *_NOBODY_CAN,
                *_WOULD_HAVE_TO_BE_LOOKED_UP,
            )
        )
    ),
    ENGLISH_SIGNS,
)
UNABLE = LatePattern("|".join((*_SPEAKER_CANNOT, *_SPEAKER_WILL_NOT, *_NOBODY_CAN)))
"""Withdraws what was said before; that a source is silent only limits it."""
ALONE = re.compile(
    r"\W*(?:answer:\s*)?(?:n/a|unknown(?:\s+from\b.{0,40})?|unanswerable|(?:i\s+have\s+)?no\s+(?:idea|clue|"
    r"comment|answer)|none\s+found|"
    r"do(?:\s+not|n'?t)\s+know|i'm\s+(?:really\s+)?(?:not\s+sure|sorry)|"
    rf"(?:the\s+)?(?:answer\s+)?(?:is\s+|was\s+)?not\s+(?:{TOLD}|in\s+the\s+{SOURCE}|applicable|known|sure)"
    r"(?:\s+(?:in|by|within)\b.{0,60})?|"
    rf"not\s+(?:that\s+i\s+can|in\s+{FEW}{GIVEN})\b.{{0,40}}|unfortunately\s+not\s+{TOLD}|"
    rf"no\s+(?:relevant\s+|such\s+)?(?:{KNOWLEDGE}|results?|documents?|passages?)(?:\s+(?:was|were|is|are))?"
    rf"(?:\s+(?:{TOLD}|retrieved|(?:on|about|regarding)\b.{{0,80}}))?)(?:\W+sorry)?\W*"
)
