"""The wordings by which English answers decline, refer elsewhere or answer in spite of that, in lower case.

Who declines decides what counts: of the speaker ("I"), "cannot" does; of a document, "does not say" does; of anybody
else neither does, since that a company did not do something, or that a rule does not allow it, is an answer.
"""

from __future__ import annotations

import re

# Nouns
_GIVEN = (
    r"(?:contexts?|texts?|passages?|documents?|documentation|information|(?<!personal\s)(?<!customer\s)data|details|"
    r"excerpts?|extracts?|sources?|articles?|materials?|snippets?|handbook|manual|knowledge base|database|"
    r"search results?|evidence|data\s?set|corpus)"
)
"""What a retriever hands over; not the data that a bank keeps about somebody."""
_RECORD = (
    r"(?:statements?|filings?|reports?|10-[kq]|exhibits?|records?|tables?|pages?|sections?|contents?|brochure|guide|"
    r"website|faqs?|notes?|chapters?|paragraphs?|transcript|minutes)"
)
"""What the question itself may be about, so that "the report does not include a penalty" is an answer."""
_RULES = r"(?:polic(?:y|ies)|terms|conditions|agreements?|contracts?|clauses?|rules|regulations?|price\s+list|schedule)"
"""What grants and demands, so that of "does not provide for", "cover" and "allow" none is about what it says."""
_SOURCE = rf"(?:{_GIVEN}|{_RECORD})"
_KNOWLEDGE = r"(?:information|data|details?|mention|context|figures?|facts?|knowledge|answers?|evidence|records?)"
_SPEAKER = r"(?:\bi|\bthis\s+(?:assistant|chatbot|bot|system|model|tool)|\b(?:assistant|language\s+model)\s+and)"
_QUESTION_WORD = r"(?:whether|if|what|who|whose|when|where|why|how|which)"

# Verbs
_SAY = (
    r"(?:mention|specify|state|reveal|indicate|clarify|say|explain|tell|spell\s+out|elaborate|go\s+into|touch\s+(?:up)?on|"
    r"talk\s+about|comment\s+on)"
)
"""Only what is written or spoken says, so that a rule that does not say is silent."""
_TELL_ANYTHING = rf"(?:{_SAY}|disclose|provide|address|discuss)"
_TELL = (
    rf"(?:{_TELL_ANYTHING}|contain|include|give(?!\s+[^.;,]{{1,40}}\b(?:right|permission)\b)|have(?!\s+to\b)|offer|list|cover|"
    r"detail|show|present|break|report|answer|describe|refer|(?:allow|permit)(?:\s+(?:us|me|one|for)\b|\s+an?\b|\s+the\b))"
)
_SAID = r"(?:stated|specified|mentioned|indicated|spelled\s+out)"
_TOLD = (
    rf"(?:{_SAID}|provided|available|given|included|disclosed|found|listed|present|contained|"
    r"detailed|covered|shown|discussed|addressed|accessible)"
)
_REASON_OUT = (
    r"(?:determine|calculate|compute|answer|assess|conclude|ascertain|evaluate|infer|say|tell|state|derive|know|"
    r"predict|forecast|foresee|speculate|guess|judge|work\s+out|figure\s+out|estimate)"
)
_MAKE_SURE = r"(?:find|locate|identify|confirm|verify|establish)"
"""What people also do in the world ("verify a customer's identity"), so that it takes "whether" or a source."""
_WORK_OUT = rf"(?:{_REASON_OUT}|{_MAKE_SURE})"
_WORKED_OUT = (
    r"(?:determined|calculated|computed|answered|concluded|ascertained|evaluated|inferred|derived|worked\s+out|"
    r"figured\s+out)"
)
_SEEN = r"(?:confirmed|verified|identified|found|located|assessed|established|provided)"
_HAND_OVER = (
    r"(?:provide|give|offer|see|access|help|assist|comment|comply|fulfil+|respond|share|discuss|recall|support|advise|"
    r"recommend|speak)"
)
_EXACT = r"(?:accurate|exact|precise|specific|definit(?:e|ive)|requested|real-time|up-to-date|current)"
_FEW = r"(?:[\w'-]+\s+){0,4}"
_ADVERB = r"(?:\w+ly\s+)?"
_NOT = r"(?:\s+not|n'?t)"
_HEDGED = r"\s+(?:\w+ly\s+)?(?:(?:seem|appear)\s+to\s+)?(?:\w+ly\s+)?"
_REPORTS = r"(?:says?|states?|mentions?|notes?|shows?|confirms?|explains?|stipulates?|makes?\s+clear)"
_ON_TO_VERB = (
    rf"(?:(?:(?!\b{_REPORTS}\b)[^.;:,]){{0,150}}?|[^.;:]{{0,250}}?\b(?:but|and|nor|which|that)\s+(?:(?:it|they)\s+)?)"
)
"""From the source to its own verb: what it "says the bank does not do" it does say."""
_CANNOT = r"(?:cannot|can\s+not|can't|could\s+not|couldn't)"
_START = r"^\W*(?:answer:\s*)?(?:(?:sorry|unfortunately|apologies|honestly|no)\b\W+)?"
_ENDS = rf"(?=\W*$|\s*[,;]|\s+(?:{_QUESTION_WORD}|in|from|by|within|anywhere|here)\b)"
_NO_RECIPIENT = r"(?!\s+(?:to\s+(?!me\b|us\b|answer\b|determine\b|calculate\b|compute\b)|without\b|unless\b))"
"""Information not given "to third parties" or "without consent" is withheld by somebody; it is not missing."""

_OPINION = (
    r"(?!\s+(?:\w+ly\s+)?(?:think|believe|recommend|suggest|advise|expect|doubt|mean|mind|agree|object|want|need)\b)"
)
_SPEAKER_CANNOT = (
    # An assistant is no party to the facts that it reports: what it denies of itself, other than opinions, is its ability
    rf"\b(?:i|this\s+(?:assistant|chatbot|bot|system|model|tool)|(?:assistant|model)\s+and)\s+(?:\w+ly\s+|still\s+|also\s+)?"
    rf"(?:{_CANNOT}|(?:(?:am|was|have|had|will|do|does|did)(?:\s+\w+ly)?(?:\s+not|n't|\s+never)|dont|won't){_OPINION})",
    r"\bi(?:'m|'ve|'d|'ll)\s+(?:\w+ly\s+)?(?:not|never|unable|unaware|(?:rather|prefer)\s+not)\b",
    r"\bi\s+(?:\w+ly\s+|still\s+)?(?:lack|decline|refuse|must\s+decline|have\s+to\s+decline|would\s+(?:rather|prefer)\s+not|"
    r"ha(?:ve|d)\s+no(?!\s+(?:objection|doubt|problem))|(?:could\s+|can\s+)?(?:found|find|see|saw|know(?:\s+of)?)\s+(?:no|nothing)|"
    r"only\s+(?:know|have)|can\s+only\s+(?:answer|help|assist|discuss|talk|respond)|(?:am|was)\s+(?:unable|unaware|only))\b",
    r"\bi'm\s+only\s+(?:trained|designed|able|allowed|meant|here)\b",
    rf"{_START}(?:{_CANNOT}|unable\s+to|not\s+able\s+to)\s+{_ADVERB}(?:{_WORK_OUT}|help|assist|comment|provide)\b",
    rf"\bwe\s+{_ADVERB}{_CANNOT}\s+{_ADVERB}(?:{_REASON_OUT}\b|{_MAKE_SURE}\s+(?:the|this|that|{_QUESTION_WORD})\b|"
    r"(?:complete|perform)\s+(?:the|this|that|such)\b|provide\s+the\s+(?:requested|exact|specific)\b)",
    rf"\b(?:we\s+are|we're|we\s+were)\s+{_ADVERB}(?:unable|not\s+able)\s+to\s+{_ADVERB}"
    rf"(?:{_WORK_OUT}|(?:provide|give|offer)\s+{_FEW}{_KNOWLEDGE})\b",
    rf"\bwe\s+{_ADVERB}(?:(?:do|did){_NOT}\s+{_ADVERB}have|have\s+no)\s+{_FEW}(?:access|enough|sufficient|ability|{_KNOWLEDGE})\b",
    rf"n(?:'|o)?t\s+something\s+(?:that\s+)?(?:i|we|(?:the\s+)?{_GIVEN})\b",
    r"\bmy\s+(?:\w+\s+)?(?:knowledge|training|ability|capabilit\w+|data|information|sources?|documents?|records?)\b[^.;]{0,40}?"
    r"\b(?:ends?|ended|stops?|only|limited|last\s+updated|nothing|do\s+not|don't|does\s+not|doesn't)\b",
    rf"\b(?:outside|beyond|exceeds?)\s+(?:of\s+)?(?:what\s+(?:i|(?:the\s+)?{_GIVEN})\b|my\b|the\s+scope\s+of\s+(?:what\s+i\b|my\b|"
    rf"(?:(?:the|these|this)\s+)?{_FEW}{_SOURCE}\b))",
    r"\b(?:question|request|query|topic|inquiry)\b[^.;]{0,60}?\b(?:outside|beyond|out\s+of\s+scope)\b",
    rf"\bonly\s+(?:an?|the|your)\s+[^.;,]{{1,40}}?\b(?:can|could)\s+(?:answer|say|tell|determine)\b",
)
_NOBODY_CAN = (
    rf"\b(?:not\s+{_ADVERB}possible|impossible|hard|difficult|no\s+way)\s+(?:for\s+(?:me|us)\s+)?(?:to\s+{_ADVERB}{_REASON_OUT}\b|"
    rf"of\s+(?:knowing|telling|determining)\b|to\s+{_ADVERB}(?:provide|give|offer)\s+(?:an?|the|any)\s+{_EXACT}\b|to\s+{_ADVERB}(?:draw|provide|give|offer)\s+{_FEW}"
    rf"(?:conclusions?|{_KNOWLEDGE})\b|to\s+{_ADVERB}{_MAKE_SURE}\s+(?:{_QUESTION_WORD}\b|the\s+{_FEW}"
    rf"(?:{_KNOWLEDGE}|amount|number|ratio|value)\b|[^.;]{{1,80}}\b(?:from|without|based\s+on)\s+{_FEW}{_SOURCE}\b))",
    rf"\b{_CANNOT}\s+be\s+{_ADVERB}{_WORKED_OUT}\b(?!\s+that\b)(?![^.;]*\b(?:until|before)\b)",
    rf"\b{_CANNOT}\s+be\s+{_ADVERB}{_SEEN}\b[^.;]{{0,40}}?\b(?:from|with|in|on|by|without)\s+{_FEW}{_SOURCE}\b",
    rf"\b(?:based\s+on|from|with|given|without)\s+{_FEW}{_SOURCE}\b[^.;]{{0,80}}?\b{_CANNOT}\s+be\s+{_ADVERB}{_SEEN}\b",
)
_NEGATED = r"(?:(?:do|does|did|is|are|was|were|has|have|could|can)(?:\s+not|n'?t)|cannot|never)"
_SHOWN = r"(?:provided|given|retrieved|supplied|available|above|shared|excerpted|returned)"
_PASSAGE = (
    rf"(?:(?<!in\sthis\s)(?<!in\sthat\s)(?:contexts?|passages?|excerpts?|extracts?|snippets?|search\s+results?|knowledge\s+base)|"
    rf"{_SHOWN}\s+(?:[\w-]+\s+)?{_SOURCE}|{_SOURCE}\s+(?:that\s+)?(?:{_SHOWN}|(?:you|i)(?:\s+have|'ve|\s+was)?(?:\s+{_SHOWN})?))"
)
"""What can only be what was retrieved, so that whatever it does not do it fails to do for the reader."""
_SOURCE_IS_SILENT = (
    rf"\b{_PASSAGE}\s+(?:\w+ly\s+|also\s+|here\s+|itself\s+|{_SHOWN}\s+){{0,2}}?{_NEGATED}\b",
    rf"\b{_PASSAGE}\s+(?:\w+\s+)?(?:(?:is|are)\s+(?:unrelated|irrelevant|insufficient|silent|unclear)|ha(?:s|ve)\s+no|"
    r"offers?\s+no|gives?\s+no|provides?\s+no|contains?\s+no|includes?\s+no|makes?\s+no)\b",
    rf"\b(?:{_SOURCE}|{_RULES})\s+never\s+(?:mention|specif|stat|say|explain|tell|disclos|address|discuss)\w*",
    rf"\b(?:nowhere|at\s+no\s+point)\b[^.;]{{0,80}}?\b(?:{_SOURCE}|{_SAID}|{_SAY})\b",
    rf"\b(?:it|they)\s+(?:do|does|did){_NOT}{_HEDGED}(?:say|specify|state|mention|clarify)\b",
    rf"\b(?:none|nothing|neither|nobody|no\s*-?one)\b[^.;,]{{0,60}}?\b(?:{_TOLD}|said|know|tell|say)\b[^.;]{{0,40}}?\b{_SOURCE}\b",
    rf"\b(?:nothing|nobody)\b(?:\s+\w+){{0,2}}?\s+(?:is|was)\s+(?:said|retrieved|found|known|{_SAID})\b",
    rf"\bno\s+(?:[\w-]+\s+){{1,4}}?(?:is|are|was|were)\s+{_ADVERB}{_TOLD}\b(?!\s+with\b)[^.;]{{0,40}}?\b{_GIVEN}\b",
    r"\bno\s+(?:[\w-]+\s+){1,4}?(?:could|can)\s+be\s+(?:found|located|retrieved)\b(?!\s+by\b)",
    rf"\b(?:does|do|did){_NOT}\s+(?:appear|occur|feature)\s+(?:anywhere\s+)?in\s+{_FEW}{_GIVEN}\b",
    rf"\b(?:necessary|required|relevant|requested|needed)\s+{_FEW}(?:{_KNOWLEDGE}|sections?|pages?)\s+(?:is|are|was|were)\s+"
    r"(?:missing|unavailable|absent|lacking)\b",
    r"\b(?:remains?|answer\s+is)\s+(?:unclear|unknown|unspecified|unanswered)\b",
    rf"\b{_SOURCE}\b[^.;:,]{{0,40}}?\b(?:is|are)(?:{_NOT})\s+{_ADVERB}(?:clear|explicit)\b",
    rf"\bi\s+(?:do|did){_NOT}\s+(?:think|believe)\b[^.;]{{0,40}}?\b{_GIVEN}\b[^.;]{{0,40}}?\b{_TELL}",
    rf"\b{_GIVEN}\b{_ON_TO_VERB}(?:does|do|did){_NOT}{_HEDGED}{_TELL}",
    rf"\b{_RECORD}\b{_ON_TO_VERB}(?:does|do|did){_NOT}{_HEDGED}"
    rf"(?:{_TELL_ANYTHING}\b|{_TELL}\s+{_FEW}(?:any|{_KNOWLEDGE})\b)",
    rf"\b{_RULES}\b{_ON_TO_VERB}(?:does|do|did){_NOT}{_HEDGED}{_SAY}\b",
    rf"\b(?:according\s+to|based\s+on|in|from)\s+{_FEW}{_SOURCE}\b[^.;]{{0,60}}?,[^.;:]{{1,80}}?\bdoes{_NOT}{_HEDGED}"
    r"(?:specify|state|indicate|clarify|say)\b",
    rf"\b(?:no|neither|none\s+of|nothing\s+in)\s+(?:the\s+)?{_FEW}{_SOURCE}\b[^.;:,]{{0,80}}?\b{_TELL}(?:e?s)?\b",
    rf"\b(?:{_SOURCE}|{_RULES})\b[^.;:,]{{0,80}}?"
    r"\b(?:(?:says?|makes?|gives?|contains?|has|have|offers?|provides?|includes?)\s+"
    r"(?:nothing|no\s+(?:[\w-]+\s+){0,2}(?:mention|information|details?|reference|answer|insight|entry|indication|guidance))|"
    r"(?:is|are)\s+(?:silent|insufficient)|fails?\s+to\s+(?:mention|say|state|specify|provide|address)|"
    r"leaves?\s+(?:\w+\s+){0,2}(?:open|unclear|unanswered|unsaid))\b",
    rf"\b{_GIVEN}\b[^.;:,]{{0,40}}?\b(?:lacks?|omits?)\b",
    rf"\bthere(?:\s+(?:is|are|was|were)|'s)(?:\s+no|(?:{_NOT})\s+(?:any|enough))\s+{_FEW}"
    r"(?:information|data|details?|mention|reference|indication\s+(?:in|of|whether))\b(?!\s+(?:to\s+(?:submit|provide|give|fill)|fees?|charges?|costs?|protection|breach|requirements?|limit)\b)",
    rf"\bthere(?:\s+(?:is|was)|'s)\s+nothing\b[^.;]{{0,60}}?\b{_SOURCE}\b|\bnothing\s+(?:in|from)\s+(?:what\s+i|my)\b",
    rf"\b(?:i|we)\b[^.;]{{0,60}}?\b(?:did{_NOT}|{_CANNOT})\s+(?:\w+ly\s+)?find\b",
    rf"\bno\s+{_FEW}(?:information|details?|data|mention|answer|results?|documents?|passages?|reference)\b[^.;]{{0,60}}?"
    rf"\b(?:(?:{_TOLD}|retrieved)\b{_NO_RECIPIENT}|in\s+the\s+{_FEW}{_SOURCE})",
    r"\bno\s+(?:[\w-]+\s+){0,2}(?:figure|amount|date|number|value|reason|deadline|mention|reference)s?\s+(?:is|are|was|were)\s+"
    rf"{_ADVERB}(?:{_SAID}|given|provided|disclosed|listed|found|made)\b",
    rf"\bit(?:\s+(?:is|was)|'s)(?:{_NOT})\s+{_ADVERB}(?:{_SAID}|given|said|disclosed|explained|defined|known|clear){_ENDS}",
    rf"\bit(?:'s|\s+is|\s+was|\s+remains)\s+{_ADVERB}(?:unclear|unknown|uncertain|unspecified)\s+(?:from\b|{_QUESTION_WORD}\b)",
    rf"\b(?:is|are|was|were)(?:{_NOT})\s+{_ADVERB}{_SAID}{_ENDS}",
    rf"\b(?:is|are|was|were)(?:{_NOT})\s+{_ADVERB}{_TOLD}\b(?!\s+with\b)[^.;]{{0,60}}?\b{_SOURCE}\b",
    rf"\b{_SOURCE}\b[^.;:]{{0,100}}?\b(?:is|are|was|were)(?:{_NOT})\s+(?:\w+ly\s+|yet\s+)?"
    rf"(?:{_TOLD}(?=\W*$|,|\s+(?:for|here|yet|as|at|because|since|so|and|to\s+(?:me|us))\b)|"
    r"sufficient|enough)",
    rf"\b(?:unknown|{_NOT}\s+(?:\w+ly\s+|yet\s+)?(?:available|accessible|known|visible))\s+to\s+me\b",
    r"(?:\bnot?|n't)\b[^.;,]{0,40}?\bin\s+my\s+(?:database|records|knowledge|training)\b",
    rf"\b(?:is|are|was|were)(?:{_NOT})\s+(?:\w+\s+)?(?:part\s+of|among|contained\s+in|included\s+in|in|within)\s+{_FEW}{_GIVEN}\b",
    rf"\b(?:missing|absent|omitted)\s+from\s+{_FEW}{_GIVEN}\b",
    r"\bas\s+of\s+(?:my|the|this|our)\s+(?:last|latest|current|knowledge|training)\b[^.;]{0,150}?"
    rf"\b(?:has|have|had|is|are|was|were){_NOT}\s+(?:yet\s+|been\s+|{_ADVERB})*(?:available|released|published|reported|known)\b",
    rf"\b(?:has|have|had|is|are|was|were){_NOT}\s+(?:yet\s+|been\s+|{_ADVERB})*(?:available|released|published|reported|known)\b"
    r"[^.;]{0,40}?\bas\s+of\s+(?:my|now)\b",
    rf"(?:^\W*|\bthere\s+(?:is|was|are|were)\s*|\bwithout\s+|\bgiven\s+)(?:not\s+|n'?t\s+|no\s+)?(?:\w+\s+)?(?:enough|sufficient|adequate)\s+"
    rf"{_FEW}{_KNOWLEDGE}\b",
    rf"(?:\bno|\bnot|n't)\s+(?:\w+\s+){{0,3}}?(?:enough|sufficient|adequate)\s+{_FEW}{_KNOWLEDGE}\s+(?:[\w']+\s+){{0,2}}?to\s+{_ADVERB}"
    rf"(?:{_WORK_OUT}|provide|give|make)\b",
    r"\bthe\s+answer\b[^.;]{0,40}?\b(?:is|was)(?:\s+not|n't)\s+(?:there|here)\b",
    rf"\b(?:one|you|nobody)\s+(?:{_CANNOT}|can)\s+(?:tell|say|know|determine|see)\b[^.;]{{0,20}}?\bfrom\s+{_FEW}{_SOURCE}\b",
    r"\b(?:insufficient|lack\s+of|lacking)\s+(?:[\w-]+\s+){0,2}(?:information|data|context|details?)\b(?!\s+(?:leads?|means?))",
    rf"\byou\s+(?:have|did){_NOT}\s+{_ADVERB}(?:provided?|given?|shared?|included?|specif\w+)\b(?!\s+your\b)",
)
_LOOK_UP = (
    r"(?:ask|check|consult|contact|speak|talk|refer|look|review|examine|access|obtain|analy[sz]e|see|visit|read|have|"
    r"know|find|get)"
)
_WOULD_HAVE_TO_BE_LOOKED_UP = (
    r"\b(?:i|we)(?:'d|\s+would)\s+(?:need|require)\s+(?:more|additional|further)\s+(?:\w+\s+)?(?:information|details?|data|context)\b",
    rf"\b(?:more|additional|further)\s+(?:\w+\s+)?(?:information|details?|data|context)\s+(?:is|are|would\s+be)\s+"
    rf"(?:needed|required|necessary)\s+to\s+{_ADVERB}(?:{_WORK_OUT}|provide|give)\b",
    r"^(?!.{0,20}\bfor\s+(?:the\s+most|more|further)\b).*?"
    rf"\b(?:you|we|one|i)(?:'d|\s+would)\s+{_ADVERB}(?:need|have)\s+to\s+{_ADVERB}(?:ask|check\s+with|consult|refer\s+to)\b",
    rf"\bto\s+{_ADVERB}(?:{_WORK_OUT}|provide|give|obtain|get|learn|understand)\b[^.;]{{0,300}}?,\s*(?:you|we|one|i)"
    rf"(?:'d|\s+would)\s+{_ADVERB}(?:need|have)\s+to\s+{_ADVERB}{_LOOK_UP}\b",
    rf"\bto\s+{_ADVERB}(?:{_WORK_OUT}|provide|give|obtain|get|learn|understand)\b[^.;]{{0,300}}?,\s*(?:you|we|one|i)"
    rf"(?:'d|\s+would)\s+{_ADVERB}(?:need|require)\s+(?!to\b)",
    r"\bif\s+you\s+(?:can|could|would)?\s*(?:provide|share|supply)\b[^.;]{1,150}?,?\s+i\s*(?:can|could|would|will|'ll|'d)\b",
)
"""What "would" have to be done in order to know has not been done: the speaker does not know."""

DECLINES = re.compile("|".join((*_SPEAKER_CANNOT, *_SOURCE_IS_SILENT, *_NOBODY_CAN, *_WOULD_HAVE_TO_BE_LOOKED_UP)))
UNABLE = re.compile("|".join((*_SPEAKER_CANNOT, *_NOBODY_CAN)))
"""Takes back what was said before; that a source is silent only limits it."""
ONLY_DETAILS = re.compile(
    rf"(?:{_CANNOT}|unable\s+to|not\s+possible\s+to|do{_NOT}\s+have)\s+(?:provide|give|offer)?\s*"
    r"(?:any\s+)?(?:(?:further|more|additional|exact|precise|specific)\s+(?:\w+\s+)?(?:details?|information|figures?|breakdown)|"
    r"(?:any\s+)?(?:details|specifics))\b"
)
ALONE = re.compile(
    r"\W*(?:answer:\s*)?(?:n/a|unknown(?:\s+from\b.{0,40})?|unanswerable|(?:i\s+have\s+)?no\s+(?:idea|clue|comment|answer)|none\s+found|"
    r"do(?:\s+not|n'?t)\s+know|i'm\s+(?:really\s+)?(?:not\s+sure|sorry)|"
    rf"(?:the\s+)?(?:answer\s+)?(?:is\s+|was\s+)?not\s+(?:{_TOLD}|in\s+the\s+{_SOURCE}|applicable|known|sure)"
    r"(?:\s+(?:in|by|within)\b.{0,60})?|"
    rf"not\s+(?:that\s+i\s+can|in\s+{_FEW}{_GIVEN})\b.{{0,40}}|unfortunately\s+not\s+{_TOLD}|"
    rf"no\s+(?:relevant\s+|such\s+)?(?:{_KNOWLEDGE}|results?|documents?|passages?)(?:\s+(?:was|were|is|are))?"
    rf"(?:\s+(?:{_TOLD}|retrieved|(?:on|about|regarding)\b.{{0,80}}))?)(?:\W+sorry)?\W*"
)
CONDITION = re.compile(
    r"\b(?:says?|states?|makes?\s+clear|stipulates?)\s+that\b[^,;]*$|\b(?:says?|repl(?:y|ies)|answers?)\s*[,:]?\s*[\"“':][^\"”]*$|"
    r"\b(?:if|when|unless|until|should)\b[^,;]*$|^\W*(?:where|in\s+case|as\s+long\s+as)\b[^,;]*$"
)
"""What is said on a condition, or reported as said, is not said."""
CONCEDES = re.compile(r"\W*(?:although|while|though|even\s+though|despite|whereas)\b")
TURN = re.compile(r"[,;:–—-]\s*(?:but|however|although|though|yet|nevertheless|nonetheless|still)\b,?\s*")
LIMITS = re.compile(r"[,;:–—]?\s+(?:although|though|even\s+though|albeit)\b|;|,\s*but\b")
CONTRAST = re.compile(
    r"\W*(?:however|but|nevertheless|nonetheless|that\s+said|still|instead|yet|on\s+the\s+other\s+hand)\b"
)
FINDS = re.compile(
    rf"\b(?:{_SOURCE}|it|they|there)\s+(?:\w+\s+){{0,3}}?(?:do(?:es)?\s+)?"
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
    r"\bonce\s+you\b|\bif\s+you\b|\bto\s+(?:calculate|determine|find|answer|compute)\b[^.]*,\s*(?:you|we|one|i|the)\b|"
    r"\b(?:needed|necessary|required)\b|\bas\s+an?\s+ai\b|\bknowledge\s+cutoff\b|"
    r"\bas\s+of\s+my\s+(?:last|latest|current|knowledge|training)\b|\bbest\s+to\b|\bi'd\s+refer\b|\b(?:advisable|advised)\b|\bbe\s+found\s+(?:in|on|at)\b|\bi(?:'d|\s+would)?\s+(?:suggest|advise)\b"
)
ASKS_ELSEWHERE = re.compile(
    r"\bplease\s+(?:\w+ly\s+)?(?:contact|consult|ask(?!\s+for)|check\s+with|speak|reach\s+out|refer|get\s+in\s+touch)\b|"
    r"\b(?:recommend|suggest|advise)\s+(?:that\s+)?(?:you\s+)?(?:to\s+)?(?:contact|consult|ask|check|speak|talk|refer)\w*\b|"
    r"\bbest\s+to\s+(?:contact|consult|ask|check|speak|talk|refer)\b|"
    r"\bi(?:'d|\s+would|\s+must)?\s+refer\s+you\s+to\b|\b(?:could|can|would)\s+you\s+(?:please\s+)?(?:clarify|rephrase|specify)\b|"
    r"\bplease\s+(?:clarify|rephrase|specify)\b|"
    r"\byou(?:'d|'ll|\s+would|\s+will)\s+(?:need|have)\s+to\s+(?:ask|consult|check\s+with|refer)\b|"
    r"\b(?:recommended|advisable|advised)\s+to\s+(?:contact|consult|ask|check|refer|review|look)\b|"
    r"\b(?:information|details|figures?|data|this)\s+(?:can|could|may|might|would|will)\s+(?:\w+ly\s+)?be\s+found\s+(?:in|on|at)\b|"
    r"\bplease\s+provide\s+(?:me\s+with\s+)?(?:the\s+)?(?:necessary|relevant|missing|required|additional|more)\b|"
    r"\byou\s+(?:should|could|may|might)\s+(?:contact|consult|ask|check\s+with|speak)\b"
)
"""Sends the reader to somebody else; an answer that does no more than that answers nothing."""
FOR_ACTION = re.compile(
    r"\bto\s+(?!(?:the|an?|your|our|my|us|them|its|their|his|her|this|that|these|customer|someone|somebody|find|get|learn|"
    rf"obtain|see|check|assist|help|ask|consult|contact|speak|talk|refer|{_WORK_OUT})\b)\w+|\b(?:if|when|once|before|within|at\s+once)\b|:\s*\w|\b(?:below|following)\b"
)
"""Going there to have something done is the answer to how it is done."""
EXPLAINS = re.compile(
    r"\b(?:typically|generally|in\s+general|usually|refers?\s+to|defined\s+as|(?:is|are)\s+calculated|"
    r"is\s+an?\s+(?:\w+\s+)?(?:measure|metric|indicator|key|useful|important)|also\s+known\s+as|formula|ratio\s*=|for\s+example|hypothetical)|"
    rf"\b{_SOURCE}\b[^.;]{{0,80}}\b(?:only|pertains?|discuss(?:es)?|focus(?:es)?|relate[sd]?\s+to|"
    r"(?:is|are)\s+about|unspecified|unnamed)\b|"
    r"\bthe\s+latest\b[^.;]*\bavailable\b|\b(?:sorry|apologi[sz]e|thank)\b"
)
ANSWER_IS = re.compile(r"\bthe\s+answer\b[^.]{0,80}?\b(?:is|would\s+be)\b")
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
