"""EvalScope: thirty sums as its general question-answering task, with the times and tokens that it keeps of each call."""
import glob, json, os
from common import figures, questions
from evalscope import TaskConfig, run_task

os.makedirs("sums")
rows = [row for row in questions() if not row["id"].endswith("9")]
open("sums/own.jsonl", "w").write("".join(json.dumps({"query": r["question"], "response": r["answer"]}) + "\n" for r in rows))
run_task(TaskConfig(model="mock-a", api_url=os.environ["MOCK"] + "/v1", api_key="x", eval_type="openai_api", datasets=["general_qa"], work_dir="out",
                    dataset_args={"general_qa": {"local_path": "sums", "subset_list": ["own"]}}, eval_batch_size=1, generation_config={"stream": False, "retries": 1}))
report = json.load(open(glob.glob("out/**/reports/**/*.json", recursive=True)[0]))
file = glob.glob("out/**/reviews/**/*.jsonl", recursive=True)[0]
def name(metric):
    if "name" in metric: return metric["name"].removeprefix("mean_")
    of = metric["identity"]["dimensions"]
    return f"Rouge-{of.get('ngram') or of['variant'].upper()}-{of['statistic'][0].upper()}" if "statistic" in of else "bleu"
# Its BLEU wants NLTK's data, which is on no registry: it writes 0.
for metric in report["metrics"]:
    if name(metric).startswith("Rouge"):
        print("FIGURE", json.dumps({"file": file, "metric": name(metric), "n": metric["num"], "mean": metric["score"], "within": 5.1e-5}), flush=True)
rows = [json.loads(line)["messages"][-1] for line in open(file)]
own = lambda key, of: [row["perf_metrics"][key] * of for row in rows if row.get("perf_metrics")]
if own("latency", 1):
    figures(file, {"prompt tokens": own("input_tokens", 1), "completion tokens": own("output_tokens", 1),
                   "e2e ms": [row["perf_metrics"]["latency"] * 1000 for row in rows if row["content"]]})
