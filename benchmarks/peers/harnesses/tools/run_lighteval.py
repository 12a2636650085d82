"""lighteval: its pipeline with a service, sixteen requests at once."""
import os, shutil
from without_torch import EvaluationTracker, LiteLLMModelConfig, ParallelismManager, Pipeline, PipelineParameters

os.makedirs("data", exist_ok=True)
shutil.copy("questions.jsonl", "data/train.jsonl")
parameters = PipelineParameters(launcher_type=ParallelismManager.NONE, custom_tasks_directory=os.path.join(os.path.dirname(__file__), "lighteval_task.py"))
model = LiteLLMModelConfig(model_name="openai/m", provider="openai", base_url=os.environ["SERVER"] + "/v1", api_key="x", concurrent_requests=16)
pipeline = Pipeline(tasks="known|0", pipeline_parameters=parameters, evaluation_tracker=EvaluationTracker(output_dir="out", save_details=True), model_config=model)
pipeline.evaluate()
pipeline.save_and_push_results()
