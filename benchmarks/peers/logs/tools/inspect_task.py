"""Thirty sums; scorers of letters, of numbers, of several values, without a value, and one that asks a model."""
import os
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset, FieldSpec
from inspect_ai.solver import generate
from inspect_ai.scorer import Score, exact, f1, match, mean, scorer
@scorer(metrics={"right": [mean()], "length": [mean()]})
def parts():
    async def score(state, target):
        t = state.output.completion
        return Score(value={"right": 1 if t == target.text else 0, "length": len(t)})
    return score
@scorer(metrics=[mean()])
def unscored():
    async def score(state, target):
        return Score(value=float("nan") if not state.output.completion else 1.0)
    return score
@scorer(metrics=[mean()])
def grader():
    from inspect_ai.model import get_model
    async def score(state, target):
        r = await get_model("openai/judge", base_url=os.environ["MOCK"] + "/v1", api_key="x").generate("grade as json: " + state.output.completion)
        return Score(value=0.5 if r.completion else 0.0, explanation=r.completion)
    return score
@task
def sums():
    return Task(dataset=json_dataset(os.environ["QUESTIONS"], FieldSpec(id="id", input="input", target="target")), solver=[generate()], scorer=[exact(), match(), f1(), parts(), unscored(), grader()])
