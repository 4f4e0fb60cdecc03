"""Tools' names of the parts of a sample: names of fields in lower case with underscores, the usual ones first."""

from __future__ import annotations

QUERY = (
    *("question", "query", "user_input", "input", "prompt", "user_query", "user_question", "search_query"),
    *("user_prompt", "user_message"),
)
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
    *("final_answer", "generated_response", "model_response", "llm_response", "predicted_answer", "predicted"),
    *("bot_answer", "rag_answer", "system_answer", "assistant_response", "generated", "hypothesis"),
    *("generated_sql", "predicted_sql"),
)
MADE_BY_SYSTEMS = (
    *(
        "prediction",
        "predictions",
        "predicted_answer",
        "generated_answer",
        "model_answer",
        "model_output",
        "llm_output",
    ),
    *("llm_answer", "llm_response", "gpt_response", "gpt_answer", "model_response", "generated_response", "rag_answer"),
    *("system_answer", "bot_answer", "agent_answer", "pred", "hypothesis"),
)
"""Names of answers by a system: in a table with one of them, "answer" is the right answer."""
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
    *("retrieved_passages", "retrieved_chunks", "retrieved_docs", "retrieved_texts", "search_results", "source_nodes"),
    *("knowledge", "supporting_documents"),
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
    *("groundtruth", "true_answer", "gold", "gt", "expected_response", "reference_response", "gold_response"),
    *("target_answer", "ideal_answer", "best_answer", "right_answer", "truth"),
)
TEXT = (
    *("text", "page_content", "content", "context", "document", "chunk", "passage", "pageContent", "page_text"),
    *("chunk_text", "passage_text", "document_content", "body", "snippet"),
)
ID = ("id", "doc_id", "document_id", "chunk_id", "passage_id", "node_id", "id_", "_id")
SCORE = ("score", "similarity", "relevance_score", "similarity_score", "_score", "rerank_score")
