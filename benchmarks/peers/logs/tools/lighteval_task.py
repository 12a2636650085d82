"""Thirty sums as a task of lighteval: exact match and F1 of words."""
import os
from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc

def prompt(line, task_name=None):
    return Doc(task_name=task_name, query=line["question"], choices=[line["answer"]], gold_index=0)

TASKS_TABLE = [LightevalTaskConfig(
    name="sums", prompt_function=prompt, hf_repo=os.environ["SUMS"], hf_subset="default", hf_avail_splits=["train"], evaluation_splits=["train"],
    few_shots_split=None, few_shots_select=None, generation_size=16, stop_sequence=[], metrics=[Metrics.exact_match, Metrics.f1_score], version=0)]
