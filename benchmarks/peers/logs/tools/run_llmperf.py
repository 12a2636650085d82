"""LLMPerf, from a clone of its repository (LLMPERF=FOLDER; it is not on PyPI): twenty streamed requests of its own program, with a tokenizer of words."""
import glob, json, os, runpy, sys
from words import save_words
import transformers

save_words("tokenizer")
words = transformers.PreTrainedTokenizerFast.from_pretrained(os.path.abspath("tokenizer"))
transformers.LlamaTokenizerFast.from_pretrained = classmethod(lambda *_, **__: words)
os.environ["OPENAI_API_BASE"] = os.environ["MOCK"] + "/v1"
sys.path.insert(0, os.path.join(os.environ["LLMPERF"], "src"))
os.environ["PYTHONPATH"] = sys.path[0]
sys.argv = ["token_benchmark_ray.py", "--model", "mock-a", "--mean-input-tokens", "60", "--stddev-input-tokens", "5", "--mean-output-tokens", "10", "--stddev-output-tokens", "2",
            "--num-concurrent-requests", "1", "--max-num-completed-requests", "20", "--timeout", "60", "--results-dir", "out", "--llm-api", "openai"]
runpy.run_path(os.path.join(os.environ["LLMPERF"], "token_benchmark_ray.py"), run_name="__main__")
summary = json.load(open(glob.glob("out/*_summary.json")[0]))
responses = glob.glob("out/*_individual_responses.json")[0]
for metric, name, factor in [("ttft ms", "ttft_s", 1000), ("e2e ms", "end_to_end_latency_s", 1000), ("completion tokens", "number_output_tokens", 1)]:
    print("FIGURE", json.dumps({"file": responses, "metric": metric, "n": summary["results_num_completed_requests"], "mean": summary[f"results_{name}_mean"] * factor}), flush=True)
