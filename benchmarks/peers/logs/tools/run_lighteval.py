"""lighteval: its pipeline with a service."""
import glob, json, os, shutil
from without_torch import EvaluationTracker, LiteLLMModelConfig, ParallelismManager, Pipeline, PipelineParameters

os.environ["SUMS"] = os.path.abspath("sums")
os.makedirs("sums", exist_ok=True)
shutil.copy("questions.jsonl", "sums/train.jsonl")

tracker = EvaluationTracker(output_dir="out", save_details=True)
parameters = PipelineParameters(launcher_type=ParallelismManager.NONE, custom_tasks_directory=os.path.join(os.path.dirname(__file__), "lighteval_task.py"))
model = LiteLLMModelConfig(model_name="openai/mock-a", provider="openai", base_url=os.environ["MOCK"] + "/v1", api_key="x", api_max_retry=1, concurrent_requests=1)
pipeline = Pipeline(tasks="sums|0", pipeline_parameters=parameters, evaluation_tracker=tracker, model_config=model)
pipeline.evaluate()
pipeline.save_and_push_results()
results = json.load(open(glob.glob("out/results/**/*.json", recursive=True)[0]))["results"]["sums|0"]
details = glob.glob("out/details/**/*.parquet", recursive=True)[0]
for metric, mean in results.items():
    if not metric.endswith("_stderr"): print("FIGURE", json.dumps({"file": details, "metric": metric, "n": 30, "mean": mean}), flush=True)
