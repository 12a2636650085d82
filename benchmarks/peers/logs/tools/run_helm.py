"""HELM: thirty sums by chat; figures of its statistics, times and tokens of each request. Its client needs no PyTorch."""
import glob, json, os
from common import figures
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.config_registry import register_configs_from_directory
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run import run_benchmarking
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.authentication import Authentication

os.environ["QUESTIONS"] = os.path.abspath("questions.jsonl")
os.makedirs("conf"), os.makedirs("local")
client = {"class_name": "helm.clients.vllm_client.VLLMChatClient", "args": {"base_url": os.environ["MOCK"] + "/v1", "vllm_model_name": "mock-a"}}
deployment = {"name": "mock/a", "model_name": "mock/a", "tokenizer_name": "mock/words", "max_sequence_length": 4000, "client_spec": client}
metadata = {"name": "mock/a", "display_name": "a", "description": "a", "creator_organization_name": "mock", "access": "open",
            "tags": ["TEXT_MODEL_TAG", "LIMITED_FUNCTIONALITY_TEXT_MODEL_TAG"]}
tokenizer = {"name": "mock/words", "tokenizer_spec": {"class_name": "helm.tokenizers.simple_tokenizer.SimpleTokenizer"}, "end_of_text_token": "</s>", "prefix_token": ""}
for name, key, value in [("model_deployments", "model_deployments", deployment), ("model_metadata", "models", metadata), ("tokenizer_configs", "tokenizer_configs", tokenizer)]:
    json.dump({key: [value]}, open(f"conf/{name}.yaml", "w"))
register_configs_from_directory("conf")
adapter = AdapterSpec(method="generation", input_prefix="", input_suffix="", output_prefix="", output_suffix="", instance_prefix="", max_train_instances=0, num_outputs=1,
                      model_deployment="mock/a", model="mock/a", temperature=0, max_tokens=16)
metric = MetricSpec(class_name="helm.benchmark.metrics.basic_metrics.BasicGenerationMetric", args={"names": ["exact_match", "f1_score"]})
spec = RunSpec(name="sums", scenario_spec=ScenarioSpec(class_name="helm_sums.Sums", args={}), adapter_spec=adapter, metric_specs=[metric], groups=["sums"])
run_benchmarking([spec], auth=Authentication(""), url=None, local_path="local", num_threads=1, output_path="out", suite="s", dry_run=False, skip_instances=False,
                 cache_instances=False, cache_instances_only=False, skip_completed_runs=False, exit_on_error=True, runner_class_name=None, disable_cache=True)
folder = "out/runs/s/sums"
for stat in json.load(open(f"{folder}/stats.json")):
    if stat["name"]["name"] in ("exact_match", "f1_score") and stat["name"].get("split") == "test" and "perturbation" not in stat["name"]:
        print("FIGURE", json.dumps({"file": folder, "metric": stat["name"]["name"], "n": 27, "mean": stat["mean"]}), flush=True)
results = [one["result"] for one in json.load(open(f"{folder}/scenario_state.json"))["request_states"]]
figures(folder, {"e2e ms": [one["request_time"] * 1000 for one in results if one["completions"][0]["text"]]})
