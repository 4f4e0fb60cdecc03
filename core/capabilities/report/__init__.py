"""The validation report: one tree of plain values, and one renderer per format."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "report",
    page=Page("Report", ":material/description:", "Report"),
    commands={"report": "commands.report:report"},
    actions={"opinion.state": "decide", "report.build": "decide", "report.queue": "decide", "export.names": "prepare"},
)
