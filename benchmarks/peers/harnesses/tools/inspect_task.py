"""GSM8K as a task of Inspect, with its own scorer of numbers."""
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import match
from inspect_ai.solver import generate

@task
def gsm8k(questions): return Task(dataset=json_dataset(questions), solver=generate(), scorer=match(numeric=True))
