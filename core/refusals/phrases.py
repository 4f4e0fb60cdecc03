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
    r"search results?|evidence)"
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
_FEW = r"(?:[\w'-]+\s+){0,4}"
_ADVERB = r"(?:\w+ly\s+)?"
_NOT = r"(?:\s+not|n'?t)"
_HEDGED = r"\s+(?:\w+ly\s+)?(?:(?:seem|appear)\s+to\s+)?(?:\w+ly\s+)?"
_ON_TO_VERB = r"[^.;:,]{0,150}?(?:,[^.;:]{0,150}?\b(?:but|and|nor|which|that)\s+)?"
_CANNOT = r"(?:cannot|can\s+not|can't|could\s+not|couldn't)"
_START = r"^\W*(?:answer:\s*)?(?:(?:sorry|unfortunately|apologies|no)\b\W+)?"
_ENDS = rf"(?=\W*$|\s*[,;]|\s+(?:{_QUESTION_WORD}|in|from|by|within|anywhere|here)\b)"
_NO_RECIPIENT = r"(?!\s+(?:to\s+(?!me\b|us\b|answer\b|determine\b|calculate\b|compute\b)|without\b|unless\b))"
"""Information not given "to third parties" or "without consent" is withheld by somebody; it is not missing."""

_SPEAKER_CANNOT = (
    rf"{_SPEAKER}\s+(?:\w+ly\s+|still\s+)?(?:{_CANNOT}|do{_NOT}|did{_NOT}|wo{_NOT}|will\s+not)\s+{_ADVERB}"
    rf"(?:{_WORK_OUT}|{_HAND_OVER})\b",
    rf"\bwe\s+{_ADVERB}{_CANNOT}\s+{_ADVERB}(?:{_REASON_OUT}\b|{_MAKE_SURE}\s+(?:the|this|that|{_QUESTION_WORD})\b|"
    r"(?:complete|perform)\s+(?:the|this|that|such)\b|provide\s+the\s+(?:requested|exact|specific)\b)",
    rf"{_START}(?:{_CANNOT}|unable\s+to|not\s+able\s+to)\s+{_ADVERB}(?:{_WORK_OUT}|help|assist|comment|provide)\b",
    r"\b(?:i\s+am|i'm|i\s+was)\s+(?:\w+ly\s+)?(?:unable|not\s+able)\s+to\s+",
    rf"\b(?:we\s+are|we're|we\s+were)\s+{_ADVERB}(?:unable|not\s+able)\s+to\s+{_ADVERB}"
    rf"(?:{_WORK_OUT}|(?:provide|give|offer)\s+{_FEW}{_KNOWLEDGE})\b",
    r"\b(?:i\s+am|i'm)\s+(?:\w+ly\s+)?(?:not\s+(?:permitted|allowed|authori[sz]ed|qualified|equipped|trained|designed|"
    r"programmed|capable|comfortable|at\s+liberty|in\s+a\s+position)|restricted\s+from)\b",
    rf"\b(?:i|we)\s+{_ADVERB}(?:do{_NOT}|did{_NOT})\s+{_ADVERB}have\s+{_FEW}"
    rf"(?:access|enough|sufficient|ability|{_KNOWLEDGE})\b",
    rf"\bi\s+{_ADVERB}do{_NOT}\s+{_ADVERB}have\s+(?:any\s+)?(?:real-time|live|current|up-to-date)\b",
    rf"\bi\s+(?:have\s+no|lack)\s+{_FEW}(?:access|way|idea|clue|{_KNOWLEDGE})\b",
    rf"\bi\s+(?:have|was){_NOT}\s+(?:been\s+)?(?:given|shown|told|supplied|provided|trained)\b",
    r"\bi(?:'m|\s+am)\s+(?:not\s+aware|unaware)\b|\bi\s+(?:will\s+not|won't)\s+be\s+able\b",
    r"\bi(?:'m|\s+am)\s+(?:\w+ly\s+)?not\s+(?:\w+ly\s+)?(?:sure|certain)\b",
    r"\b(?:i|we)\s+(?:must|have\s+to)\s+decline\b|\bi(?:'d|\s+would)\s+(?:rather|prefer)\s+not\b",
    r"\bnot\s+something\s+(?:that\s+)?(?:i|we)\s+(?:can|could|am|are|know|have)\b",
    r"\bi\s+can\s+only\s+(?:answer|help|assist|discuss|talk|respond)\b|"
    r"\bi(?:'m|\s+am|\s+was)\s+only\s+(?:trained|designed|able|allowed|meant|here)\b",
    r"\bmy\s+(?:knowledge|training|data|information)\b[^.;]{0,40}?\b(?:ends?|ended|stops?|only|limited|last\s+updated|"
    r"does\s+not|doesn't)\b",
    r"\b(?:outside|beyond)\s+(?:of\s+)?(?:what\s+i\b|my\b|the\s+scope\s+of\s+(?:what\s+i\b|my\b|"
    rf"(?:(?:the|these|this)\s+)?{_FEW}{_SOURCE}\b))",
    r"\b(?:question|request|query|topic|inquiry)\b[^.;]{0,60}?\b(?:outside|beyond|out\s+of\s+scope)\b",
)
_NOBODY_CAN = (
    rf"\b(?:not\s+{_ADVERB}possible|impossible|hard|difficult|no\s+way)\s+(?:to\s+{_ADVERB}{_REASON_OUT}\b|"
    rf"of\s+(?:knowing|telling|determining)\b|to\s+{_ADVERB}(?:draw|provide|give|offer)\s+{_FEW}"
    rf"(?:conclusions?|{_KNOWLEDGE})\b|to\s+{_ADVERB}{_MAKE_SURE}\s+(?:{_QUESTION_WORD}\b|the\s+{_FEW}"
    rf"(?:{_KNOWLEDGE}|amount|number|ratio|value)\b|[^.;]{{1,80}}\b(?:from|without|based\s+on)\s+{_FEW}{_SOURCE}\b))",
    rf"\b{_CANNOT}\s+be\s+{_ADVERB}{_WORKED_OUT}\b(?![^.;]*\b(?:until|before)\b)",
    rf"\b{_CANNOT}\s+be\s+{_ADVERB}{_SEEN}\b[^.;]{{0,40}}?\b(?:from|with|in|on|by|without)\s+{_FEW}{_SOURCE}\b",
    rf"\b(?:based\s+on|from|with|given|without)\s+{_FEW}{_SOURCE}\b[^.;]{{0,80}}?\b{_CANNOT}\s+be\s+{_ADVERB}{_SEEN}\b",
)
_SOURCE_IS_SILENT = (
    rf"\b{_GIVEN}\b{_ON_TO_VERB}(?:does|do|did){_NOT}{_HEDGED}{_TELL}",
    rf"\b{_RECORD}\b{_ON_TO_VERB}(?:does|do|did){_NOT}{_HEDGED}"
    rf"(?:{_TELL_ANYTHING}\b|{_TELL}\s+{_FEW}(?:any|{_KNOWLEDGE})\b)",
    rf"\b{_RULES}\b{_ON_TO_VERB}(?:does|do|did){_NOT}{_HEDGED}{_SAY}\b",
    rf"\b(?:according\s+to|based\s+on|in|from)\s+{_FEW}{_SOURCE}\b[^.;]{{0,60}}?,[^.;:]{{1,80}}?\bdoes{_NOT}{_HEDGED}"
    r"(?:specify|state|indicate|clarify|say)\b",
    rf"\b(?:although|while|though)\b[^.;:]*\b{_GIVEN}\b[^.;:]{{0,150}}?,\s+(?:it|they)\s+(?:do|does){_NOT}{_HEDGED}{_TELL}",
    rf"\b(?:neither|none\s+of|nothing\s+in)\s+(?:the\s+)?{_FEW}{_SOURCE}\b[^.;:,]{{0,80}}?\b{_TELL}",
    rf"\b(?:{_SOURCE}|{_RULES})\b[^.;:,]{{0,80}}?"
    r"\b(?:(?:says?|makes?|gives?|contains?|has|have)\s+(?:nothing|no\s+(?:mention|information|details?|reference))|"
    r"(?:is|are)\s+(?:silent|insufficient)|fails?\s+to\s+(?:mention|say|state|specify|provide|address)|"
    r"leaves?\s+(?:\w+\s+){0,2}(?:open|unclear|unanswered|unsaid))\b",
    rf"\b{_GIVEN}\b[^.;:,]{{0,40}}?\b(?:lacks?|omits?)\b",
    rf"\bthere(?:\s+(?:is|are|was|were)|'s)(?:\s+no|(?:{_NOT})\s+(?:any|enough))\s+{_FEW}"
    r"(?:information|data|details?|mention|reference)\b(?!\s+to\s+(?:submit|provide|give|fill))",
    rf"\bthere(?:\s+(?:is|was)|'s)\s+nothing\b[^.;]{{0,60}}?\b{_SOURCE}\b",
    r"\b(?:i|we)\s+(?:could\s+|can\s+)?(?:find|found|see|saw)\s+(?:nothing|no)\b|"
    rf"\b(?:i|we)\b[^.;]{{0,60}}?\b(?:did{_NOT}|{_CANNOT})\s+(?:\w+ly\s+)?find\b",
    rf"\bno\s+{_FEW}(?:information|details?|data|mention|answer|results?|documents?|passages?|reference)\b[^.;]{{0,60}}?"
    rf"\b(?:(?:{_TOLD}|retrieved)\b{_NO_RECIPIENT}|in\s+the\s+{_FEW}{_SOURCE})",
    r"\bno\s+(?:[\w-]+\s+){0,2}(?:figure|amount|date|number|value|reason|deadline|mention|reference)s?\s+(?:is|are|was|were)\s+"
    rf"{_ADVERB}(?:{_SAID}|given|provided|disclosed|listed|found|made)\b",
    rf"\bit(?:\s+(?:is|was)|'s)(?:{_NOT})\s+{_ADVERB}(?:{_SAID}|given|said|disclosed|explained|defined|known|clear){_ENDS}",
    rf"\bit(?:'s|\s+is|\s+was|\s+remains)\s+{_ADVERB}(?:unclear|unknown|uncertain|unspecified)\s+(?:from\b|{_QUESTION_WORD}\b)",
    rf"\b(?:is|are|was|were)(?:{_NOT})\s+{_ADVERB}{_SAID}{_ENDS}",
    rf"\b(?:is|are|was|were)(?:{_NOT})\s+{_ADVERB}{_TOLD}\b[^.;]{{0,60}}?\b{_SOURCE}\b",
    rf"\b{_SOURCE}\b[^.;:]{{0,100}}?\b(?:is|are|was|were)(?:{_NOT})\s+(?:\w+ly\s+|yet\s+)?"
    rf"(?:{_TOLD}(?=\W*$|,|\s+(?:in|within|by|for|here|yet|as|at|because|since|so|and|to\s+(?:me|us))\b)|"
    r"sufficient|enough)",
    rf"\b(?:is|are|was|were)(?:{_NOT})\s+(?:\w+ly\s+|yet\s+)?(?:available|accessible|known)\s+to\s+me\b",
    rf"\b(?:is|are|was|were)(?:{_NOT})\s+(?:\w+\s+)?(?:part\s+of|among|contained\s+in|included\s+in)\s+{_FEW}{_GIVEN}\b",
    rf"\b(?:missing|absent|omitted)\s+from\s+{_FEW}{_GIVEN}\b",
    r"\bas\s+of\s+(?:my|the|this|our)\s+(?:last|latest|current|knowledge|training)\b[^.;]{0,150}?"
    rf"\b(?:has|have|had|is|are|was|were){_NOT}\s+(?:yet\s+|been\s+|{_ADVERB})*(?:available|released|published|reported|known)\b",
    rf"\b(?:has|have|had|is|are|was|were){_NOT}\s+(?:yet\s+|been\s+|{_ADVERB})*(?:available|released|published|reported|known)\b"
    r"[^.;]{0,40}?\bas\s+of\s+(?:my|now)\b",
    r"\b(?:no|not|n't|without)\s+(?:\w+\s+)?(?:enough|sufficient|adequate)\s+(?!evidence\s+of\b)"
    rf"{_FEW}{_KNOWLEDGE}"
    r"(?!\s+of\s+identity)",
    r"\b(?:insufficient|lack\s+of|lacking)\s+(?:[\w-]+\s+){0,2}(?:information|data|context|details?)\b",
    rf"\b(?:no|not\s+any)\s+{_FEW}(?:evidence|indication)\b[^.;]{{0,40}}\bwhether\b",
    rf"\byou\s+(?:have|did){_NOT}\s+{_ADVERB}(?:provided?|given?|shared?|included?|specif\w+)\b(?!\s+your\b)",
)
_LOOK_UP = (
    r"(?:ask|check|consult|contact|speak|talk|refer|look|review|examine|access|obtain|analy[sz]e|see|visit|read|have|"
    r"know|find|get)"
)
_WOULD_HAVE_TO_BE_LOOKED_UP = (
    r"^(?!.{0,20}\bfor\s+(?:the\s+most|more|further)\b).*?"
    rf"\b(?:you|we|one|i)(?:'d|\s+would)\s+{_ADVERB}(?:need|have)\s+to\s+{_ADVERB}(?:ask|check\s+with|consult|refer\s+to)\b",
    rf"\bto\s+{_ADVERB}(?:{_WORK_OUT}|provide|give|obtain|get|learn|understand)\b[^.;]{{0,300}}?,\s*(?:you|we|one|i)"
    rf"(?:'d|\s+would)\s+{_ADVERB}(?:need|have)\s+to\s+{_ADVERB}{_LOOK_UP}\b",
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
    r"\W*(?:answer:\s*)?(?:n/a|unknown|unanswerable|(?:i\s+have\s+)?no\s+(?:idea|clue|comment|answer)|none\s+found|"
    r"do(?:\s+not|n'?t)\s+know|i'm\s+(?:really\s+)?(?:not\s+sure|sorry)|"
    rf"(?:the\s+)?(?:answer\s+)?(?:is\s+|was\s+)?not\s+(?:{_TOLD}|in\s+the\s+{_SOURCE}|applicable|known|sure)"
    r"(?:\s+(?:in|by|within)\b.{0,60})?|"
    rf"no\s+(?:relevant\s+|such\s+)?(?:{_KNOWLEDGE}|results?|documents?|passages?)(?:\s+(?:was|were|is|are))?"
    rf"(?:\s+{_TOLD})?)(?:\W+sorry)?\W*"
)
CONDITION = re.compile(r"\b(?:if|when|unless|until|should)\b[^,;]*$|^\W*(?:where|in\s+case|as\s+long\s+as)\b[^,;]*$")
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
    r"\bas\s+of\s+my\s+(?:last|latest|current|knowledge|training)\b|\bbest\s+to\b|\bi(?:'d|\s+would)?\s+(?:suggest|advise)\b"
)
ASKS_ELSEWHERE = re.compile(
    r"\bplease\s+(?:\w+ly\s+)?(?:contact|consult|ask|check\s+with|speak|reach\s+out|refer|get\s+in\s+touch)\b|"
    r"\b(?:recommend|suggest|advise)\s+(?:that\s+)?(?:you\s+)?(?:to\s+)?(?:contact|consult|ask|check|speak|talk|refer)\w*\b|"
    r"\bbest\s+to\s+(?:contact|consult|ask|check|speak|talk|refer)\b|"
    r"\byou(?:'d|\s+would)\s+(?:need|have)\s+to\s+(?:ask|consult|check\s+with|refer)\b|"
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
SUPPOSES = re.compile(r"\b(?:for\s+example|for\s+instance|hypothetical|suppose|let's\s+say)\b")
QUANTITY = re.compile(
    r"[$€£]\s?\d|\d\s?%|\d\.\d|\d,\d{3}|\d\s+(?:thousand|million|billion|percent|days|times|euros?|dollars)\b"
)
YES_NO = re.compile(r"\W*(?:yes|no)\s*[,.:;–—-]")
VERDICT = re.compile(r"\W*(?:yes|no)\b|\W*based\s+on\b|\W*according\s+to\b")
PLANS = re.compile(
    r"\b(?:we|i|one|you)\s+(?:\w+\s+)?(?:can|need|must|will|would|should|have\s+to)\b|\bhere\s+(?:is|are)\b|"
    r"\b(?:we|i)\s+have\s+the\s+following\b|\blet(?:'s|\s+us)\b"
)
"""Says what is to be done, or what follows; it is no answer yet."""
COMMA = re.compile(r",\s*")
