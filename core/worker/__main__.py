"""`python -m hcat.core.worker JOB_ID`: the process that does one job."""

from __future__ import annotations

import sys

from hcat.core.display.control_characters import visible_output
from hcat.core.faults.error_log import line_for
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace


def main(arguments: list[str]) -> int:
    """Do the job. Returns 0 when it was done, failed or stopped, as its row says; 2 when it could not be started."""
    if len(arguments) != 1 or not arguments[0].isdecimal():
        sys.stderr.write("name one job by its number\n")
        return 2
    try:
        job_id = int(arguments[0])
        with Workspace.open() as workspace:
            return 0 if run_job(workspace, job_id) else 2
    except Exception as error:  # noqa: BLE001 - no later code would report it
        sys.stderr.write(f"{line_for(error, during='a job')}\n")
        return 2


if __name__ == "__main__":
    with visible_output():
        sys.exit(main(sys.argv[1:]))
