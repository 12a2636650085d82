"""DeepEval: it has no runner of models and no metric of numbers; its client of OpenAI asks, sixteen at once, and the last number is compared."""
import asyncio, json, os, re, sys, time
from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.models import GPTModel
from deepeval.test_case import LLMTestCase

class LastNumber(BaseMetric):
    def __init__(self): self.threshold, self.async_mode, self.include_reason, self.evaluation_model = 0.5, True, False, None
    def measure(self, case, *_, **__):
        numbers = re.findall(r"-?\d[\d,]*(?:\.\d+)?", case.actual_output)
        self.score = float(bool(numbers) and float(numbers[-1].replace(",", "")) == float(case.expected_output))
        self.success = self.score > 0
        return self.score
    async def a_measure(self, case, *_, **__): return self.measure(case)
    def is_successful(self): return self.success
    @property
    def __name__(self): return "Last Number"

async def cases():
    at_once = asyncio.Semaphore(16)
    price = json.load(open("price.json"))
    model = GPTModel(model="m", base_url=os.environ["SERVER"] + "/v1", api_key="x", cost_per_input_token=price["input"] / 1e6, cost_per_output_token=price["output"] / 1e6)
    async def ask(row):
        async with at_once:
            began = time.perf_counter()
            text, cost = await model.a_generate(row["input"])
            return LLMTestCase(name=row["id"], input=row["input"], actual_output=text, expected_output=row["target"],
                               completion_time=time.perf_counter() - began, token_cost=cost)
    return await asyncio.gather(*(ask(json.loads(line)) for line in open("questions.jsonl")))

evaluate(asyncio.run(cases()), [LastNumber()], async_config=AsyncConfig(max_concurrent=16), cache_config=CacheConfig(use_cache=True, write_cache=True),
         display_config=DisplayConfig(print_results=False, show_indicator=False))
