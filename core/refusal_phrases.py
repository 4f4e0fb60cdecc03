"""The wordings by which English answers decline, refer elsewhere or answer in spite of that, in lower case."""

from __future__ import annotations

import re

_GIVEN = (
    r"(?:contexts?|texts?|passages?|documents?|documentation|information|data|details|excerpts?|sources?|articles?|"
    r"materials?|snippets?|handbook|manual|knowledge base|database|search results?|evidence)"
)
"""What a retriever hands over."""

_RECORD = r"(?:statements?|filings?|reports?|10-[kq]|exhibits?|records?|tables?|pages?|sections?|contents?)"
"""What the question itself may be about, so that "the report does not include a penalty" is an answer."""

_SOURCE = rf"(?:{_GIVEN}|{_RECORD})"
_TELL_ANYTHING = r"(?:mention|specify|state|disclose|reveal|indicate|clarify|provide|say|explain|address|discuss)"
_TELL = (
    rf"(?:{_TELL_ANYTHING}|contain|include|give|have|offer|list|cover|detail|show|present|break|report|answer|describe|"
    r"refer|allow|permit)"
)
_TOLD = (
    r"(?:provided|available|given|mentioned|included|specified|stated|disclosed|found|listed|present|contained|"
    r"detailed|covered|shown|discussed|addressed|accessible)"
)
_WORK_OUT = (
    r"(?:determine|calculate|compute|answer|find|locate|identify|confirm|assess|conclude|ascertain|verify|establish|"
    r"evaluate|infer|say|tell|state|derive|know)"
)
_WORKED_OUT = r"(?:determined|calculated|computed|answered|concluded|ascertained|evaluated|inferred|derived)"
_SEEN = r"(?:confirmed|verified|identified|found|located|assessed|established|provided)"
_HAND_OVER = (
    r"(?:provide|give|offer|see|access|help|assist|comment|comply|fulfil+|respond|share|discuss|recall|support)"
)
_KNOWLEDGE = r"(?:information|data|details?|mention|record|context|figures?|facts?|knowledge|answer|evidence)"
_FEW = r"(?:[\w'-]+\s+){0,4}"
_NOT = r"(?:\s+not|n'?t)"
_HEDGED = r"\s+(?:\w+ly\s+)?(?:(?:seem|appear)\s+to\s+)?(?:\w+ly\s+)?"
_ON_TO_VERB = r"[^.;:,]{0,150}?(?:,[^.;:]{0,150}?\b(?:but|and|nor|which|that)\s+)?"
_CANNOT = r"(?:cannot|can\s+not|can't|could\s+not|couldn't)"

_SPEAKER_CANNOT = (
    rf"\bi\s+(?:\w+ly\s+|still\s+)?(?:{_CANNOT}|do{_NOT}|did{_NOT}|wo{_NOT}|will\s+not)\s+(?:\w+ly\s+)?"
    rf"(?:{_WORK_OUT}|{_HAND_OVER})\b",
    rf"\bwe\s+(?:\w+ly\s+)?{_CANNOT}\s+(?:\w+ly\s+)?(?:{_WORK_OUT}|complete|perform)\b",
    r"\b(?:i\s+am|i'm|i\s+was|we\s+are|we're|we\s+were)\s+(?:\w+ly\s+)?(?:unable|not\s+able)\s+to\s+",
    rf"\b(?:i|we)\s+(?:\w+ly\s+)?(?:do{_NOT}|did{_NOT})\s+(?:\w+ly\s+)?have\s+{_FEW}"
    rf"(?:access|enough|sufficient|ability|{_KNOWLEDGE})\b",
    rf"\bi\s+(?:have\s+no|lack)\s+{_FEW}(?:access|way|idea|{_KNOWLEDGE})\b",
    r"\bi(?:'m|\s+am)\s+(?:not\s+aware|unaware)\b|\bi\s+(?:will\s+not|won't)\s+be\s+able\b",
    r"\b(?:i|we)\s+(?:must|have\s+to)\s+decline\b|\bi(?:'d|\s+would)\s+rather\s+not\b",
    r"\b(?:outside|beyond)\s+(?:of\s+)?(?:the|my)\s+(?:\w+\s+)?(?:scope|knowledge|capabilit)",
)
_NOBODY_CAN = (
    rf"\b(?:not\s+(?:\w+ly\s+)?possible|impossible)\s+to\s+(?:\w+ly\s+)?(?:{_WORK_OUT}|{_HAND_OVER}|draw)\b",
    rf"\b{_CANNOT}\s+be\s+(?:\w+ly\s+)?{_WORKED_OUT}\b",
    rf"\b{_CANNOT}\s+be\s+(?:\w+ly\s+)?{_SEEN}\b[^.;]{{0,40}}?\b(?:from|with|in|on|by|without)\s+{_FEW}{_SOURCE}\b",
    rf"\b(?:based\s+on|from|with|given|without)\s+{_FEW}{_SOURCE}\b[^.;]{{0,80}}?"
    rf"\b{_CANNOT}\s+be\s+(?:\w+ly\s+)?{_SEEN}\b",
)
_SOURCE_IS_SILENT = (
    rf"\b{_GIVEN}\b{_ON_TO_VERB}(?:does|do|did){_NOT}{_HEDGED}{_TELL}",
    rf"\b{_RECORD}\b{_ON_TO_VERB}(?:does|do|did){_NOT}{_HEDGED}"
    rf"(?:{_TELL_ANYTHING}\b|{_TELL}\s+{_FEW}(?:any|{_KNOWLEDGE})\b)",
    rf"\b(?:although|while|though)\b[^.;:]*\b{_GIVEN}\b[^.;:]{{0,150}}?,\s+(?:it|they)\s+"
    rf"(?:do|does){_NOT}{_HEDGED}{_TELL}",
    rf"\b(?:neither|none\s+of|nothing\s+in)\s+(?:the\s+)?{_FEW}{_SOURCE}\b[^.;:,]{{0,80}}?\b{_TELL}",
    rf"\b{_SOURCE}\b[^.;:,]{{0,80}}?"
    r"\b(?:(?:says?|makes?|gives?|contains?)\s+(?:nothing|no\s+mention)|(?:is|are)\s+(?:silent|insufficient))\b",
    rf"\bthere\s+(?:is|are|was|were)(?:\s+no|(?:{_NOT})\s+(?:any|enough))\s+{_FEW}"
    r"(?:information|data|details?|mention|record)\b",
    rf"\bno\s+{_FEW}(?:information|details?|data|mention|answer|results?|documents?)\b[^.;]{{0,60}}?"
    rf"\b(?:{_TOLD}|retrieved|in\s+the\s+{_FEW}{_SOURCE})\b",
    rf"\b(?:is|are|was|were)(?:{_NOT})\s+(?:\w+ly\s+)?{_TOLD}\b[^.;]{{0,60}}?\b{_SOURCE}\b",
    rf"\b{_SOURCE}\b[^.;:]{{0,100}}?\b(?:is|are|was|were)(?:{_NOT})\s+(?:\w+ly\s+)?"
    rf"(?:{_TOLD}(?=\W*$|,|\s+(?:in|within|by|for|here|and|to\s+(?:me|us))\b)|sufficient|enough)",
    rf"\b(?:no|not|n't|without)\s+(?:\w+\s+)?(?:enough|sufficient|adequate)\s+{_FEW}{_KNOWLEDGE}",
    rf"\b(?:insufficient|lacks|lacking|lack\s+of|missing)\s+{_FEW}(?:information|data|context|details?)\b",
    rf"\b(?:no|not\s+any)\s+{_FEW}(?:evidence|indication)\b[^.;]{{0,40}}\bwhether\b",
    rf"\byou\s+(?:have|did){_NOT}\s+(?:\w+ly\s+)?(?:provided?|given?|shared?|included?|specif\w+)\b",
)
DECLINES = re.compile("|".join((*_SPEAKER_CANNOT, *_SOURCE_IS_SILENT, *_NOBODY_CAN)))
UNABLE = re.compile("|".join((*_SPEAKER_CANNOT, *_NOBODY_CAN)))
ALONE = re.compile(
    r"\W*(?:answer:\s*)?(?:n/a|unknown|unanswerable|no\s+(?:idea|comment|answer)|none\s+found|do(?:\s+not|n'?t)\s+know|"
    r"i'm\s+(?:really\s+)?(?:not\s+sure|sorry)|"
    rf"(?:the\s+)?(?:answer\s+)?(?:is\s+|was\s+)?not\s+(?:{_TOLD}|in\s+the\s+{_SOURCE}|applicable|known|sure)"
    r"(?:\s+(?:in|by|within)\b.{0,60})?|"
    rf"no\s+(?:relevant\s+|such\s+)?(?:{_KNOWLEDGE}|results?|documents?|passages?)(?:\s+(?:was|were|is|are))?"
    rf"(?:\s+{_TOLD})?)\W*"
)
CONDITION = re.compile(r"\b(?:if|when|unless|until|should)\b[^,;]*$")
CONCEDES = re.compile(r"\W*(?:although|while|though|even\s+though|despite|whereas)\b")
TURN = re.compile(r"[,;:–—-]\s*(?:but|however|although|though|yet|nevertheless|nonetheless|still)\b,?\s*")
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
    r"\b(?:needed|necessary|required)\b|\bas\s+an?\s+ai\b|\bknowledge\s+cutoff\b"
)
EXPLAINS = re.compile(
    r"\b(?:typically|generally|in\s+general|usually|refers?\s+to|defined\s+as|(?:is|are)\s+calculated|"
    r"is\s+an?\s+(?:\w+\s+)?(?:measure|metric|indicator|key|useful|important)|also\s+known\s+as|formula|ratio\s*=|for\s+example|hypothetical)|"
    rf"\b{_SOURCE}\b[^.;]{{0,80}}\b(?:only|pertains?|discuss(?:es)?|focus(?:es)?|relate[sd]?\s+to|"
    r"(?:is|are)\s+about|unspecified|unnamed)\b|"
    r"\bthe\s+latest\b[^.;]*\bavailable\b|\b(?:sorry|apologi[sz]e)\b"
)
ANSWER_IS = re.compile(r"\bthe\s+answer\b[^.]{0,80}?\b(?:is|would\s+be)\b")
CONCLUDES = re.compile(
    r"\W*(?:therefore|thus|hence|so|overall|in\s+(?:summary|conclusion)|consequently|as\s+a\s+result)\b"
)
SUPPOSES = re.compile(r"\b(?:for\s+example|for\s+instance|hypothetical|suppose|let's\s+say)\b")
QUANTITY = re.compile(r"[$€£]\s?\d|\d\s?%|\d\.\d|\d,\d{3}|\d\s+(?:thousand|million|billion|percent|days|times)\b")
YES_NO = re.compile(r"\W*(?:yes|no)\s*[,.:;–—-]")
VERDICT = re.compile(r"\W*(?:yes|no)\b|\W*based\s+on\b|\W*according\s+to\b")
COMMA = re.compile(r",\s*")
