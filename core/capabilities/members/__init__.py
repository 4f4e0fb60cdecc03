"""The people of a project and their roles."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "members",
    page=Page("Members", ":material/group_add:", "Project", None),
    commands={"members": "command:app"},
)
