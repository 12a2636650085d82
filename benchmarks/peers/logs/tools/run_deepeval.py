"""DeepEval: two metrics of our own, one of which fails on a question. Prints each metric's figures as JSON."""
import json
from common import answers, figures
from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

class Exact(BaseMetric):
    def __init__(self):
        self.threshold, self.async_mode, self.include_reason, self.strict_mode, self.evaluation_model = 0.5, False, False, False, "none"
    def measure(self, case, *args, **kwargs):
        if case.input.startswith("4)"): raise ValueError("the metric fell")
        self.score = float(case.actual_output == case.expected_output)
        self.success = self.score > 0
        return self.score
    async def a_measure(self, case, *args, **kwargs): return self.measure(case)
    def is_successful(self): return self.success
    @property
    def __name__(self): return "Exact Sum"

cases = [LLMTestCase(input=q, actual_output=a, expected_output=r, completion_time=s, token_cost=1e-5) for q, r, a, s in answers()]
result = evaluate(cases, [Exact()], display_config=DisplayConfig(print_results=False, show_indicator=False),
                  error_config=ErrorConfig(ignore_errors=True), async_config=AsyncConfig(run_async=False))
figures(".deepeval/.latest_test_run.json", {"Exact Sum": [m.score for t in result.test_results for m in t.metrics_data], "US dollars": [c.token_cost for c in cases],
                                            "e2e ms": [c.completion_time * 1000 for c in cases if c.actual_output]})
