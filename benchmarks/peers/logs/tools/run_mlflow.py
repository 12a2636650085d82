"""MLflow: mlflow.models.evaluate() with a metric of our own; its table in mlruns."""
import glob
from common import answers, figures
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
