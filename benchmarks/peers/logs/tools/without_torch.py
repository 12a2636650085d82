"""lighteval's pipeline without PyTorch, for which names stand in that a service never calls, and without fetching."""
import importlib.machinery, os, sys, types

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
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.endpoints.litellm_model import LiteLLMModelConfig
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from lighteval.tasks.registry import Registry
# Its own tasks fetch their data sets when they are loaded.
Registry._load_from_files = Registry._load_from_subdirs = staticmethod(lambda *_: {})
del sys.modules["torch"]
