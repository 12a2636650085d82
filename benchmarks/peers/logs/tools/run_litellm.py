"""LiteLLM: payloads of a callback as lines; there are no scores: calls, tokens and cost are compared."""
import json, os, time
from common import questions
import litellm
from litellm.integrations.custom_logger import CustomLogger

payloads = []
class Log(CustomLogger):
    def log_success_event(self, kwargs, response_obj, start_time, end_time): payloads.append(kwargs["standard_logging_object"])
    log_failure_event = log_success_event

litellm.callbacks = [Log()]
for row in questions():
    try: litellm.completion(model="openai/mock-a", api_base=os.environ["MOCK"] + "/v1", api_key="x", num_retries=0,
                            messages=[{"role": "user", "content": row["question"]}], input_cost_per_token=1e-6, output_cost_per_token=2e-6)
    except litellm.BadRequestError: pass
time.sleep(4)
open("litellm.jsonl", "w").write("".join(json.dumps(p, default=str) + "\n" for p in payloads))
total = lambda name: sum(p[name] or 0 for p in payloads)
for metric, value in [("prompt tokens", total("prompt_tokens")), ("completion tokens", total("completion_tokens")), ("US dollars", total("response_cost"))]:
    print("FIGURE", json.dumps({"file": "litellm.jsonl", "metric": metric, "n": len(payloads), "mean": value}), flush=True)
