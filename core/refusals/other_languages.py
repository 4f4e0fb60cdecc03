"""The wordings by which German, French, Spanish and Chinese decline, refer elsewhere and turn, in lower case.

As in English, the subject decides. If an assistant denies something of itself, other than an opinion, it is its
ability; for a document, that it "does not mention" declines; for anybody else neither does."""

from __future__ import annotations

import re

from hcat.core.late_pattern import LatePattern
from hcat.core.refusals.signs import OTHER_SIGNS, SignedPattern

_NO_DE = r"(?:nicht|nichts|keine?\w{0,2})"
_SOURCE_DE = (
    r"(?:kontext\w*|texte?s?|dokument\w*|unterlagen?|quellen?|ausz[uü]g\w*|passagen?|abschnitt\w*|textstellen?|"
    r"informationen|angaben|daten|handbuch\w*|material\w*|artikel\w*|bericht\w*|wissensdatenbank)"
)
_NEWS_DE = (
    r"(?:informationen?|angaben?|hinweise?|aussagen?|anhaltspunkte?|auskunft|auskünfte|daten|kenntnis(?:se)?|"
    r"details?|antwort(?:en)?)"
)
_TOLD_DE = (
    r"(?:erwähn|genannt|nenn|angegeben|angibt|enthalten|enthält|hervor|finden|gefunden|beschr[ie]{1,2}b|erläuter|"
    r"dokumentier|aufgeführt|entnehmen|entnommen|ersichtlich|behandel|thematisier|äußer|spezifizier|besprochen|"
    r"beantworte|bestimm|ermittel|sagt|sagen|aussage|liefer|bietet|bieten|gibt|eingeh|gehen|geht|erkennen|offen)"
)
_GERMAN_SPEAKER = (
    rf"\bich\b(?!\s+(?:empfehle|rate|glaube|denke|meine|finde\s+nicht\s+dass))[^.;:!?]{{0,80}}?\b{_NO_DE}\b",
    rf"\b(?:kann|konnte|könnte|darf|weiß|habe|verfüge|finde|kenne|bin)\s+ich\b"
    rf"(?:[^.;:!?]{{0,80}}?\b{_NO_DE}\b|\s+überfragt)",
    rf"\b(?:mir|uns)\b[^.;:!?]{{0,40}}?\b{_NO_DE}\b[^.;:!?]{{0,60}}?\b(?:vor|bekannt|verfügung|möglich)\b",
    r"\b(?:fehlen|fehlt)\s+(?:mir|uns)\b|\b(?:mir|uns)\s+(?:fehlen|fehlt)\b",
    r"\b(?:übersteigt|außerhalb)\s+mein\w*\b",
)
_GERMAN_SOURCE = (
    rf"\b{_SOURCE_DE}\b[^.;!?]{{0,80}}?\b{_NO_DE}\b[^.;!?]{{0,40}}?\b{_TOLD_DE}",
    rf"\b{_SOURCE_DE}\b[^.;!?]{{0,20}}?\b{_TOLD_DE}\w*\b[^.;!?]{{0,60}}?\b{_NO_DE}\b",
    rf"\b{_TOLD_DE}\w*\b[^.;!?]{{0,40}}?\b{_SOURCE_DE}\b[^.;!?]{{0,30}}?\b{_NO_DE}\b",
    rf"\b(?:steht|stehen|ist|sind|es\s+gibt|gibt\s+es)\b[^.;!?]{{0,30}}?\b{_SOURCE_DE}\b[^.;!?]{{0,20}}?\b(?:nichts|"
    rf"keine?\w{{0,2}}\s+(?:\w+\s+)?{_NEWS_DE})",
    rf"\b{_SOURCE_DE}\b[^.;!?]{{0,20}}?\b(?:steht|stehen|ist|sind|gibt\s+es)\s+(?:\w+\s+)?(?:nichts|keine?\w{{0,2}}\s+"
    rf"(?:\w+\s+)?{_NEWS_DE})",
    r"\bfrage\b[^.;!?]{0,60}?\bnicht\b[^.;!?]{0,20}?\bbeantworte[nt]\b",
    r"\b(?:antwort|aussage|auskunft|beurteilung)\b[^.;!?]{0,60}?\bnicht\s+möglich\b",
    rf"\b(?:liegen|sind)\s+(?:\w+\s+)?keine\s+(?:\w+\s+)?{_NEWS_DE}\b|\bkeine\s+(?:\w+\s+)?{_NEWS_DE}\b[^.;!?]{{0,40}}?"
    r"\b(?:gefunden|verfügbar|vorhanden|vor)\b",
    rf"\b(?:fehlen|fehlt)\s+(?:\w+\s+)?{_NEWS_DE}",
)

_SOURCE_FR = (
    r"(?:contextes?|textes?|documents?|passages?|extraits?|sources?|informations?|documentation|réponse|données|"
    r"éléments|fichiers?|articles?|rapports?|section)"
)
_NEWS_FR = (
    r"(?:informations?|donnée?s?|indications?|détails?|précisions?|réponses?|éléments?|renseignements?|mentions?)"
)
_TOLD_FR = (
    r"(?:mentionn|précis|contien|indiqu|donn|dit|disent|fourni|spécifi|figur|trouv|abord|évoqu|comport|trait|parl|"
    r"appara[iî]|permet|couvr|document|répond|disponible)"
)
_FRENCH_SPEAKER = (
    r"\bje\s+n(?:e\s+|')(?!(?:\w+\s+)?(?:pense|crois|recommande|conseille)\b)"
    r"[^.;:!?]{1,60}?\b(?:pas|aucune?|rien|plus)\b",
    r"\bje\s+ne\s+(?:saurais|puis|peux)\b|\bde\s+ne\s+pouvoir\b|\bde\s+ne\s+pas\s+pouvoir\b|\bj[e']\s*(?:l')?ignore\b",
    r"\b(?:me\s+manquent?|il\s+me\s+manque)\b|\bdépasse(?:nt)?\s+(?:mes|le\s+cadre\s+de\s+mes)\b",
    r"\b(?:hors|au-delà)\s+de\s+(?:mes|mon|ma)\b",
    r"\b(?:impossible|difficile|pas\s+possible)\s+de\s+(?:répondre|déterminer|savoir|dire|calculer|préciser|confirmer|"
    r"conclure)\b",
)
_FRENCH_SOURCE = (
    rf"\b{_SOURCE_FR}\s+(?:\w+\s+){{0,2}}?(?:(?:ne\s+|n'|n’)(?:\w+\s+)?(?:est\s+pas\s+|sont\s+pas\s+|se\s+)?{_TOLD_FR}|"
    r"(?:reste\w*|est|sont)\s+muet)",
    rf"\bn(?:e\s+|')(?:\w+\s+)?{_TOLD_FR}\w*\s+(?:\w+\s+)?dans\s+(?:\w+\s+)?{_SOURCE_FR}\b",
    rf"\bn(?:e\s+|')(?:est|sont)\s+pas\s+{_TOLD_FR}\w*[^.;!?]{{0,30}}?\b{_SOURCE_FR}\b",
    rf"\brien\b[^.;!?]{{0,40}}?\b{_SOURCE_FR}\b|\b{_SOURCE_FR}\b[^.;!?]{{0,60}}?\bn(?:e\s+|'){_TOLD_FR}\w*\s+rien\b",
    rf"\baucune?\s+{_NEWS_FR}\b[^.;!?]{{0,40}}?\b(?:disponible|fournie?|trouvée?|figure)",
    rf"\bil\s+n'y\s+a\s+(?:pas\s+d'|aucune?\s+){_NEWS_FR}\b|\b{_NEWS_FR}\s+(?:\w+\s+)?manquent\b",
    rf"\bil\s+manque\s+(?:des|les)\s+{_NEWS_FR}",
)

_SOURCE_ES = (
    r"(?:contextos?|textos?|documentos?|pasajes?|fragmentos?|extractos?|fuentes?|información|documentación|respuesta|"
    r"datos|elementos|artículos?|informes?|sección)"
)
_NEWS_ES = r"(?:información|informaciones|datos?|detalles?|respuestas?|indicación|mención)"
_TOLD_ES = (
    r"(?:mencion|especific|contien|indic|precis|dice|proporcion|ofrec|figur|aparec|encuentr|está\s+(?:disponible|"
    r"document|inclui)|trata|abord|habla|permit|aclar|cubre|respond|detall)"
)
_SPANISH_SPEAKER = (
    r"\bno\s+(?:(?:le|te|lo|les|me)\s+)?(?:puedo|podría|sabría|sé|tengo|dispongo|cuento|conozco|encuentro|encontré|"
    r"he\s+encontrado|pude|logro|veo|estoy|soy\s+capaz)\b(?!\s+de\s+acuerdo)",
    r"\b(?:lo\s+)?(?:desconozco|ignoro)\b|\b(?:lamento|siento)\s+no\s+poder\b",
    r"\bme\s+faltan?\b|\bexcede\s+(?:\w+\s+)?mis\b|\bfuera\s+de\s+mis?\b",
    r"\b(?:imposible|difícil|no\s+es\s+posible|no\s+se\s+puede|no\s+me\s+es\s+posible)\s+(?:responder|contestar|"
    r"determinar|saber|decir|calcular|confirmar|precisar|concluir)\b",
)
_SPANISH_SOURCE = (
    rf"\b{_SOURCE_ES}\s+(?:\w+\s+){{0,2}}?no\s+(?:se\s+)?{_TOLD_ES}|\bguarda\w*\s+silencio\b",
    rf"\bno\s+(?:se\s+)?{_TOLD_ES}\w*\b[^.;!?]{{0,30}}?\ben\s+(?:\w+\s+)?{_SOURCE_ES}\b",
    rf"\b(?:en|según)\s+(?:\w+\s+)?{_SOURCE_ES}\b[^.;!?]{{0,30}}?\bno\s+(?:(?:se\s+)?{_TOLD_ES}|hay\b)",
    rf"\bno\s+(?:hay|existe|se\s+encontró|se\s+encontraron)\s+(?:\w+\s+)?{_NEWS_ES}\b",
    rf"\bnada\s+(?:en|de)\s+(?:\w+\s+)?{_SOURCE_ES}\b|\bfaltan?\s+(?:\w+\s+)?{_NEWS_ES}\b",
)

_SOURCE_ZH = (
    r"(?:文中|上下文|资料|資料|文件|文档|文檔|文本|材料|"
    r"原文|信息|資訊|段落|内容|內容|片段|摘录|摘錄|文章|这一节|這一節)"
)
_NEWS_ZH = r"(?:信息|資訊|资料|資料|数据|數據|内容|內容|说明|說明)"
_TELL_ZH = (
    r"(?:回答|作答|回复|回覆|答复|答覆|提供|说明|說明|给出|給出|"
    r"访问|訪問|查询|查詢|查到|确定|確定|判断|判斷|得知|得出|告诉|告訴|"
    r"确认|確認|帮助|幫助|计算|計算|透露|找到|预测|預測|给您|給您)"
)
_TOLD_ZH = (
    r"(?:提到|提及|包含|说明|說明|提供|"
    r"给出|給出|涉及|指出|记载|記載|记录|記錄|讨论|討論|出现|出現|任何|有关|有關|关于|關於)"
)
_CHINESE_SPEAKER = (
    r"我(?!们|們)[^，。！？；]{0,4}(?:不(?!建议|建議|推荐|推薦|认为|認為|是)|"
    r"无法|無法|没有|沒有|没|沒|未能|缺少|缺乏|难以|難以)",
    rf"(?:无法|無法|没办法|沒辦法|难以|難以)[^，。！？；]{{0,12}}{_TELL_ZH}",
    r"帮不了|幫不了|看不出|得不出|查不到|找不到|超出(?:了)?我",
)
_CHINESE_SOURCE = (
    rf"{_SOURCE_ZH}(?:中|里|裡)?(?:并|並)?(?:没有|沒有|未|没|沒|不)(?:明确|明確)?{_TOLD_ZH}|只字未提|隻字未提",
    rf"{_SOURCE_ZH}[^，。！？；]{{0,10}}(?:没有|沒有|未)(?:明确|明確)?{_TOLD_ZH}",
    rf"(?:没有|沒有|未)(?:在)?(?:出现|出現|记录|記錄|包含|列)?在[^。！？；，]{{0,8}}{_SOURCE_ZH}",
    r"(?:没有|沒有|未能|未|没|沒)(?:能)?找到(?:任何)?(?:相关|相關|有关|有關)",
    rf"(?:暂无|暫無|没有|沒有|无|無|缺少|缺乏)(?:任何|更多)?(?:相关|相關|这方面|這方面|有关|有關)(?:的)?{_NEWS_ZH}",
)
_ALONE = (
    r"\W*(?:keine\s+(?:angaben?|ahnung|informationen?)|nicht\s+(?:bekannt|angegeben|verfügbar|ersichtlich)|unbekannt|"
    r"weiß\s+nicht|non\s+(?:précisée?|spécifiée?|disponible|indiquée?|mentionnée?|communiquée?)|"
    r"(?:information|donnée)s?\s+non\s+disponibles?|inconnue?|(?:aucune|pas\s+d[e'])\s*(?:idée|informations?)|"
    r"no\s+(?:especificad[oa]|disponible|indicad[oa]|mencionad[oa]|consta)|(?:información|dato)\s+no\s+disponible|"
    r"desconocido|ni\s+idea|sin\s+(?:información|datos)|不知道|不清楚|未知|无可奉告|未提及)\W*"
)

SPEAKER = LatePattern("|".join((*_GERMAN_SPEAKER, *_FRENCH_SPEAKER, *_SPANISH_SPEAKER, *_CHINESE_SPEAKER)))
"""The speaker cannot say: this withdraws what was said before."""
DECLINES = SignedPattern(
    LatePattern("|".join((SPEAKER.pattern, *_GERMAN_SOURCE, *_FRENCH_SOURCE, *_SPANISH_SOURCE, *_CHINESE_SOURCE))),
    OTHER_SIGNS,
)
ALONE = re.compile(_ALONE)
CONDITION = re.compile(
    r"\b(?:wenn|falls|sofern|sobald|solange|bevor|lorsque|quand|cuando|hasta\s+que|antes\s+de\s+que|siempre\s+que)\b"
    r"[^,;]*$|^\W*si\s[^,;]*$|(?:如果|假如|除非)[^，；]*$"
)
"""Statements in a condition do not count."""
TURN = re.compile(
    r"[,;:–—-]\s*(?:aber|jedoch|doch|allerdings|dennoch|mais|cependant|toutefois|pourtant|pero|sin\s+embargo)\b,?\s*"
    r"|[，,；]\s*(?:但是|但|不过|不過|然而|可是)"
)
REFERS = re.compile(
    r"\b(?:bitte|wenden\s+sie\s+sich|tut\s+mir\s+leid|entschuldigung|vielen\s+dank|danke|veuillez|désolée?|merci|"
    r"excusez|contactez|consultez|por\s+favor|lo\s+siento|gracias|póngase|contacte|consulte|disculpe|"
    r"llame\s+a\s+la\s+(?:asistencia|línea))\b|"
    r"请致电|請致電|请联系|請聯繫|请咨询|請諮詢|抱歉|对不起|對不起|感谢|感謝|謝謝|谢谢"
)
"""Courtesy, and advice where to ask; neither is an answer."""
