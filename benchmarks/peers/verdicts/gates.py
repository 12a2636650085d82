"""What other makers' gates say of drawn answers, right or wrong, of two models: draws.jsonl to decided.jsonl, in the working directory."""
import json, logging, warnings
import evalsig, truescore.compare
from evalsig.types import ItemResult, RunFrame
from model_migration_kit.comparison import compare
from model_migration_kit.judging import JudgedArtifact, JudgeRecord, Thresholds
from opik_rigor import SCORE_MAX, SCORE_MIN

warnings.simplefilter("ignore")
logging.disable()
def frame(name, bits): return RunFrame(name, name, "t", "accuracy", [ItemResult(str(i), float(b)) for i, b in enumerate(bits)])
def judged(name, bits):
    records = tuple(JudgeRecord("right", str(i), 0, bool(b), float(SCORE_MAX if b else SCORE_MIN)) for i, b in enumerate(bits))
    return JudgedArtifact(name, "g", "j", 1, records)
def bounded(low, high, margin): return "swap" if low > -margin else "keep" if high < -margin else "open"

def decide(baseline, candidate, rate, margins):
    a, b = frame("a", baseline), frame("b", candidate)
    # Two-sided at 90 %: each bound at one-sided 5 %, as evalkit's.
    sig = evalsig.compare(a, b, alpha=0.1)
    true = truescore.compare.mcnemar(candidate, baseline, alpha=0.1)
    noticed = truescore.compare.mcnemar(candidate, baseline)
    for margin in margins:
        gate = evalsig.gate(a, b, min_delta=margin).verdict.value
        kit = compare(judged("a", baseline), judged("b", candidate), thresholds=Thresholds(pass_rate_floor=max(0.0, rate - margin)))
        yield {
            "evalsig gate": {"ALLOW": "swap", "REJECT": "keep"}.get(gate, "open"),
            "evalsig, its interval by hand": bounded(*sig.ci, margin),
            "truescore compare: no finding against it": "keep" if noticed.significant and noticed.difference < 0 else "swap",
            "truescore, its interval by hand": bounded(true.low, true.high, margin),
            "model-migration-kit, floor at the baseline's rate less the margin": {"GO": "swap", "NO-GO": "keep"}.get(kit.verdict, "open"),
        }

with open("decided.jsonl", "w") as out:
    for line in open("draws.jsonl"): out.write(json.dumps(list(decide(**json.loads(line)))) + "\n")
