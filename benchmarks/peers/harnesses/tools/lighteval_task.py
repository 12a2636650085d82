"""GSM8K as a task of lighteval, with the metric of its own GSM8K."""
import os
from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc

def prompt(line, task_name=None):
    return Doc(task_name=task_name, query=line["input"], choices=[f" {line['answer']}"], gold_index=0)

TASKS_TABLE = [LightevalTaskConfig(
    name="known", prompt_function=prompt, hf_repo=os.path.abspath("data"), hf_subset="default", hf_avail_splits=["train"], evaluation_splits=["train"],
    few_shots_split=None, few_shots_select=None, generation_size=256, stop_sequence=[], metrics=[Metrics.expr_gold_metric], version=0)]
