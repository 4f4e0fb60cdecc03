"""Topics of texts: embeddings are reduced, clustered and described by key terms (HCAT 2, steps 1 to 3)."""
