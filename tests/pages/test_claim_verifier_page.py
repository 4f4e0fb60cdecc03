"""The runs page where a language model is set: who verifies claims, and verifying anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.project.jobs import Jobs

OpenPage = Callable[..., AppTest]
ENDPOINT = "http://somebody:pa55word@127.0.0.1:9/v1"
KEY = "sk-nobody-may-see-this"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What scoring is started with, instead of starting it; and an endpoint in the settings."""
    found: list[dict[str, Any]] = []
    for name, value in {"BASE_URL": ENDPOINT, "MODEL": "judge-[1]", "API_KEY": KEY}.items():
        monkeypatch.setenv(f"HCAT_LLM_{name}", value)

    def start_scoring(jobs: Jobs, run: Any, metrics: Any, *, claims: Any = None, engine: Any = None) -> None:
        found.append({"metrics": [*metrics], "claims": claims})

    monkeypatch.setattr(Jobs, "start_scoring", start_scoring)
    return found


def _texts(app: AppTest) -> str:
    return "\n".join(str(element.value) for kind in ("markdown", "caption", "info") for element in app.get(kind))


def test_without_an_endpoint_there_is_no_choice_and_what_is_left_out_is_told(open_page: OpenPage) -> None:
    app = open_page("runs", "calibrated")
    assert not app.exception
    assert not [control for control in app.get("button_group") if control.label == "Claims are verified by"]
    assert "Not scored (no language model is set" in _texts(app).replace("\\", "")
    assert "metrics not scored yet" not in _texts(app)


def test_machine_verdicts_have_no_interval_and_stand_beside_what_labels_say(open_page: OpenPage) -> None:
    app = open_page("runs", "calibrated")
    assert not app.exception
    summary = next(table.value for table in app.dataframe if "Mean [95% interval], n" in table.value.columns)
    means = dict(zip(summary["Column"], summary["Mean [95% interval], n"], strict=True))
    assert means["faithfulness"].startswith("machine says")
    assert "[" not in means["faithfulness"]
    assert "[" in means["answer_f1"]
    errors = next(table.value for table in app.dataframe if "Sensitivity" in table.value.columns)
    assert "Faithfulness" in set(errors["Metric"])
    assert "A mean of machine verdicts has no interval" in _texts(app)


def test_claims_are_verified_anew_by_whom_the_user_chooses(open_page: OpenPage, started: list[dict[str, Any]]) -> None:
    app = open_page("runs", "calibrated")
    assert not app.exception
    (control,) = [control for control in app.get("button_group") if control.label == "Claims are verified by"]
    assert not [button for button in app.button if button.key == "verify-anew"]  # as they are, nothing is to be done
    app = control.set_value("llm").run()
    assert not app.exception
    shown = _texts(app)
    assert "The samples' texts are sent to" in shown
    assert "pa55word" not in shown
    assert KEY not in shown
    app.button(key="verify-anew").click().run()
    claim_metrics = ["faithfulness", "context_recall", "context_precision", "answer_correctness", "claim_recall"]
    assert started == [{"metrics": claim_metrics, "claims": "llm"}]


def test_an_endpoint_set_later_makes_its_metric_one_to_be_scored(
    open_page: OpenPage, started: list[dict[str, Any]]
) -> None:
    app = open_page("runs", "calibrated")
    app.button(key="score-run").click().run()
    (call,) = started
    assert "answer_relevance_reverse" in call["metrics"]
    assert call["claims"] == "nli"
