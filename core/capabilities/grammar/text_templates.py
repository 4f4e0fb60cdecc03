"""Wordings of a query by linguistic criterion; all texts of a criterion have the same meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hcat.core.capabilities.grammar.database import Template
from hcat.core.capabilities.grammar.written_template import WrittenTemplate, missing_places, places_in, with_values
from hcat.core.errors import HcatError

TEXT_TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "short": (
        "What is the {question} of the {subject} '{value}'?",
        "Give the {question} of the {subject} '{value}'.",
        "{Question} of the {subject} '{value}'?",
        "Tell me the {question} for the {subject} '{value}'.",
    ),
    "long": (
        "I am going through our records and came across the {subject} that goes by the name of '{value}'. Could you "
        "look it up and tell me what is stated there as the {question}?",
        "For a report that has to be finished today we need to know more about the {subject} with the name '{value}'; "
        "in particular, we would like to learn the {question} that it has.",
        "Among all that is written down in the documents there is something about one {subject} called '{value}'. What "
        "do the documents say about the {question} in this case?",
        "Please search whatever is available to you for the {subject} named '{value}' and, once it has been found, let "
        "me know which {question} is given for it.",
    ),
    "formal": (
        "Could you kindly state the {question} of the {subject} '{value}'?",
        "I should be grateful to be informed of the {question} of the {subject} '{value}'.",
        "Would you please provide the {question} pertaining to the {subject} '{value}'?",
        "We request the {question} of the {subject} designated '{value}'.",
    ),
    "casual": (
        "hey, what's the {question} of the {subject} '{value}'?",
        "so the {subject} '{value}', any idea what the {question} is?",
        "quick one: {question} of the {subject} '{value}'?",
        "can u tell me the {question} for the {subject} '{value}'",
    ),
    "interrogative": (
        "What is the {question} of the {subject} '{value}'?",
        "Which {question} does the {subject} '{value}' have?",
        "Do you know the {question} of the {subject} '{value}'?",
        "Can you tell me what the {question} of the {subject} '{value}' is?",
    ),
    "directive": (
        "State the {question} of the {subject} '{value}'.",
        "Find the {subject} '{value}' and give the {question}.",
        "Look up the {question} of the {subject} '{value}'.",
        "Report the {question} for the {subject} '{value}'.",
    ),
}
"""Patterns by criterion. A project's own patterns are read from a JSON file of the same form."""

_PLACES = ("{subject}", "{value}")
_PLACE = re.compile(r"\{(question|Question|subject|value)\}")


def check_templates(templates: Mapping[str, Sequence[str]]) -> None:
    """Raise HcatError if a pattern lacks the placeholder of the question, the subject or the value, or occurs twice."""
    for criterion, patterns in templates.items():
        if not patterns:
            raise HcatError(f"the criterion {criterion!r} has no text template")
        for pattern in patterns:
            missing = [place for place in _PLACES if place not in pattern]
            if "{question}" not in pattern and "{Question}" not in pattern:
                missing.append("{question}")
            if missing:
                raise HcatError(f"the text template {pattern!r} of {criterion!r} lacks {', '.join(missing)}")
        if len(set(patterns)) < len(patterns):
            raise HcatError(f"the criterion {criterion!r} has the same text template twice")


def patterns_of(template: Template, criterion: str, patterns: Sequence[str]) -> tuple[str, ...]:
    """The text templates of an SQL template for a criterion: its own, otherwise those of the criterion for all.

    Raises HcatError if the SQL template has neither its own texts nor a question and a subject, or if one of its texts
    lacks a placeholder."""
    if not isinstance(template, WrittenTemplate):
        if not patterns:
            raise HcatError(f"the criterion {criterion!r} has no text template")
        return tuple(patterns)
    own = template.texts.get(criterion, ())
    for pattern in own:
        if wrong := missing_places(pattern, template.places):
            raise HcatError(f"the text template {pattern!r} of {template.id}: {wrong[0]}")
    if len(set(own)) < len(own):
        raise HcatError(f"{template.id} has the same text template of {criterion!r} twice")
    if own:
        return own
    if not (template.question and template.subject) or len(template.places) != 1:
        raise HcatError(
            f"{template.id} has no text of its own for {criterion!r}: write some with "
            f"{', '.join(map(str, template.places))}, or say question and subject where it has one placeholder"
        )
    if not patterns:
        raise HcatError(f"the criterion {criterion!r} has no text template")
    return tuple(patterns)


def worded(template: Template, values: Sequence[str], patterns: Sequence[str]) -> tuple[str, ...]:
    """The texts of one filled query, one for each pattern. A value that looks like a placeholder is not replaced."""
    question = template.question
    filled = {
        "question": question,
        "Question": question[:1].upper() + question[1:],
        "subject": template.subject,
        "value": values[0],
    }
    places = dict(zip(template.places, values, strict=True)) if isinstance(template, WrittenTemplate) else {}
    return tuple(
        with_values(pattern, places) if places_in(pattern) else _PLACE.sub(lambda match: filled[match[1]], pattern)
        for pattern in patterns
    )
