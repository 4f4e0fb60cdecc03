"""Signatures of a report, and changes of its basis since, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.records.report import ReportVersion
from hcat.core.records.sign_off import Signature, SignOff

MOST_NAMED = 3
NAMES_ARE_TYPED = (
    "Without a login a name is what somebody types: the signature says who claims to have signed, not who did."
)


def signature_text(signature: Signature) -> str:
    """ "Approved by R. Sole, 2027-01-31 09:30 UTC." with the condition and the comment, where there are some."""
    text = say(
        "{step} by {signature.author}, {signature.at:%Y-%m-%d %H:%M} UTC.",
        step=say(signature.step.capitalize()),
        signature=signature,
    )
    if signature.condition:
        text += say(" Condition: {sentence}", sentence=_sentence(signature.condition))
    return text + (say(" Comment: {sentence}", sentence=_sentence(signature.comment)) if signature.comment else "")


def built_text(version: ReportVersion) -> str:
    """ "Report, version 2, built 2027-01-31 09:30 UTC by V. Lead, SHA-256 0123456789abcdef…"."""
    by = say(" by {version.author}", version=version) if version.author else ""
    return say(
        "Report, version {version.version}, built {version.at:%Y-%m-%d %H:%M} UTC{by}, SHA-256 {hash}…",
        version=version,
        by=by,
        hash=version.hash[:16],
    )


def state_text(stands: SignOff) -> str:
    """Meaning of a version's state, for readers."""
    changed = f" {_sentence(changed_text(stands.changed))}" if stands.changed else ""
    match stands.state:
        case "draft":
            return say("Draft: nobody has signed this version.")
        case "submitted":
            return say(
                "Submitted, and not approved yet.{changed}", changed=say(" Changed since:") + changed if changed else ""
            )
        case "returned":
            return say("Returned to its author, and not approved.")
        case "approved":
            return say("Approved. All that it rests on is as it was when it was signed.")
        case "superseded":
            return say(
                "Superseded: what it rests on has changed since it was approved.{changed} The signed version "
                "is kept as it was.",
                changed=changed,
            )


def cover_text(stands: SignOff) -> str:
    """The state and the signatures that hold, for the cover of a report."""
    return " ".join([state_text(stands), *map(signature_text, stands.round)])


def changed_text(changed: Sequence[str]) -> str:
    """ "labels of v1 on correctness: changed", the first few by name."""
    more = [say("{changed} more", changed=len(changed) - MOST_NAMED)] if len(changed) > MOST_NAMED else []
    named = [f"{name}: {say(state)}" for name, _, state in (each.rpartition(": ") for each in changed[:MOST_NAMED])]
    return "; ".join([*named, *more])


def part_text(name: str, labelled: int, decided: int) -> str:
    """Text on a person's labels and decisions for a report's runs; "" where there are none."""
    parts = [
        say("gave {labels}", labels=counted(labelled, "label")) if labelled else "",
        say("decided {disagreements}", disagreements=counted(decided, "disagreement")) if decided else "",
    ]
    did = say(" and ").join(filter(None, parts))
    return say("{name} {did} of this report's runs", name=name, did=did) if did else ""


def _sentence(text: str) -> str:
    stripped = text.strip()
    return stripped if stripped.endswith((".", "!", "?")) else f"{stripped}."
