"""Evidence that somebody else can check: signed packs, their verification, and the numbers computed again."""

from hcat.core.capability import Capability

CAPABILITY = Capability(
    "evidence",
    commands={"verify": "commands.verify:verify", "key": "commands.key:app"},
)
