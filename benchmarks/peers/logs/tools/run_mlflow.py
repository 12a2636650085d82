"""MLflow: mlflow.models.evaluate() with a metric of our own, its table in mlruns; mlflow.genai.evaluate(), its table in every form."""
import glob, json
from common import answers, ask, figures, questions
import mlflow, pandas
from mlflow.metrics import MetricValue
from mlflow.models import make_metric

def sums(predictions, targets, metrics=None):
    return MetricValue(scores=[float(p == t) for p, t in zip(predictions, targets)])

data = pandas.DataFrame([dict(inputs=q, ground_truth=r, predictions=a) for q, r, a, _ in answers()])
with mlflow.start_run():
    metric = make_metric(eval_fn=sums, greater_is_better=True, name="sums")
    result = mlflow.models.evaluate(data=data, targets="ground_truth", predictions="predictions", extra_metrics=[metric])
table = result.tables["eval_results_table"]
figures(glob.glob("mlruns/**/eval_results_table.json", recursive=True)[0], {"sums": list(table["sums/score"])})

@mlflow.genai.scorer
def exact(outputs, expectations): return outputs == expectations["expected_response"]
@mlflow.genai.scorer
def length(outputs): return len(outputs)
@mlflow.genai.scorer
def rating(outputs): return "yes" if outputs else "no"

data = [dict(inputs={"question": row["question"]}, expectations={"expected_response": row["answer"]}) for row in questions()]
result = mlflow.genai.evaluate(data=data, predict_fn=mlflow.trace(lambda question: ask(question)), scorers=[exact, length, rating])
table = result.tables["eval_results"]
table.to_json("genai.jsonl", orient="records", lines=True)
table.to_json("genai.json", orient="split")
table.to_csv("genai.csv", index=False)
mlflow.search_traces(run_id=result.run_id).to_json("traces.jsonl", orient="records", lines=True)
for name in ["genai.jsonl", "genai.json", "genai.csv", "traces.jsonl"]:
    for metric in ["exact", "length", "rating"]:
        known = table[f"{metric}/value"].notna().sum()
        print("FIGURE", json.dumps({"file": name, "metric": metric, "n": int(known), "mean": float(result.metrics[f"{metric}/mean"])}), flush=True)
