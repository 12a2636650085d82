"""Trains one tiny model: python3 train.py m --schedule 800:1 1850:0

Reads what `make-data.ts` wrote to build/ and writes, at every checkpoint and at the end, build/NAME.f32 (all tensors,
little-endian float32, one after the other) and build/NAME.json (shape of the model, names and shapes of the tensors),
from which `export-gguf.ts` makes the GGUF file. The log goes to log/NAME.jsonl. Steps and seed are fixed; the same torch
on the same processor gives the same weights. The schedule is a list of STEP:SHARE of the full rate with straight lines
between, constant before the first and ending with the last. What lies ahead may be chosen late: stop the run, and go on
from build/NAME.pt with --resume.
Needs torch 1.13 or newer (Debian: python3-torch, libopenblas0) and one core.
"""

import argparse
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = {
    "s": dict(width=128, layers=3, heads=4, feed_forward=384),
    "m": dict(width=192, layers=4, heads=6, feed_forward=512),
}
ROW = 96  # tokens of a packed row
ROWS = 21  # rows of a batch
CONTEXT = 512
ANSWER_POWER = 0.7  # an answer of n tokens counts n ** (1 - 0.7): a one-letter answer is not drowned by a summary
PROMPT_WEIGHT = 0.03  # loss weight of prompt tokens in every fourth item
PADDING = 1


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


class Block(nn.Module):
    """A Llama block; the submodules carry the names that GGUF gives them."""

    def __init__(self, width, heads, feed_forward):
        super().__init__()
        self.heads = heads
        self.attn_norm, self.ffn_norm = Norm(width), Norm(width)
        self.attn_q, self.attn_k, self.attn_v, self.attn_output = (nn.Linear(width, width, False) for _ in range(4))
        self.ffn_gate, self.ffn_up = (nn.Linear(width, feed_forward, False) for _ in range(2))
        self.ffn_down = nn.Linear(feed_forward, width, False)

    def forward(self, x, cos, sin, mask):
        rows, length, width = x.shape
        size = width // self.heads

        def split(y):
            return y.view(rows, length, self.heads, size).transpose(1, 2)

        def rotate(y):  # neighbouring pairs, as llama.cpp does for this architecture
            a, b = split(y).reshape(rows, self.heads, length, size // 2, 2).unbind(-1)
            return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)

        y = self.attn_norm(x)
        q, k, v = rotate(self.attn_q(y)), rotate(self.attn_k(y)), split(self.attn_v(y))
        attention = torch.softmax(q @ k.transpose(-1, -2) * size**-0.5 + mask, -1)
        x = x + self.attn_output((attention @ v).transpose(1, 2).reshape(rows, length, width))
        y = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(y)) * self.ffn_up(y))


class Model(nn.Module):
    def __init__(self, vocabulary, width, layers, heads, feed_forward):
        super().__init__()
        self.token_embd = nn.Embedding(vocabulary, width)
        self.blk = nn.ModuleList(Block(width, heads, feed_forward) for _ in range(layers))
        self.output_norm = Norm(width)
        nn.init.normal_(self.token_embd.weight, std=0.02)
        for name, weight in self.blk.named_parameters():
            if weight.ndim == 2:
                into_stream = "output" in name or "down" in name
                std = weight.shape[1] ** -0.5 * (0.5 / math.sqrt(layers) if into_stream else 1)
                nn.init.normal_(weight, std=std)
        size = width // heads
        angle = torch.arange(CONTEXT)[:, None] * 10000.0 ** (-torch.arange(0, size, 2) / size)
        self.cos, self.sin = angle.cos(), angle.sin()

    def forward(self, tokens, mask, wanted):
        length = tokens.shape[1]
        x = self.token_embd(tokens)
        for block in self.blk:
            x = block(x, self.cos[:length], self.sin[:length], mask)
        return self.output_norm(x).flatten(0, 1)[wanted] @ self.token_embd.weight.t()


class Muon(torch.optim.Optimizer):
    """Momentum orthogonalised by Newton-Schulz iteration, for hidden matrices (Jordan et al. 2024)."""

    def __init__(self, parameters, lr, momentum=0.95, weight_decay=0.05):
        super().__init__(parameters, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if not state:
                    state["momentum"] = torch.zeros_like(p)
                momentum = state["momentum"].mul_(group["momentum"]).add_(p.grad)
                x = p.grad + group["momentum"] * momentum
                x = x / (x.norm() + 1e-7)
                tall = x.shape[0] > x.shape[1]
                x = x.t() if tall else x
                for _ in range(5):
                    a = x @ x.t()
                    x = 3.4445 * x + (-4.7750 * a + 2.0315 * (a @ a)) @ x
                x = x.t() if tall else x
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_(x, alpha=-group["lr"] * max(1, p.shape[0] / p.shape[1]) ** 0.5)


def batches(seed):
    """Packed rows: tokens, loss weights, and which item each token belongs to (-1: padding)."""
    tokens = np.fromfile(f"{HERE}/build/tokens.u16", "<u2").astype(np.int64)
    answers = np.fromfile(f"{HERE}/build/answers.u8", "u1")
    lengths = np.fromfile(f"{HERE}/build/lengths.u16", "<u2").astype(np.int64)
    starts = np.concatenate(([0], np.cumsum(lengths)))
    random = np.random.default_rng(seed)

    def empty():
        shape = (ROWS, ROW + 1)
        return np.full(shape, PADDING), np.zeros(shape, np.float32), np.full(shape, -1), np.zeros(ROWS, np.int64)

    x, weight, item, used = empty()
    while True:
        for index in random.permutation(len(lengths)):
            length = lengths[index]
            room = np.nonzero(used + length <= ROW + 1)[0]
            if len(room) == 0:
                yield x, weight, item
                x, weight, item, used = empty()
                room = [0]
            row = room[0]
            place = slice(used[row], used[row] + length)
            source = slice(starts[index], starts[index + 1])
            x[row, place] = tokens[source]
            answer = answers[source] == 1
            prompt_weight = PROMPT_WEIGHT if index % 4 == 0 else 0
            weight[row, place] = np.where(answer, answer.sum() ** -ANSWER_POWER, prompt_weight)
            weight[row, used[row]] = 0
            item[row, place] = index
            used[row] += length


def export(model, name, shape, vocabulary):
    tensors, data = [], []
    for tensor, value in model.named_parameters():
        array = value.detach().numpy().astype("<f4")
        tensors.append(dict(name=tensor, shape=list(array.shape)))
        data.append(array.tobytes())
    with open(f"{HERE}/build/{name}.f32.new", "wb") as file:
        file.write(b"".join(data))
    with open(f"{HERE}/build/{name}.json", "w") as file:
        json.dump(dict(shape, vocabulary=vocabulary, context=CONTEXT, tensors=tensors), file)
    os.replace(f"{HERE}/build/{name}.f32.new", f"{HERE}/build/{name}.f32")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=SHAPES)
    parser.add_argument("--schedule", nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()
    points, shares = np.array([point.split(":") for point in options.schedule], float).T
    steps = int(points[-1])
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)

    with open(f"{HERE}/build/vocabulary.json") as file:
        vocabulary = len(json.load(file)["tokens"])
    shape = SHAPES[options.name]
    model = Model(vocabulary, **shape)
    hidden = [p for n, p in model.named_parameters() if p.ndim == 2 and n != "token_embd.weight"]
    rest = [p for n, p in model.named_parameters() if p.ndim != 2 or n == "token_embd.weight"]
    optimizers = [(Muon(hidden, 0.02), 0.02), (torch.optim.AdamW(rest, 3e-3, (0.9, 0.95), weight_decay=0), 3e-3)]
    print(sum(p.numel() for p in model.parameters()), "parameters", flush=True)

    causal = torch.ones(ROW, ROW, dtype=torch.bool).tril()
    os.makedirs(f"{HERE}/log", exist_ok=True)
    state = f"{HERE}/build/{options.name}.pt"
    first, seen, running = 0, 0, None
    if options.resume:
        first, seen, running, weights, *moments = torch.load(state)
        model.load_state_dict(weights)
        for (optimizer, _), moment in zip(optimizers, moments):
            optimizer.load_state_dict(moment)
    path = f"{HERE}/log/{options.name}.jsonl"
    kept = [line for line in open(path) if json.loads(line)["step"] <= first] if options.resume else []
    log = open(path, "w")
    log.writelines(kept)
    started = time.time()
    for step, (x, weight, item) in zip(range(steps), batches(options.seed)):
        if step < first:
            continue
        rate = min(1, (step + 1) / 60) * max(0.02, np.interp(step, points, shares))
        for optimizer, full in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = full * rate
        tokens, item = torch.from_numpy(x), torch.from_numpy(item)[:, :-1]
        same = (item[:, :, None] == item[:, None, :]) & causal
        mask = torch.where(same, 0.0, -1e9)[:, None]
        weight = torch.from_numpy(weight)[:, 1:].flatten()
        wanted = weight.nonzero()[:, 0]
        weight, target = weight[wanted], tokens[:, 1:].flatten()[wanted]
        losses = F.cross_entropy(model(tokens[:, :-1], mask, wanted), target, reduction="none")
        model.zero_grad(set_to_none=True)
        ((losses * weight).sum() / weight.sum()).backward()
        for optimizer, _ in optimizers:
            optimizer.step()

        seen += len(wanted)
        answer = losses.detach()[weight > PROMPT_WEIGHT].mean().item()
        running = answer if running is None else 0.98 * running + 0.02 * answer
        if step % 25 == 24 or step + 1 == steps:
            line = dict(step=step + 1, tokens=seen, answerLoss=round(running, 5), learningRate=round(0.02 * rate, 6))
            log.write(json.dumps(line) + "\n")
            log.flush()
            print(f"{time.time() - started:.0f} s, {time.process_time():.0f} cpu s", line, flush=True)
        if step % 50 == 49:
            moments = [optimizer.state_dict() for optimizer, _ in optimizers]
            torch.save((step + 1, seen, running, model.state_dict(), *moments), state + ".new")
            os.replace(state + ".new", state)
            export(model, options.name, shape, vocabulary)
    export(model, options.name, shape, vocabulary)


main()
