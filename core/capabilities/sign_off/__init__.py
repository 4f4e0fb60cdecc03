"""The plan registered before the results, and the signatures on a report."""

from hcat.core.capability import Capability

CAPABILITY = Capability(
    "sign_off",
    commands={"preregistration": "commands.preregistration:app", "sign-off": "commands.sign_off:app"},
    actions={
        "plan.register": "prepare",
        "report.submit": "prepare",
        "report.return": "approve",
        "report.approve": "approve",
    },
)
