"""inference-perf: four seconds of streamed requests; time to first token and tokens of its summary. Its latency ends with the connection, evalkit's with the last token."""
import json, os, subprocess, sys
from words import save_words

save_words("tokenizer")
sizes = lambda low, high: {"min": low, "max": high, "mean": (low + high) / 2, "std_dev": 2, "total_count": 40}
config = {
    "api": {"type": "completion", "streaming": True},
    "data": {"type": "random", "input_distribution": sizes(10, 20), "output_distribution": sizes(5, 12)},
    "load": {"type": "constant", "stages": [{"rate": 5, "duration": 4}], "num_workers": 1},
    "server": {"type": "vllm", "model_name": "mock-a", "base_url": os.environ["MOCK"], "ignore_eos": False},
    "tokenizer": {"pretrained_model_name_or_path": os.path.abspath("tokenizer")},
    "report": {"request_lifecycle": {"summary": True, "per_stage": True, "per_request": True}},
    "storage": {"local_storage": {"path": "out"}},
}
open("config.yml", "w").write(json.dumps(config))
subprocess.run([os.path.join(os.path.dirname(sys.executable), "inference-perf"), "-c", "config.yml"], check=True)
done = json.load(open("out/summary_lifecycle_metrics.json"))["successes"]
say = lambda metric, mean: print("FIGURE", json.dumps({"file": "out/per_request_lifecycle_metrics.json", "metric": metric, "n": done["count"], "mean": mean}), flush=True)
say("ttft ms", done["latency"]["time_to_first_token"]["mean"] * 1000)
# Until 0.5, "output_len".
say("completion tokens", (done.get("output_tokens") or done["output_len"])["mean"])
