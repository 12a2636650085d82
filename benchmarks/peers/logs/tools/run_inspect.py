"""Inspect: a whole run with failures, one with two epochs, one of twelve samples as JSON, one that ends at its first failure."""
import glob, os, subprocess, sys
from common import figures
from inspect_ai.log import read_eval_log

task = os.path.join(os.path.dirname(__file__), "inspect_task.py") + "@sums"
os.environ["QUESTIONS"] = os.path.abspath("questions.jsonl")
runs = {"whole": [], "epochs": ["--epochs", "2"], "limit": ["--limit", "12", "--log-format", "json"], "stopped": None}
for name, options in runs.items():
    end = [] if options is None else ["--no-fail-on-error", *options]
    subprocess.run([os.path.join(os.path.dirname(sys.executable), "inspect"), "eval", task, "--model", "openai/mock-a", "--model-base-url",
                    os.environ["MOCK"] + "/v1", "--display", "none", "--max-retries", "1", "--log-dir", name, *end], check=options is not None)
    file = glob.glob(name + "/*")[0]
    scores = {}
    for sample in read_eval_log(file).samples:
        for metric, score in (sample.scores or {}).items():
            parts = {f"{metric}.{key}": value for key, value in score.value.items()} if isinstance(score.value, dict) else {metric: score.value}
            for key, value in parts.items(): scores.setdefault(key, []).append({"C": 1, "I": 0}.get(value, value))
        usage = sample.output.usage
        # An answer without a text has no last token, and so no end for evalkit.
        own = {"prompt tokens": usage and usage.input_tokens, "completion tokens": usage and usage.output_tokens, "e2e ms": sample.output.time * 1000 if sample.output.completion else None}
        for key, value in own.items(): scores.setdefault(key, []).append(value)
    figures(file, scores)
