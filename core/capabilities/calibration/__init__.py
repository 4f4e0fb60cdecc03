"""From scores to probabilities: fitted, checked, and in force in a project."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "calibration",
    page=Page("Calibration", ":material/show_chart:", "Judge"),
    commands={
        "calibrate": "commands.calibration:calibrate",
        "fitness": "commands.calibration:fitness",
        "predict": "commands.calibration:predict",
        "calibration": "commands.calibrations:app",
    },
    chapters=("chapter:CHAPTER",),
    terms={"Calibration": "terms:TERMS"},
    actions={"calibration.save": "prepare"},
)
