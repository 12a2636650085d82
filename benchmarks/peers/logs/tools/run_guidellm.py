"""GuideLLM: twenty streamed requests of one stream; times and tokens of its report. Its latency ends with the connection, evalkit's with the last token."""
import json, os, subprocess, sys
from words import save_words

save_words("tokenizer")
program = os.path.join(os.path.dirname(sys.executable), "guidellm")
options = ["run", "--backend", f"kind=openai_http,target={os.environ['MOCK']}/v1,model=mock-a", "--profile", "kind=concurrent,streams=1",
           "--constraint", "kind=max_requests,count=20", "--output", "kind=json,path=out.json", "--tokenizer", "kind=huggingface_auto,model=tokenizer",
           "--data", "kind=synthetic_text,prompt_tokens=20,output_tokens=8", "--data-loader", "kind=pytorch,samples=20", "--disable-console-interactive"]
subprocess.run([program, *options], check=True, stdout=sys.stderr)
file = "out.json" if os.path.exists("out.json") else "benchmarks.json"
metrics = json.load(open(file))["benchmarks"][0]["metrics"]
for metric, name, unit in [("ttft ms", "time_to_first_token_ms", 1), ("tpot ms", "inter_token_latency_ms", 1), ("completion tokens", "output_token_count", 1), ("prompt tokens", "prompt_token_count", 1)]:
    own = metrics[name]["successful"]
    # Seconds since 1970 have seven digits behind the point.
    print("FIGURE", json.dumps({"file": file, "metric": metric, "n": metrics["time_to_first_token_ms"]["successful"]["count"], "mean": own["mean"] * unit, "within": 1e-3 if metric.endswith("ms") else 1e-9}), flush=True)
