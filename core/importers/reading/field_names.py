"""What tools call the parts of a sample: names of fields in lower case with underscores, the usual ones first."""

from __future__ import annotations

QUERY = ("question", "query", "user_input", "input", "prompt", "user_query", "user_question", "search_query")
ANSWER = (
    "answer",
    "response",
    "output",
    "actual_output",
    "agent_answer",
    "result",
    "completion",
    "prediction",
    "generation",
    "model_output",
    "generated_answer",
    "llm_output",
)
CONTEXTS = (
    "contexts",
    "retrieved_contexts",
    "retrieved_context",
    "retrieval_context",
    "context",
    "documents",
    "retrieved_documents",
    "source_documents",
    "docs",
    "passages",
    "chunks",
    "sources",
)
REFERENCE = (
    "reference",
    "ground_truth",
    "expected_output",
    "expected_answer",
    "reference_answer",
    "gt_answer",
    "expected",
    "ideal",
    "target",
    "golden_answer",
    "gold_answer",
    "correct_answer",
    "reference_output",
)
TEXT = ("text", "page_content", "content", "context", "document", "chunk", "passage")
ID = ("id", "doc_id", "document_id", "chunk_id", "passage_id", "node_id")
SCORE = ("score", "similarity", "relevance_score", "similarity_score")
