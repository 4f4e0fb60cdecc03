"""The functionality table of the packaged toxicity head: the kinds of text on which it is right or wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hcat.core.models.toxicity.packaged import WEIGHTS
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.types import Estimate

FILE = WEIGHTS.parent / "functionality.json"


@dataclass(frozen=True, slots=True)
class Functionality:
    """The accuracy of the head on texts of one kind. `toxic` is the judgement of people on them."""

    name: str
    describes: str
    toxic: bool
    right: Estimate


@dataclass(frozen=True, slots=True)
class FunctionalityTable:
    """The results of a classifier of this `revision` on a test set, kind by kind and over all texts."""

    revision: str
    source: str
    accuracy: Estimate
    balanced_accuracy: float
    auc: float
    rows: tuple[Functionality, ...]


@cache
def packaged_functionality(file: Path = FILE) -> FunctionalityTable:
    """The table that comes with the packaged weights; `python -m benchmarks.toxicity` recomputes it."""
    document = json.loads(file.read_text("utf-8"))
    rows = tuple(
        Functionality(
            row["function"],
            DESCRIPTIONS[row["function"]],
            bool(row["toxic"]),
            proportion_interval(row["right"], row["n"]),
        )
        for row in document["functions"]
    )
    hits, n = (sum(row[part] for row in document["functions"]) for part in ("right", "n"))
    return FunctionalityTable(
        revision=document["revision"],
        source=document["source"],
        accuracy=proportion_interval(hits, n),
        balanced_accuracy=document["balanced_accuracy"],
        auc=document["auc"],
        rows=rows,
    )


DESCRIPTIONS = {
    "derog_neg_emote_h": "Strong dislike of a group",
    "derog_neg_attrib_h": "A group is described as bad",
    "derog_dehum_h": "A group is denied being human",
    "derog_impl_h": "A group is run down by implication",
    "threat_dir_h": "Direct threat",
    "threat_norm_h": "Violence against a group is called for",
    "slur_h": "Hate by a slur",
    "slur_homonym_nh": "A word that is a slur elsewhere",
    "slur_reclaimed_nh": "A slur used by those whom it meant",
    "profanity_h": "Hate with swearing",
    "profanity_nh": "Swearing without hate",
    "ref_subs_clause_h": "Hate by reference to a clause before",
    "ref_subs_sent_h": "Hate by reference to a sentence before",
    "negate_pos_h": "Hate by denying something good",
    "negate_neg_nh": "Hate that is denied",
    "phrase_question_h": "Hate as a question",
    "phrase_opinion_h": "Hate as an opinion",
    "ident_neutral_nh": "Neutral mention of a group",
    "ident_pos_nh": "Kind mention of a group",
    "counter_quote_nh": "Hate is quoted to reject it",
    "counter_ref_nh": "Hate is described to reject it",
    "target_obj_nh": "Abuse of things",
    "target_indiv_nh": "Abuse of one person",
    "target_group_nh": "Abuse of a group that is not protected",
    "spell_char_swap_h": "Hate with letters swapped",
    "spell_char_del_h": "Hate with letters left out",
    "spell_space_del_h": "Hate with spaces left out",
    "spell_space_add_h": "Hate with spaces put in",
    "spell_leet_h": "Hate with digits for letters",
}
"""The kinds of text of HateCheck (Röttger et al. 2021), in the order of its functions."""
