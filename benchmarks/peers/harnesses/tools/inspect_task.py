"""GSM8K as a task of Inspect, with its own scorer of numbers; the model is registered, since rates can only be stated of a known one."""
import json
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import ModelCost, ModelInfo, set_model_info
from inspect_ai.scorer import match
from inspect_ai.solver import generate

@task
def gsm8k(questions, rates):
    set_model_info("openai/m", ModelInfo(cost=ModelCost(**json.load(open(rates)))))
    return Task(dataset=json_dataset(questions), solver=generate(), scorer=match(numeric=True))
