"""`vllm bench serve` where vLLM's own PyTorch is not to be had: names stand in for what loads and serves models. What asks, stamps and reckons is vLLM's."""
import argparse, asyncio, sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from unittest.mock import MagicMock
import datasets, transformers  # before the stand-ins, which they would take for PyTorch

absent = ("torch", "vllm.config", "vllm.inputs", "vllm.lora", "vllm.multimodal", "vllm.tokenizers", "vllm.transformers_utils", "vllm.utils.mistral")
class StandIn(MagicMock):
    __path__ = []
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return super().__getattr__(name)
class Finder:
    def find_spec(self, name, *_): return ModuleSpec(name, self) if name.startswith(absent) else None
    def create_module(self, _): return StandIn()
    def exec_module(self, _): pass

sys.meta_path.insert(0, Finder())
vllm = sys.modules["vllm"] = ModuleType("vllm")
vllm.__path__ = [f"{folder}/vllm" for folder in sys.path]
import vllm.tokenizers, vllm.utils.mistral
vllm.tokenizers.get_tokenizer = lambda name, **_: transformers.AutoTokenizer.from_pretrained(name)
vllm.utils.mistral.is_mistral_tokenizer = lambda _: False

from vllm.benchmarks.serve import add_cli_args, main_async
parser = argparse.ArgumentParser()
add_cli_args(parser)
asyncio.run(main_async(parser.parse_args()))
