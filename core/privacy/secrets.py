"""Keys, tokens and passwords in a text, by the formats of their issuers and by the words that announce them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hcat.core.privacy.hit import Evidence, Hit


@dataclass(frozen=True, slots=True)
class SecretFormat:
    """A unique format."""

    detail: str
    pattern: str


FORMATS: tuple[SecretFormat, ...] = (
    SecretFormat("private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    SecretFormat("AWS access key", r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[0-9A-Z]{16}\b"),
    SecretFormat("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b"),
    SecretFormat("GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    SecretFormat("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    SecretFormat("Slack webhook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}"),
    SecretFormat("Stripe key", r"\b[rsp]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    SecretFormat("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    SecretFormat("OpenAI key", r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}"),
    SecretFormat("Google key", r"\bAIza[0-9A-Za-z_-]{35}"),
    SecretFormat("Google token", r"\bya29\.[0-9A-Za-z_-]{20,}"),
    SecretFormat("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    SecretFormat("Databricks token", r"\bdapi[0-9a-f]{32}\b"),
    SecretFormat("DigitalOcean token", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    SecretFormat("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    SecretFormat("PyPI token", r"\bpypi-AgEI[A-Za-z0-9_-]{50,}"),
    SecretFormat("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    SecretFormat("Shopify token", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    SecretFormat("Telegram token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    SecretFormat("Twilio key", r"\b(?:SK|AC)[0-9a-f]{32}\b"),
    SecretFormat("Vault token", r"\bhvs\.[A-Za-z0-9_-]{24,}"),
    SecretFormat("Azure storage key", r"\bAccountKey=[A-Za-z0-9+/]{60,}={0,2}"),
    SecretFormat("JSON web token", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    SecretFormat("password in an address", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]+:[^\s/@]+@[^\s/]+"),
    SecretFormat("bearer token", r"\b[Bb]earer [A-Za-z0-9._~+/-]{20,}=*"),
)

_ANNOUNCED = re.compile(
    r"\b(?P<what>(?:pass(?:word|phrase|code|wd)|pwd|secret(?: key)?|api[ _-]?key|access[ _-]?(?:key|token|code)|"
    r"auth(?:entication|orisation|orization)?[ _-]?token|client[ _-]?secret|private[ _-]?key|credentials?|"
    r"security answer|memorable word)s?)"
    r"(?:(?:\s+(?:for|of|to)\s+[\w. '’-]{1,40}?)?\s*(?P<sign>(?:is|was|are)\b|=|:))?\s*[\"'“‘`]?"
    r"(?P<value>[^\s\"'”’`<>]{4,120})",
    re.IGNORECASE,
)
_PIN = re.compile(
    r"\b(?P<what>PIN|CVV2?|CVC2?|OTP|TAN|(?i:one[- ]time (?:code|password|passcode)|security code|verification code))"
    r"(?i:\s+(?:number|code))?(?i:\s+(?:for|of)\s+[\w '’-]{1,40}?)?\s*(?:is|was|=|:)?\s*[\"'“]?"
    r"(?P<value>\d{3,8})\b(?![.,]\d|%)"
)
_MASKED = re.compile(r"[*xX•.]+|\[.*\]|\{.*\}|<.*>")
_PLAIN_WORD = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*[.,;:!?)]*")


def secrets(text: str) -> Iterator[Hit]:
    """The secrets in a text; hits may overlap. Masked ones, or those only announced, are excluded."""
    for each in FORMATS:
        for match in re.finditer(each.pattern, text):
            yield _secret(match.start(), match.group(), "format", each.detail)
    for match in _ANNOUNCED.finditer(text):
        value = match["value"].rstrip(".,;:!?)")
        if _reads_as_secret(value) and (match["sign"] or _mixed(value)):
            yield _secret(match.start("value"), value, "wording", match["what"].lower())
    for match in _PIN.finditer(text):
        yield _secret(match.start("value"), match["value"], "wording", match["what"])


def _reads_as_secret(value: str) -> bool:
    """Whether a value looks like a secret: neither masked nor an ordinary word, as in "your password is
    case-sensitive"."""
    return len(value) >= 4 and not _MASKED.fullmatch(value) and not _PLAIN_WORD.fullmatch(value)


def _mixed(value: str) -> bool:
    """Whether a value is so long and mixed that the word before is enough to announce it."""
    kinds = (str.isdigit, str.isalpha)
    return len(value) >= 8 and all(any(kind(character) for character in value) for kind in kinds)


def _secret(start: int, text: str, evidence: Evidence, detail: str) -> Hit:
    return Hit("secret", "secret", start, start + len(text), text, evidence, text, detail)
