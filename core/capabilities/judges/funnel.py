"""The rubric that comes with hcat: five criteria for answers about documents, each on levels from 1 to 5.

Source: Han 2025, A Framework for Rigorous Evaluation and Agentic Post-Processing in Financial RAG Systems, section 2;
levels 2 and 4 are between those that it words."""

from __future__ import annotations

from hcat.core.capabilities.judges.rubric import Rubric, RubricCriterion

FUNNEL = Rubric(
    name="five criteria",
    role="You are a meticulous financial analyst who reviews answers before they reach a client.",
    criteria=(
        RubricCriterion(
            "hallucination",
            "Free of hallucination",
            "Does everything that the answer states follow from the contexts? Compare it claim by claim.",
            (
                "It states facts or figures that are wrong or not in the contexts, and they matter.",
                "A statement that matters goes beyond the contexts, or a figure is imprecise.",
                "Mostly grounded; minor inferences that the contexts do not state, no factual error.",
                "All facts and figures are in the contexts; only the wording adds a little.",
                "Fully grounded: every fact and figure can be verified in the contexts.",
            ),
            ("contexts",),
        ),
        RubricCriterion(
            "captured_rate",
            "Captured rate",
            "How much of what the reference says does the answer say too?",
            (
                "It misses a point of the reference that is critical.",
                "It has the critical points in part, and little else.",
                "It has all critical points and misses secondary ones.",
                "It has all critical points and most secondary ones.",
                "It has all critical points and all that matters besides.",
            ),
            ("reference",),
        ),
        RubricCriterion(
            "value_add",
            "Value added",
            "Does the answer give something useful and supported that the reference does not?",
            (
                "Nothing beyond the reference.",
                "A remark beyond the reference that hardly helps.",
                "A minor fact or connection that helps and is not in the reference.",
                "A helpful insight that is not in the reference.",
                "A relevant insight that is not obvious and joins several contexts.",
            ),
            ("contexts", "reference"),
            passing=3,
        ),
        RubricCriterion(
            "missing_out",
            "Nothing left out",
            "What does the answer leave out of what the reference says?",
            (
                "It leaves out critical information.",
                "It leaves out something that most readers would need.",
                "It leaves out a few details that are not essential.",
                "It leaves out hardly anything.",
                "It leaves out nothing.",
            ),
            ("reference",),
        ),
        RubricCriterion(
            "confidence_calibration",
            "Confidence fits",
            "Does the confidence that the answer states fit what the contexts support?",
            (
                "It states high confidence in something that is made up.",
                "Its stated confidence misleads on a point that matters.",
                "Its stated confidence is mostly reasonable, a little too high or too low.",
                "Its stated confidence fits on all points that matter.",
                "It states high confidence where the contexts say it and low confidence where it infers.",
            ),
            ("contexts", "confidence"),
        ),
    ),
)
