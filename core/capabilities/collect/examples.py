"""Target files to start one's own from."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, str] = {
    "http": """kind: http
url: https://rag.example.com/ask
method: POST
headers:
  Authorization: Bearer ${HCAT_TARGET_KEY}
body:
  question: "{{query}}"
answer: $.answer
contexts: $.documents[*].text
context_ids: $.documents[*].id
candidates: $.candidates[*]
price: 0.002
""",
    "chat": """kind: chat
url: https://llm.example.com/v1
model: name-of-the-model
key: ${HCAT_TARGET_KEY}
system: Answer from the handbook, in one sentence.
options:
  temperature: 0
""",
    "python": """kind: python
callable: my_package.rag:ask
settings: {}
""",
}
"""By the kind of system."""
