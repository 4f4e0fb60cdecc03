"""What a target that is stored, or that comes from a page, may not hold."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.collect.description import target_from, target_of, target_record
from hcat.core.capabilities.collect.screening import check_from_page, check_stored
from hcat.core.errors import HcatError

KEY = "${HCAT_TARGET_KEY}"
HTTP = "kind: http\nanswer: $.a\n"


@pytest.mark.parametrize(
    "text",
    [
        HTTP + "url: https://x/{{query}}\nheaders: {Authorization: Bearer abc}",
        HTTP + "url: https://x/{{query}}\nheaders: {X-API-Key: abc}",
        HTTP + "url: https://x/{{query}}?api_key=abc",
        HTTP + "url: https://me:abc@x/{{query}}",
        HTTP + "url: https://x/\nbody: {q: '{{query}}', token: abc}",
        "kind: chat\nurl: https://x\nmodel: m\nkey: abc",
        "kind: python\ncallable: a:b\nsettings: {password: abc}",
    ],
)
def test_a_secret_in_plain_words_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(HcatError, match="holds a secret") as refused:
        check_stored(target_of(text))
    assert "abc" not in str(refused.value)


def test_a_secret_from_the_environment_is_fine() -> None:
    text = (
        HTTP + "url: https://x/{{query}}?key=${HCAT_TARGET_KEY}\nheaders: {Authorization: 'Bearer ${HCAT_TARGET_KEY}'}"
    )
    check_from_page(target_of(text), allow_python=False)
    check_stored(target_of(text.replace("HCAT_TARGET_KEY", "MY_KEY")))
    with pytest.raises(HcatError, match="MY_KEY: a target from a page"):
        check_from_page(target_of(text.replace("HCAT_TARGET_KEY", "MY_KEY")), allow_python=False)


def test_python_from_a_page_needs_the_setting() -> None:
    target = target_of("kind: python\ncallable: os:system")
    with pytest.raises(HcatError, match="HCAT_ALLOW_PYTHON_TARGETS=1"):
        check_from_page(target, allow_python=False)
    check_from_page(target, allow_python=True)


@pytest.mark.parametrize(
    "text",
    [HTTP + "url: https://x/{{query}}\nbudget: 9", "kind: demo", "kind: demo\nconfiguration: baseline\ntimeout: 5"],
)
def test_a_target_is_read_back_as_it_was(text: str) -> None:
    assert target_from(target_record(target_of(text))) == target_of(text)
