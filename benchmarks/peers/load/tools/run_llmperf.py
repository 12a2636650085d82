"""LLMPerf's own program, from a clone of its repository in LLMPERF, with the tokenizer of words of the folder in the first argument."""
import os, runpy, sys
import transformers

words = transformers.PreTrainedTokenizerFast.from_pretrained(sys.argv.pop(1))
transformers.LlamaTokenizerFast.from_pretrained = classmethod(lambda *_, **__: words)
sys.path.insert(0, os.path.join(os.environ["LLMPERF"], "src"))
os.environ["PYTHONPATH"] = sys.path[0]
runpy.run_path(os.path.join(os.environ["LLMPERF"], "token_benchmark_ray.py"), run_name="__main__")
