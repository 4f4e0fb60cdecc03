"""Tests of slices, and the result for one slice, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hcat.core.display.messages import say
from hcat.core.display.numbers import (
    counted,
    format_count,
    format_difference,
    format_estimate,
    format_number,
    format_percent,
    p_value_text,
)
from hcat.core.slices.beside_labels import DISAGREEMENT_SHOWN
from hcat.core.slices.slices import row_slice
from hcat.core.slices.table import WeaknessTable
from hcat.core.slices.verdicts import (
    BY_PEOPLE,
    INSUFFICIENT,
    LABELS,
    METRIC,
    POSSIBLE,
    SHOWN,
    n_until_shown,
    verdict_words,
)
from hcat.core.statistics.growth import PROBABILITY
from hcat.core.types import Estimate, JsonValue

if TYPE_CHECKING:
    import pandas as pd

MOST_NAMED = 3
SAME_DATA = "found and tested on the same data"
FINDINGS_NOTE = (
    "A finding of a weak slice is found and tested on the same data until labels drawn after it confirm it. Observed "
    "means exaggerate: the shrunken mean is the estimate, and its interval allows for the slice having been picked "
    "among those tested (Benjamini and Yekutieli 2005). Where it is absent, it was not recorded or the slice was not "
    "weak."
)


def slice_sentence(row: pd.Series, *, machine: bool = False, error: float = 0.05) -> str:
    """The verdict on a slice, a row of the table, with its mean, its difference from the rest, and their basis. The
    mean of the verdicts of a `machine` is given as its own, without an interval. For a slice that labels do not show to
    be weak at q ≤ `error`, it adds the number that would."""
    text = f"**{str(row['verdict']).capitalize()}** · {_mean_text(row, machine=machine)}"
    if row["verdict"] == INSUFFICIENT or math.isnan(float(row["q"])):
        return text + " · too few independent samples to compare with the rest"
    difference = _with_ends(row, "difference")
    against = f"{difference} from the rest · {p_value_text('q', float(row['q']))}"
    needed = _labels_until_shown(row, error)
    until = "" if needed is None else f" · {_until(needed)}"
    return f"{text} · {against}{_of_verdict(row)}{until}"


def table_sentence(table: WeaknessTable, metric: str) -> str:
    """The value of the whole run, the number of slices tested, and the conditions of each verdict."""
    settings = table.settings
    return (
        f"Whole run: {format_estimate(settings.overall[metric])}, {format_count(settings.unscored[metric])} unscored. "
        f"{family_sentence(table)} {verdict_key(table, metric)} "
        f"Below n = {settings.minimum_n} the evidence is insufficient and nothing is tested."
        + (
            " Samples that depend on one another are one cluster: evidence is counted in clusters."
            if _has_clusters(table)
            else ""
        )
        + (f" Intervals carry the calibration's own error ({settings.refits} refits)." if settings.refits else "")
        + (f" {basis_sentence(table)}" if basis_sentence(table) else "")
    )


def label_rate_text(row: pd.Series) -> str:
    """The pass rate by labels of a slice that was compared by a metric; empty where it has no label."""
    if math.isnan(float(row["label_pass_rate"])):
        return ""
    value, low, high = (float(row[name]) for name in ("label_pass_rate", "label_low", "label_high"))
    rate = Estimate(value, low, high, int(row["labels"]))
    return format_estimate(rate, percent=True) + (" (!)" if row["disagreement"] else "")


def disagreement_sentence(table: WeaknessTable) -> str:
    """Slices that score worse than the rest though people pass more of them; empty where there are none."""
    rows = table.frame[table.frame["disagreement"] != ""]
    if not len(rows):
        return ""
    named = list(dict.fromkeys(row_slice(row).title for _, row in rows.iterrows()))
    more = say(" and {named} more", named=len(named) - MOST_NAMED) if len(named) > MOST_NAMED else ""
    shown = int((rows["disagreement"] == DISAGREEMENT_SHOWN).sum())
    sure = (
        say("shown in {shown} of them (q ≤ {table.settings.q:g})", shown=shown, table=table)
        if shown
        else say("observed, but not shown")
    )
    return say(
        "Score and labels point in opposite directions in {slices}: {named}{more}. The score is worse "
        "than in the rest, and more of the labelled samples pass ({sure}).",
        slices=counted(len(named), "slice"),
        named="; ".join(named[:MOST_NAMED]),
        more=more,
        sure=sure,
    )


def until_sentence(table: WeaknessTable) -> str:
    """Slices with a lower pass rate by people that is not shown: those that need the fewest labels to show it, with
    that number. Empty where there are none."""
    found: dict[str, int] = {}
    for _, row in table.frame.iterrows():
        needed = _labels_until_shown(row, table.settings.q)
        if needed is not None:
            title = row_slice(row).title
            found[title] = min(needed, found.get(title, needed))
    nearest = sorted(found, key=lambda title: found[title])[:MOST_NAMED]
    if not nearest:
        return ""
    return say(
        "In some slices fewer answers pass than in the rest, but not significantly so (q > {table.settings.q:g}). "
        "Labels needed in a slice to show its difference with {power} power: {named}. This assumes that the observed "
        "difference is the true one and that the number of labels in the rest grows in proportion.",
        table=table,
        power=format_percent(PROBABILITY, decimals=0),
        named="; ".join(
            say("{slice}: about {labels}", slice=title, labels=counted(found[title], "label")) for title in nearest
        ),
    )


def _until(labels: int) -> str:
    return say(
        "about {labels} in the slice, and proportionally more in the rest, would show it with {power} power",
        labels=counted(labels, "label"),
        power=format_percent(PROBABILITY, decimals=0),
    )


def _labels_until_shown(row: pd.Series, error: float) -> int | None:
    """Number of labels in a slice that would show a lower pass rate. None for a slice not based on labels, without a
    lower rate, and where no number would do."""
    if row["basis"] not in BY_PEOPLE or not float(row["difference"]) < 0:
        return None
    return n_until_shown(float(row["p"]), float(row["q"]), int(row["labels"]), error=error)


def slice_names(row: pd.Series) -> str:
    """The title of a slice in a list that names each set of samples once, with the others of the same samples."""
    title = row_slice(row).title
    return say("{title} (the same samples: {also})", title=title, also=row["also"]) if row["also"] else title


def found_sentence(table: WeaknessTable) -> str:
    """Number of slices shown to be worse, and of those that may be."""
    counts = table.frame["verdict"].value_counts()
    listed = [f"{counted(int(counts[word]), 'slice')} “{word}”" for word in (*SHOWN, *POSSIBLE) if word in counts]
    if listed:
        return ", ".join(listed) + "."
    if not table.settings.n_tests:
        return f"No slice can be tested: each takes {table.settings.minimum_n} samples, and as many outside it."
    return "No slice is shown to be worse than the rest."


def verdict_key(table: WeaknessTable, metric: str) -> str:
    """Meaning of the verdicts on the slices of a metric."""
    direction = table.settings.directions[metric]
    bases = dict.fromkeys(table.frame.loc[table.frame["metric"] == metric, "basis"])
    kinds = list(dict.fromkeys(verdict_words(basis, direction) for basis in bases or [""]))
    shown, possible = (say(" or ").join(say("“{word}”", word=say(kind[place])) for kind in kinds) for place in (0, 1))
    worse = say("different from") if direction == "none" else say("worse than")
    return say(
        "{upper}{shown}: {worse} the rest with q ≤ {table.settings.q:g} (Benjamini–Hochberg over all "
        "of them); {possible}: p ≤ 0.05 only, which the number of slices tested may explain.",
        upper=shown[:2].upper(),
        shown=shown[2:],
        worse=worse,
        table=table,
        possible=possible,
    )


def family_sentence(table: WeaknessTable) -> str:
    """Sentence on the tests for which the q-values account."""
    settings = table.settings
    paired = settings.pairs and len(settings.by) > 1
    tested = say(
        "{slices} tested: {metrics} over {dimensions}{pairs}.",
        slices=counted(settings.n_tests, "slice"),
        metrics=counted(len(settings.overall), "metric"),
        dimensions=counted(len(settings.by), "dimension"),
        pairs=say(" and their pairs") if paired else "",
    )
    if int((table.frame["verdict"] != INSUFFICIENT).sum()) > settings.n_tests:
        tested += " " + say("Slices of the same samples count once.")
    apart = say(", levels and pairs apart") if paired else ""
    if settings.share == 1:
        counts = say("q accounts for all of these slices of a metric{apart}.", apart=apart)
    else:
        counts = say(
            "q accounts for all slices of a metric over the planned dimensions{apart}, whichever are in view. "
            "{left} of the {q} are left to all other dimensions together.",
            apart=apart,
            left=format_percent((1 - settings.share) * settings.q, decimals=1),
            q=format_percent(settings.q, decimals=0),
        )
    if settings.outside:
        counts += " " + say(
            "Slices of other dimensions need stronger evidence: {outside} share that part, in view or not.",
            outside=counted(settings.outside, "dimension"),
        )
    if len(settings.overall) > 1:
        counts += say(" Each metric is tested on its own: the more are looked at, the more slices are shown by chance.")
    return f"{tested} {counts}"


def basis_sentence(table: WeaknessTable) -> str:
    """Sentence on the basis of the slices of a calibrated probability; empty where there are none."""
    basis = set(table.frame["basis"])
    if not basis & {LABELS, METRIC}:
        return ""
    counts = table.frame["basis"].value_counts()
    return say(
        "Of the slices of the pass probability, {by_labels} are compared by labels in slice and rest "
        "(PPI++), {by_metric} by the metric alone, for want of {table.settings.minimum_n} labels on either "
        "side: these are never called weak. A lower score does not say that people pass fewer.",
        by_labels=format_count(int(counts.get("labels", 0))),
        by_metric=format_count(int(counts.get("metric", 0))),
        table=table,
    )


def selection_sentence(table: WeaknessTable) -> str:
    """Sentence on the claims that the numbers of slices shown to be worse allow; empty where there are none."""
    shown = table.frame["verdict"].value_counts()
    listed = [
        say("{slices} “{word}”", slices=counted(int(shown[word]), "slice"), word=say(word))
        for word in SHOWN
        if word in shown
    ]
    if not listed:
        return ""
    return say(
        "{counted}, {same_data}: the observed means exaggerate. Read the shrunken mean, and the "
        "interval for selected slices (false coverage rate, Benjamini & Yekutieli 2005); fresh labels "
        "confirm.",
        counted=", ".join(listed),
        same_data=say(SAME_DATA),
    )


def finding_sentence(statistics: Mapping[str, JsonValue]) -> str:
    """Sentence on the claims that a finding's statistics allow, and on the number of tests in which it was seen."""
    family = statistics.get("family")
    if not isinstance(family, Mapping):
        return "What was tested beside this slice was not recorded. Fresh labels can confirm it."
    metrics, dimensions = (family.get(name) for name in ("metrics", "dimensions"))
    sizes = [len(names) if isinstance(names, Sequence) else 0 for names in (metrics, dimensions)]
    text = (
        f"Seen among {_slices_tested(family)} tested, of {counted(sizes[0], 'metric')} and "
        f"{counted(sizes[1], 'dimension')}, on {str(family.get('looked_at'))[:10]}: {SAME_DATA}, until labels drawn "
        "since confirm it."
    )
    low, high, shrunken = (statistics.get(name) for name in ("selected_low", "selected_high", "shrunken"))
    if isinstance(low, float) and isinstance(high, float) and isinstance(shrunken, float):
        text += f" Shrunken mean {shrunken:.3g}, interval for selected slices [{low:.3g}, {high:.3g}]."
    return text


def _slices_tested(family: Mapping[str, JsonValue]) -> str:
    n = family.get("slices_tested")
    return counted(n, "slice") if isinstance(n, int) else f"{n} slices"


def _of_verdict(row: pd.Series) -> str:
    basis = ""
    if row["basis"] == METRIC:
        basis = ", by the calibrated metric alone: too few labels here to say whether people pass fewer"
    elif row["basis"] in BY_PEOPLE:
        basis = f", by {counted(int(row['labels']), 'label')} in the slice"
    return f"{basis} · {_selected(row)} · {SAME_DATA}" if row["verdict"] in SHOWN else basis


def _mean_text(row: pd.Series, *, machine: bool) -> str:
    if machine:
        return f"machine says {format_number(float(row['mean']))}, n = {int(row['n'])}"
    estimate = Estimate(float(row["mean"]), float(row["low"]), float(row["high"]), int(row["n"]))
    return f"mean {format_estimate(estimate)}"


def _with_ends(row: pd.Series, name: str) -> str:
    value, low, high = (float(row[column]) for column in (name, f"{name}_low", f"{name}_high"))
    ends = "" if math.isnan(low) else f" [{format_difference(low)}, {format_difference(high)}]"
    return format_difference(value) + ends


def _selected(row: pd.Series) -> str:
    low, high = float(row["selected_low"]), float(row["selected_high"])
    ends = "" if math.isnan(low) else f", interval for selected slices [{low:.3g}, {high:.3g}]"
    return f"shrunken mean {float(row['shrunken']):.3g}{ends}"


def _has_clusters(table: WeaknessTable) -> bool:
    return bool((table.frame["cases"] < table.frame["n"]).any())


def sentences(table: WeaknessTable) -> Sequence[str]:
    """Notes on a table for readers, one line each."""
    texts = (
        disagreement_sentence(table),
        family_sentence(table),
        basis_sentence(table),
        selection_sentence(table),
        until_sentence(table),
    )
    return [text for text in texts if text]
