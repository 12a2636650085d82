"""AIPerf: twenty streamed requests; times and tokens of its summary beside those of its records."""
import json, os, subprocess, sys
from words import save_words

save_words("tokenizer")
subprocess.run([os.path.join(os.path.dirname(sys.executable), "aiperf"), "profile", "--model", "mock-a", "--url", os.environ["MOCK"], "--endpoint-type", "chat", "--streaming",
                "--tokenizer", os.path.abspath("tokenizer"), "--isl", "20", "--osl", "8", "--ui", "none", "--request-count", "20", "--concurrency", "2",
                "--output-artifact-dir", "out"], check=True, stdout=sys.stderr)
own = json.load(open("out/profile_export_aiperf.json"))
for metric, name in [("ttft ms", "time_to_first_token"), ("e2e ms", "request_latency"), ("completion tokens", "output_sequence_length"), ("prompt tokens", "input_sequence_length")]:
    print("FIGURE", json.dumps({"file": "out/profile_export.jsonl", "metric": metric, "n": int(own["request_count"]["avg"]), "mean": own[name]["avg"]}), flush=True)
print("FIGURE", json.dumps({"file": "out/profile_export_aiperf.json", "metric": "time_to_first_token.p99 (ms)", "n": 1, "mean": own["time_to_first_token"]["p99"]}), flush=True)
