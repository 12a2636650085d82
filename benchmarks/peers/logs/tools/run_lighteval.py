"""lighteval: its pipeline with a service, without PyTorch, for which names stand in that a service never calls."""
import glob, importlib.machinery, json, os, shutil, sys, types

class Absent:
    """Stands for anything of a package that is not installed."""
    def __init__(self, *_, **__): pass
    def __class_getitem__(cls, _): return cls
    def __call__(self, *given, **_): return given[0] if given and callable(given[0]) else Absent()
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return Absent()

class AbsentModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return type(name, (Absent,), {}) if name[0].isupper() else Absent()

import transformers.utils
transformers.utils.is_torch_available()
own = ["adapter_model", "delta_model", "transformers_model", "vlm_transformers_model"]
parts = ["nn", "nn.functional", "nn.utils", "nn.utils.rnn", "utils", "utils.data", "utils.data.distributed", "distributed"]
for name in ["torch", *(f"torch.{part}" for part in parts), "accelerate", "accelerate.utils", *(f"lighteval.models.transformers.{one}" for one in own)]:
    module = sys.modules[name] = AbsentModule(name)
    module.__spec__, module.__path__, module.__version__ = importlib.machinery.ModuleSpec(name, None), [], "2.0.0"

class Subset:
    def __init__(self, dataset, indices): self.dataset, self.indices = dataset, list(indices)
    def __len__(self): return len(self.indices)
    def __getitem__(self, at): return self.dataset[self.indices[at]]
sys.modules["torch.utils.data"].Subset, sys.modules["torch"].dtype = Subset, Absent

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["SUMS"] = os.path.abspath("sums")
os.makedirs("sums", exist_ok=True)
shutil.copy("questions.jsonl", "sums/train.jsonl")
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.endpoints.litellm_model import LiteLLMModelConfig
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from lighteval.tasks.registry import Registry
# Its own tasks fetch their data sets when they are loaded.
Registry._load_from_files = Registry._load_from_subdirs = staticmethod(lambda *_: {})
del sys.modules["torch"]

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
