"""`python -m core.jobs JOB_ID`: the process that does one job."""

from __future__ import annotations

import sys

from core.display.control_characters import visible_output
from core.errors import HcatError
from core.jobs.worker import run_job
from core.workspace import Workspace


def main(arguments: list[str]) -> int:
    """Do the job. 0 when it was done, failed or stopped, all of which its row says; 2 when it could not be taken."""
    try:
        job_id = int(arguments[0])
        with Workspace.open() as workspace:
            return 0 if run_job(workspace, job_id) else 2
    except (HcatError, IndexError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    with visible_output():
        sys.exit(main(sys.argv[1:]))
