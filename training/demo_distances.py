"""Compute `data/demo/entailment.parquet`: what the packaged entailment model says of the demo's runs.

    python -m training.demo_distances

It takes some ten minutes on one core. Distances are cached under HCAT_ARTIFACTS, so that an interrupted run continues.
Run it whenever the model's weights, the encoder, the demo's files, its two runs or the choice of premises change.
"""

from __future__ import annotations

import sys

from hcat.core.capabilities.demo.distances import FILE, ROLES, compute_distances, write_distances
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.model_set import load_models
from hcat.core.settings import settings


def main() -> None:
    models = load_models(settings(), ROLES)
    distances = compute_distances(models, MemoryEmbeddings())
    write_distances(distances)
    sys.stdout.write(f"{len(distances.keys)} distances, {FILE.stat().st_size} bytes: {FILE}\n")


if __name__ == "__main__":
    main()
