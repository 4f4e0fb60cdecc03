"""The full references behind the short names of sources."""

from __future__ import annotations

SOURCES = {
    "HCAT": "Sudjianto, Zhang, Neppalli, Joshi and Malohlava (2024), “Human-Calibrated Automated Testing and "
    "Validation of Generative Language Models”; the number is its section",
    "GRAMMAR": "Li, Liu and Gao (2024), “GRAMMAR: Grounded and Modular Methodology for Assessment of Domain-Specific "
    "Retrieval-Augmented Language Models”; the number is its section",
    "LEGAL": "“Evaluation the RAG”, working notes on testing a chatbot about UK legislation, which name neither author "
    "nor date; for faithfulness by single claims they refer to Roychowdhury, Soman, Ranjani, Gunda, Chhabra and Bala "
    "(2024), “Evaluation of RAG Metrics for Question Answering in the Telecom Domain”, arXiv:2407.12873",
    "FUNNEL": "Han (2025), “A Framework for Rigorous Evaluation and Agentic Post-Processing in Financial RAG Systems”; "
    "the number is its section",
    "PROB": "Kulcsar (2024), “Evaluating Generative LLMs: A Probabilistic Scoring Approach”; the number is its section",
}
