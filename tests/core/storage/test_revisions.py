"""The revisions of the schema are those that alembic finds, and an up-to-date store is opened without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

from hcat.core.storage.database import Database
from hcat.core.storage.revisions import MIGRATIONS, newest_revision, revisions


def test_they_are_those_of_alembic() -> None:
    configuration = Config()
    configuration.set_main_option("script_location", str(MIGRATIONS))
    directory = ScriptDirectory.from_config(configuration)
    assert revisions() == {script.revision: script.down_revision for script in directory.walk_revisions()}
    assert newest_revision() == directory.get_current_head()


def test_a_store_that_is_new_enough_is_opened_without_alembic(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'hcat.db'}"
    Database(url).close()
    opening = f"from hcat.core.storage.database import Database; Database({url!r}).close()"
    code = f"import sys; {opening}; print('alembic' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "False"
