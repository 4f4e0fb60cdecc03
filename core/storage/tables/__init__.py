"""The database's tables; rows never leave the storage package. Whoever imports one declares all of them."""

from hcat.core.storage.tables import (
    audit,
    corpora,
    corpus_topics,
    documents,
    judging,
    labelling,
    people,
    policies,
    projects,
    reports,
    row,
    sign_offs,
    test_sets,
    texts,
    versioned,
)

__all__ = [
    "audit",
    "corpora",
    "corpus_topics",
    "documents",
    "judging",
    "labelling",
    "people",
    "policies",
    "projects",
    "reports",
    "row",
    "sign_offs",
    "test_sets",
    "texts",
    "versioned",
]
