"""Are the settings readable and guarded, and are the packages those that hcat was tested with?"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import httpx2
from packaging.requirements import Requirement

from hcat.core.errors import HcatError
from hcat.core.executors.chosen import installed_ray
from hcat.core.executors.ray_head import check_head
from hcat.core.login import login
from hcat.core.project.installation.check import Check
from hcat.core.settings import ROOT, Settings, settings_file
from hcat.core.wording.jobs.engines import NO_RAY

PINS = ROOT / "requirements" / "run.txt"
MOST_NAMED = 5
PROVIDER_TO_DO = "check HCAT_LOGIN_ISSUER, the network and the provider's certificate; until then nobody can sign in"
SECRETS = ("KEY", "PASSWORD", "SECRET", "TOKEN", "DATABASE_URL")


def check_environment(settings: Settings, pins: Path = PINS, *, deep: bool = False) -> Iterator[Check]:
    """The checks of settings, login, network, packages and engine. With `deep`, the sign-in provider and the head of a
    Ray cluster are asked, too."""
    yield _check_settings_file()
    yield _check_login(deep=deep)
    yield _check_network(settings)
    yield _check_packages(pins)
    yield _check_engine(settings, deep=deep)


def _check_settings_file() -> Check:
    path = settings_file()
    if path is None:
        return Check("settings", "fine", "from the environment; each has a value that it can have")
    text = path.read_text("utf-8", "replace")
    if path.stat().st_mode & 0o077 and any(word in text for word in SECRETS):
        return Check("settings", "look", f"others may read {path}, which holds secrets", f"chmod 600 {path}")
    return Check("settings", "fine", f"from {path} and the environment; each has a value that it can have")


def _check_login(*, deep: bool) -> Check:
    """Whether people sign in, and whether their provider answers."""
    try:
        found = login()
    except HcatError as error:
        return Check.broken_by("login", error)
    if found is None:
        return Check("login", "fine", "nobody signs in; pages are for this machine only")
    if not deep:
        return Check("login", "fine", f"people sign in at {found.issuer}; --deep asks whether it answers")
    try:
        answer = httpx2.get(found.metadata_url, timeout=10)
        said = answer.json().get("issuer") if answer.status_code == 200 else None
    except (httpx2.HTTPError, ValueError, AttributeError) as error:
        return Check("login", "broken", f"{found.issuer} does not answer: {type(error).__name__}", PROVIDER_TO_DO)
    if str(said).rstrip("/") != found.issuer:
        return Check("login", "broken", f"what answers at {found.issuer} does not call itself so", PROVIDER_TO_DO)
    return Check("login", "fine", f"people sign in at {found.issuer}, which answers")


def _check_network(settings: Settings) -> Check:
    """Whether systems under test may be reached where the default keeps hcat away."""
    allowed = {
        "HCAT_ALLOW_PRIVATE_TARGETS": settings.allow_private_targets,
        "HCAT_ALLOW_PYTHON_TARGETS": settings.allow_python_targets,
    }
    named = [name for name, value in allowed.items() if value]
    if named:
        found = f"{' and '.join(named)} {'is' if len(named) == 1 else 'are'} on"
        return Check("network guard", "look", found, "turn it off where no system of your own network is tested")
    return Check("network guard", "fine", "addresses of this machine and of private networks are not asked")


def _check_packages(pins: Path) -> Check:
    if not pins.is_file():
        to_do = "nothing, where an image or a package manager fixed the versions; else install from a checkout"
        return Check("packages", "look", "this hcat was installed without its list of versions", to_do)
    needed = [pin for pin in _pins(pins) if pin.marker is None or pin.marker.evaluate()]
    wrong = [said for pin in needed if (said := _difference(pin))]
    if wrong:
        more = f" and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
        return Check("packages", "broken", ", ".join(wrong[:MOST_NAMED]) + more, "install the pinned set: `make demo`")
    return Check("packages", "fine", f"all {len(needed)} have their pinned versions")


def _check_engine(settings: Settings, *, deep: bool) -> Check:
    """Check that the engine that runs jobs is available."""
    found = installed_ray()
    if settings.engine == "local":
        idle = settings.ray_address is not None
        others = "Ray is not installed" if found is None else f"Ray {found} is installed, for --engine ray"
        to_do = "set HCAT_ENGINE=ray, or take HCAT_RAY_ADDRESS away: it says nothing without" if idle else ""
        return Check("engine", "look" if idle else "fine", f"jobs run in one process; {others}", to_do)
    if found is None:
        return Check("engine", "broken", "HCAT_ENGINE is ray, which is not installed", NO_RAY)
    if settings.ray_address is None:
        return Check("engine", "fine", f"jobs use Ray {found} on this machine")
    place = f"jobs use Ray {found} at {settings.ray_address}"
    if not deep:
        return Check("engine", "fine", f"{place}; --deep asks whether it answers")
    try:
        check_head(settings.ray_address)
    except HcatError as error:
        return Check.broken_by("engine", error)
    return Check("engine", "fine", f"{place}, which answers")


def _pins(path: Path) -> Iterator[Requirement]:
    lines = (line.removesuffix(" \\") for line in path.read_text("utf-8").splitlines())
    return (Requirement(line) for line in lines if line[:1].isalnum())


def _difference(pin: Requirement) -> str | None:
    """The installed version where it differs from the pin, else None. Builds for a device are the same version."""
    try:
        found = version(pin.name)
    except PackageNotFoundError:
        return f"{pin.name} is missing"
    return None if pin.specifier.contains(found.partition("+")[0], prereleases=True) else f"{pin} is {found}"
