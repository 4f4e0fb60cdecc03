"""The full references behind the short names of sources."""

from __future__ import annotations

SOURCES = {
    "HCAT": "Sudjianto, Zhang, Neppalli, Joshi and Malohlava (2024), “Human-Calibrated Automated Testing and "
    "Validation of Generative Language Models”; the number is its section",
    "GRAMMAR": "Li, Liu and Gao (2024), “GRAMMAR: Grounded and Modular Methodology for Assessment of Domain-Specific "
    "Retrieval-Augmented Language Models”; the number is its section",
    "LEGAL": "an evaluation of retrieval-augmented generation on legal questions by verdicts on claims and by "
    "questions generated from the answer",
    "FUNNEL": "“A Framework for Rigorous Evaluation and Agentic Post-Processing in Financial RAG Systems” (2025); the "
    "number is its section",
    "PROB": "Kulcsar (2024), “Evaluating Generative LLMs: A Probabilistic Scoring Approach”; the number is its section",
}
