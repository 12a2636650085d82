"""vLLM's `bench serve`: twenty streamed requests; times of its summary beside those of each request."""
import json, os, subprocess, sys
from words import save_words

save_words("tokenizer")
subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "../../load/tools/run_vllm.py"), "--backend", "openai-chat", "--base-url", os.environ["MOCK"],
                "--endpoint", "/v1/chat/completions", "--model", "mock-a", "--tokenizer", "tokenizer", "--num-prompts", "20", "--dataset-name", "random",
                "--random-input-len", "20", "--random-output-len", "8", "--max-concurrency", "2", "--save-result", "--save-detailed", "--result-filename", "out.json",
                "--percentile-metrics", "ttft,tpot,itl,e2el"], check=True, stdout=sys.stderr)
result = json.load(open("out.json"))
say = lambda metric, mean, n=result["completed"]: print("FIGURE", json.dumps({"file": "out.json", "metric": metric, "n": n, "mean": mean}), flush=True)
say("ttft ms", result["mean_ttft_ms"])
say("tpot ms", result["mean_tpot_ms"])
say("e2e ms", result["mean_e2el_ms"])
say("completion tokens", result["total_output_tokens"] / result["completed"])
say("prompt tokens", result["total_input_tokens"] / result["completed"])
say("request_throughput", result["request_throughput"], 1)
