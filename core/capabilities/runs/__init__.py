"""Runs: imported, scored, renamed, archived and deleted."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "runs",
    page=Page("Runs", ":material/upload_file:", "Project"),
    commands={
        "import": "commands.project:import_",
        "projects": "commands.housekeeping:projects",
        "runs": "commands.housekeeping:runs",
        "criteria": "commands.housekeeping:criteria",
    },
)
