"""LiteLLM: payloads of a callback as lines; there are no scores: calls, tokens and cost are compared."""
import json, os, time
from common import figures, questions
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
done = [p for p in payloads if p["status"] == "success"]
written = [p for p in done if p["response"]["choices"][0]["message"]["content"]]
figures("litellm.jsonl", {"prompt tokens": [p["prompt_tokens"] for p in payloads], "completion tokens": [p["completion_tokens"] for p in payloads],
                          "US dollars": [p["response_cost"] for p in done]})
# Seconds since 1970 have seven digits behind the point.
figures("litellm.jsonl", {"e2e ms": [p["response_time"] * 1000 for p in written]}, within=1e-3)
