"""GenAI-Perf: its Perf Analyzer is not on PyPI; requests are sent here and kept in its shape, and figures are those of GenAI-Perf's own parser and exporter."""
import http.client, json, os, time
from pathlib import Path
from types import SimpleNamespace
from words import words
from genai_perf.config.input.config_command import ConfigCommand
from genai_perf.export_data.json_exporter import JsonExporter
from genai_perf.profile_data_parser import LLMProfileDataParser

def request(i):
    """A streamed chat: when each event came, in nanoseconds."""
    payload = json.dumps({"model": "mock-a", "messages": [{"role": "user", "content": f"load test {i}"}], "max_tokens": 5 + i, "stream": True})
    connection = http.client.HTTPConnection(os.environ["MOCK"].removeprefix("http://"))
    start = time.time_ns()
    connection.request("POST", "/v1/chat/completions", payload, {"content-type": "application/json"})
    response, stamps, outputs = connection.getresponse(), [], []
    while line := response.readline():
        if not line.strip(): continue
        stamps.append(time.time_ns())
        outputs.append({"response": line.decode() + "\n"})
    return {"timestamp": start, "request_inputs": {"payload": payload}, "response_timestamps": stamps, "response_outputs": outputs}

class Words:
    def encode(self, text): return words().encode(text).ids
    def __call__(self, texts): return {"input_ids": [self.encode(text) for text in texts]}

experiment = {"experiment": {"mode": "concurrency", "value": 1}, "requests": [request(i) for i in range(20)], "window_boundaries": []}
document = {"service_kind": "openai", "endpoint": "v1/chat/completions", "experiments": [experiment], "version": "2.59.0"}
Path("profile_export.json").write_text(json.dumps(document))
statistics = LLMProfileDataParser(Path("profile_export.json"), Words()).get_statistics("concurrency", "1")
statistics.scale_data()
stats = statistics.stats_dict
folder = SimpleNamespace(get_artifact_directory=lambda: Path("."))
config = ConfigCommand({"model_name": "mock-a"})
JsonExporter(SimpleNamespace(stats=stats, telemetry_stats={}, session_stats={}, config=config, perf_analyzer_config=folder)).export()
for metric, name in [("ttft ms", "time_to_first_token"), ("e2e ms", "request_latency")]:
    figure = {"file": "profile_export.json", "metric": metric, "n": int(stats["request_count"]["avg"]), "mean": stats[name]["avg"]}
    # A time in nanoseconds since 1970 has more digits than a number of JSON has in JavaScript.
    print("FIGURE", json.dumps({**figure, "within": 1e-4}), flush=True)
