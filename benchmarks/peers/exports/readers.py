"""Opens each export of one run with the tool that it is for, and compares what the tool holds with what was written down: see README.md."""

import csv
import glob
import io
import json
import math
import os
import sys
from importlib.metadata import version

FOLDER = sys.argv[1]
os.chdir(FOLDER)
RECORDED = {
    (f"variant-{side}", row["id"], row["repeat"]): row
    for side in (0, 1)
    for row in map(json.loads, open(f"side-{side}.jsonl", encoding="utf8"))
}
SAMPLES = {row["id"]: row for row in map(json.loads, open("samples.jsonl", encoding="utf8"))}
REPORT = json.load(open("out/report.json", encoding="utf8"))
ROWS = {(r["variant"], r["sampleId"], r["repeat"]): r for r in map(json.loads, open("out/rows.jsonl", encoding="utf8"))}
VARIANTS = {v["name"]: v for v in REPORT["variants"]}
METRICS = [metric["name"] for metric in REPORT["metrics"]]
PRICE = {"input": 1e-6, "cached": 5e-7, "output": 5e-6}
TABLE = []


def cost(row):
    usage = row.get("usage")
    # A failure of the service costs nothing.
    if usage is None:
        return 0
    cached = usage["cachedPromptTokens"]
    return (usage["promptTokens"] - cached) * PRICE["input"] + cached * PRICE["cached"] + usage["completionTokens"] * PRICE["output"]


class Check:
    """What one tool read of one export."""

    def __init__(self):
        self.values, self.faults, self.fields = 0, {}, set()

    def __call__(self, field, got, expected):
        self.values += 1
        self.fields.add(field)
        if isinstance(got, (int, float)) and isinstance(expected, (int, float)) and not isinstance(got, bool):
            equal = math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-9)
        else:
            equal = type(got) is type(expected) and got == expected
        if not equal:
            count, example = self.faults.get(field, (0, None))
            self.faults[field] = (count + 1, example or f"{got!r:.60} instead of {expected!r:.60}")


def reader(tool, package, export):
    def run(read):
        check = Check()
        try:
            read(check)
        except Exception as error:  # noqa: BLE001 - what cannot be opened is a finding, too
            check.faults["it opens"] = (1, f"{type(error).__name__}: {error}"[:300])
        faults = "; ".join(f"{field} ({count}): {example}" for field, (count, example) in check.faults.items())
        TABLE.append((tool, version(package), export, len(check.fields), check.values, faults))
        return read

    return run


def figures(variant):
    """Figures that trackers are given, by name."""
    speed = variant["speed"]
    named = {one["metric"]: one["figure"] for one in variant["quality"]}
    named |= {"availability": variant["availability"], "cost_usd.per_query": variant["cost"]["perQueryUsd"]}
    for at in ("p50", "p95"):
        named |= {f"ttft_ms.{at}": speed["ttftMs"][at], f"e2e_ms.{at}": speed["e2eMs"][at]}
    known = {}
    for name, figure in named.items():
        if figure["status"] == "known":
            ends = {f"{name}.{end}": figure[end] for end in ("low", "high") if figure.get(end) is not None}
            known |= {name: figure["value"], **ends}
    return known


@reader("evalkit's own rows beside what was recorded", "pip", "jsonl")
def own_rows(check):
    check("answers", set(ROWS), set(RECORDED))
    for key, row in ROWS.items():
        recorded = RECORDED[key]
        check("text", row["text"], recorded["text"])
        check("e2eMs", row["e2eMs"], None if "failure" in recorded else recorded["e2eMs"])
        check("costUsd", row["costUsd"], cost(recorded))


@reader("Inspect", "inspect-ai", "inspect")
def inspect(check):
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    for path in sorted(glob.glob("out/inspect/*.json")):
        log = read_eval_log(path)
        name = log.eval.model
        variant = VARIANTS[name]
        check("status", log.status, "success")
        check("task", log.eval.task, REPORT["dataset"]["name"])
        check("dataset.samples", log.eval.dataset.samples, len(SAMPLES))
        check("config.epochs", log.eval.config.epochs, 2)
        check("created", log.eval.created[:19], REPORT["run"]["startedAt"][:19])
        check("completed_at", log.stats.completed_at[:19], REPORT["run"]["finishedAt"][:19])
        check("results.total_samples", log.results.total_samples, 80)
        usage = [row["usage"] for (of, _, _), row in RECORDED.items() if of == name and "usage" in row]
        total = next(iter(log.stats.model_usage.values()), None)
        check("stats.model_usage.output_tokens", total and total.output_tokens, sum(u["completionTokens"] for u in usage))
        check("stats.model_usage.total_tokens", total and total.total_tokens, sum(u["promptTokens"] + u["completionTokens"] for u in usage))
        for score in log.results.scores:
            quality = next(one for one in variant["quality"] if one["metric"] == score.name)
            check("results.scores.value", score.metrics["value"].value, quality["figure"]["value"])
            check("results.scores.scored_samples", score.scored_samples, quality["scored"])
        check("samples", len(log.samples), 80)
        check("summaries", len(read_eval_log_sample_summaries(path)), 80)
        for sample in log.samples:
            key = (name, sample.id, sample.epoch - 1)
            recorded, row, asked = RECORDED[key], ROWS[key], SAMPLES[sample.id]
            check("input", sample.input, asked["input"])
            check("target", sample.target, asked["reference"])
            check("output.completion", sample.output.completion, recorded["text"])
            check("total_time", sample.total_time, row["e2eMs"] and row["e2eMs"] / 1000)
            check("error", sample.error and sample.error.message, recorded.get("failure", {}).get("message"))
            for metric, value in row["values"].items():
                held = (sample.scores or {}).get(metric)
                check("scores", held and held.value, value)
            if "usage" not in recorded:
                continue
            check("output.time", sample.output.time, recorded["e2eMs"] / 1000)
            check("output.model", sample.output.model, recorded["servedModel"])
            counts = recorded["usage"]
            held = sample.output.usage
            check("usage.input_tokens", held.input_tokens, counts["promptTokens"] - counts["cachedPromptTokens"])
            check("usage.input_tokens_cache_read", held.input_tokens_cache_read, counts["cachedPromptTokens"])
            check("usage.output_tokens", held.output_tokens, counts["completionTokens"])
            check("usage.total_tokens", held.total_tokens, counts["promptTokens"] + counts["completionTokens"])
            check("usage.reasoning_tokens", held.reasoning_tokens, counts["reasoningTokens"])
            check("usage.total_cost", held.total_cost, cost(recorded))
            message = sample.output.choices[0].message
            check("stop_reason", sample.output.stop_reason, "max_tokens" if recorded.get("finishReason") == "length" else "tool_calls" if recorded.get("toolCalls") else "stop")
            check("tool_calls", [(c.id, c.function, c.arguments) for c in message.tool_calls or []], [(c["id"], c["name"], c["arguments"]) for c in recorded.get("toolCalls", [])])
            reasoning = [part.reasoning for part in message.content if part.type == "reasoning"] if isinstance(message.content, list) else []
            check("reasoning", reasoning, [recorded["reasoning"]] if "reasoning" in recorded else [])


@reader("Inspect's data frames", "inspect-ai", "inspect")
def inspect_frames(check):
    import pandas
    from inspect_ai.analysis import evals_df, samples_df

    evals, samples = evals_df("out/inspect", quiet=True), samples_df("out/inspect", quiet=True)
    check("evals", len(evals), len(VARIANTS))
    check("samples", len(samples), len(RECORDED))
    for _, row in samples.iterrows():
        model = evals[evals.eval_id == row.eval_id].model.iloc[0]
        recorded = RECORDED[(model, row.id, int(row.epoch) - 1)]
        check("total_time", None if pandas.isna(row.total_time) else float(row.total_time), None if "failure" in recorded else recorded["e2eMs"] / 1000)
        check("error", row.error, recorded.get("failure", {}).get("message", ""))


def milliseconds(iso):
    from datetime import datetime

    return round(datetime.fromisoformat(iso.replace("Z", "+00:00")).timestamp() * 1000)


@reader("MLflow, file store", "mlflow", "mlflow")
def mlflow(check):
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    from mlflow import MlflowClient

    # Its artifacts are named from the folder that was exported into.
    os.chdir(f"{FOLDER}/out/mlflow")
    client = MlflowClient(tracking_uri="mlruns")
    experiments = [one for one in client.search_experiments() if one.name != "Default"]
    check("experiments", len(experiments), 1)
    runs = client.search_runs([experiments[0].experiment_id])
    check("runs", {run.info.run_name for run in runs}, set(VARIANTS))
    for run in runs:
        variant = VARIANTS[run.info.run_name]
        check("status", run.info.status, "FINISHED")
        check("start_time", run.info.start_time, milliseconds(REPORT["run"]["startedAt"]))
        check("end_time", run.info.end_time, milliseconds(REPORT["run"]["finishedAt"]))
        expected = figures(variant)
        check("metrics", set(run.data.metrics), set(expected))
        for name, value in expected.items():
            check("metric", run.data.metrics.get(name), value)
        history = client.get_metric_history(run.info.run_id, "exactMatch")
        check("metric.timestamp", history[0].timestamp, milliseconds(REPORT["run"]["finishedAt"]))
        check("param model", run.data.params["model"], variant["model"])
        check("tag run", run.data.tags["evalkit.run"], REPORT["run"]["id"])
        check("artifacts", [one.path for one in client.list_artifacts(run.info.run_id)], ["variant.json"])
    os.chdir(FOLDER)


@reader("W&B, offline", "wandb", "wandb")
def wandb(check):
    os.environ |= {"WANDB_MODE": "offline", "WANDB_SILENT": "true", "WANDB_DIR": FOLDER}
    import wandb as tool

    lines = [json.loads(line) for line in open("out/x.wandb", encoding="utf8")]
    check("runs", [one["init"]["name"] for one in lines if one["type"] == "run"], list(VARIANTS))
    for line in (one for one in lines if one["type"] == "run"):
        with tool.init(project="evalkit", **line["init"]) as run:
            run.summary.update(line["summary"])
            name = line["init"]["name"]
            rows = [one for one in lines if one["type"] == "row" and one["run"] == line["init"]["id"]]
            table = tool.Table(columns=["sample", "repeat", "outcome", "e2e_ms", "cost_usd", *METRICS])
            for row in rows:
                table.add_data(row["sample"], row["repeat"], row["outcome"], row["e2e_ms"], row["cost_usd"], *(row["scores"][m] for m in METRICS))
                recorded = RECORDED[(name, row["sample"], row["repeat"])]
                check("row e2e_ms", row["e2e_ms"], ROWS[(name, row["sample"], row["repeat"])]["e2eMs"])
                check("row cost_usd", row["cost_usd"], cost(recorded))
                check("row scores", row["scores"], ROWS[(name, row["sample"], row["repeat"])]["values"])
            run.log({"answers": table})
            check("rows", len(rows), 80)
            check("config.model", run.config["model"], VARIANTS[name]["model"])
            for key, value in figures(VARIANTS[name]).items():
                check("summary", run.summary[key], value)


COLUMNS = ("outcome", "source", "text", "ttftMs", "e2eMs", "tpotMs", "promptTokens", "completionTokens", "costUsd", "retries", "failure")


def table_rows(check, rows, prefix):
    """Rows of a table, as dicts with None for what is not there."""
    check("rows", len(rows), len(ROWS))
    for row in rows:
        own = ROWS[(row["variant"], row["sampleId"], int(row["repeat"]))]
        for column in COLUMNS:
            expected = own[column]
            # In CSV, nothing and an empty text are one.
            check(column, row[column] if row[column] is not None or expected != "" else "", expected)
        for metric in METRICS:
            check("scores", row[f"{prefix}{metric}"], own["values"][metric])


def plain(frame):
    return [{key: None if value is None or value != value else value for key, value in row.items()} for row in frame.astype(object).to_dict("records")]


@reader("pandas", "pandas", "answers-csv --exact")
def pandas_csv(check):
    import pandas

    table_rows(check, plain(pandas.read_csv("out/x.answers-csv", keep_default_na=False, na_values={c: [""] for c in (*COLUMNS, *METRICS)})), "")


@reader("pandas", "pandas", "csv")
def pandas_variants(check):
    import pandas

    for row in plain(pandas.read_csv("out/x.csv")):
        for one in VARIANTS[row["variant"]]["quality"]:
            check("figure", row[one["metric"]], one["figure"]["value"])
            check("n", row[f"{one['metric']} n"], one["figure"]["n"])


@reader("Python's csv", "pip", "answers-csv --exact")
def python_csv(check):
    rows = list(csv.DictReader(io.StringIO(open("out/x.answers-csv", encoding="utf8", newline="").read(), newline="")))
    check("rows", len(rows), len(ROWS))
    for row in rows:
        own = ROWS[(row["variant"], row["sampleId"], int(row["repeat"]))]
        check("text", row["text"], own["text"])
        check("failure", row["failure"], own["failure"] or "")
        check("input", row["input"], own["input"])


@reader("pandas, pyarrow", "pyarrow", "parquet")
def pandas_parquet(check):
    import pandas

    frame = pandas.read_parquet("out/x.parquet")
    table_rows(check, plain(frame), "value: ")
    for _, row in frame.iterrows():
        own = ROWS[(row["variant"], row["sampleId"], row["repeat"])]
        check("references", json.loads(row.references), own["references"])


@reader("datasets", "datasets", "parquet")
def datasets_parquet(check):
    import datasets

    table_rows(check, list(datasets.Dataset.from_parquet("out/x.parquet", cache_dir="cache")), "value: ")


@reader("datasets", "datasets", "jsonl")
def datasets_jsonl(check):
    import datasets

    rows = list(datasets.Dataset.from_json("out/rows.jsonl", cache_dir="cache"))
    table_rows(check, [row | row["values"] for row in rows], "")
    for row in rows:
        check("references", row["references"], ROWS[(row["variant"], row["sampleId"], row["repeat"])]["references"])


def duckdb_rows(check, query, prefix):
    import duckdb

    found = duckdb.sql(query)
    table_rows(check, [dict(zip(found.columns, row)) for row in found.fetchall()], prefix)


@reader("DuckDB", "duckdb", "parquet")
def duckdb_parquet(check):
    duckdb_rows(check, "SELECT * FROM read_parquet('out/x.parquet')", "value: ")


@reader("DuckDB", "duckdb", "answers-csv --exact")
def duckdb_csv(check):
    duckdb_rows(check, "SELECT * FROM read_csv('out/x.answers-csv')", "")


@reader("DuckDB", "duckdb", "jsonl")
def duckdb_jsonl(check):
    duckdb_rows(check, 'SELECT *, "values".* FROM read_json(\'out/rows.jsonl\')', "")


def attributes(one):
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in one.attributes}


def otlp_lines(path, kind):
    from google.protobuf.json_format import Parse

    for line in open(path, encoding="utf8"):
        # Ids are hexadecimal in OTLP's JSON, where protobuf's own has base64.
        yield Parse(base64_ids(line), kind())


def base64_ids(line):
    import base64

    def walk(value):
        if isinstance(value, list):
            return [walk(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {k: base64.b64encode(bytes.fromhex(v)).decode() if k in ("traceId", "spanId") else walk(v) for k, v in value.items()}

    return json.dumps(walk(json.loads(line)))


@reader("opentelemetry-proto", "opentelemetry-proto", "otlp")
def otlp(check):
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    spans = [s for request in otlp_lines("out/x.otlp", ExportTraceServiceRequest) for r in request.resource_spans for scope in r.scope_spans for s in scope.spans]
    check("spans", len(spans), len(RECORDED))
    check("ids are unique", len({s.span_id for s in spans}), len(RECORDED))
    kinds = {}
    for span in spans:
        held = attributes(span)
        for key, value in held.items():
            kinds.setdefault(key, set()).add(type(value).__name__)
        key = (held["evalkit.variant"], held["evalkit.sample.id"], held["evalkit.repeat"])
        recorded, row = RECORDED[key], ROWS[key]
        check("duration", (span.end_time_unix_nano - span.start_time_unix_nano) / 1e6, recorded["e2eMs"])
        check("status", span.status.code, 2 if "failure" in recorded else 1)
        check("error.type", held.get("error.type"), recorded.get("outcome"))
        check("http.response.status_code", held.get("http.response.status_code"), recorded.get("httpStatus"))
        check("gen_ai.request.model", held["gen_ai.request.model"], VARIANTS[key[0]]["model"])
        check("gen_ai.response.model", held.get("gen_ai.response.model"), recorded.get("servedModel"))
        usage = recorded.get("usage", {})
        for name, of in (("input_tokens", "promptTokens"), ("output_tokens", "completionTokens"), ("cache_read.input_tokens", "cachedPromptTokens"), ("reasoning.output_tokens", "reasoningTokens")):
            check(f"gen_ai.usage.{name}", held.get(f"gen_ai.usage.{name}"), usage.get(of))
        reasons = list(held["gen_ai.response.finish_reasons"].values) if "gen_ai.response.finish_reasons" in held else []
        expected = "error" if "failure" in recorded else "length" if recorded.get("finishReason") else "tool_call" if recorded.get("toolCalls") else "stop"
        check("gen_ai.response.finish_reasons", [one.string_value for one in reasons], [expected])
        check("evalkit.cost.usd", held.get("evalkit.cost.usd"), cost(recorded))
        for metric, value in row["values"].items():
            check("evalkit.metric", held.get(f"evalkit.metric.{metric}"), value)
        first = [e for e in span.events if e.name == "first token"]
        check("first token", [(e.time_unix_nano - span.start_time_unix_nano) / 1e6 for e in first], [] if "failure" in recorded else [recorded["ttftMs"]])
    for key, types in kinds.items():
        check("one type an attribute", sorted(types), sorted(types)[:1])


@reader("opentelemetry-proto", "opentelemetry-proto", "otlp-logs")
def otlp_logs(check):
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    records = [l for request in otlp_lines("out/x.otlp-logs", ExportLogsServiceRequest) for r in request.resource_logs for scope in r.scope_logs for l in scope.log_records]
    scored = 0
    for record in records:
        held = attributes(record)
        row = ROWS[(held["evalkit.variant"], held["evalkit.sample.id"], held["evalkit.repeat"])]
        value = row["values"][held["gen_ai.evaluation.name"]]
        scored += value is not None
        check("event_name", record.event_name, "gen_ai.evaluation.result")
        check("gen_ai.evaluation.score.value", held.get("gen_ai.evaluation.score.value"), None if value is None else float(value))
        check("error.type", "error.type" in held, value is None)
    check("scores", scored, sum(value is not None for row in ROWS.values() for value in row["values"].values()))


@reader("opentelemetry-proto", "opentelemetry-proto", "otlp-metrics")
def otlp_metrics(check):
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

    metrics = {m.name: m for request in otlp_lines("out/x.otlp-metrics", ExportMetricsServiceRequest) for r in request.resource_metrics for scope in r.scope_metrics for m in scope.metrics}
    for name in VARIANTS:
        usage = [row["usage"] for (of, _, _), row in RECORDED.items() if of == name and "usage" in row]
        for token, field in (("input", "promptTokens"), ("output", "completionTokens")):
            points = [p for p in metrics["gen_ai.client.token.usage"].histogram.data_points if (a := attributes(p))["evalkit.variant"] == name and a["gen_ai.token.type"] == token]
            check("token.usage points", len(points), 1)
            check("token.usage sum", points[0].sum, sum(u[field] for u in usage))
            check("token.usage count", points[0].count, len(usage))
            check("token.usage buckets", sum(points[0].bucket_counts), len(usage))
            check("token.usage bounds", len(points[0].bucket_counts), len(points[0].explicit_bounds) + 1)
        for one in VARIANTS[name]["quality"]:
            points = [p for p in metrics["evalkit.quality"].gauge.data_points if (a := attributes(p))["evalkit.variant"] == name and a["evalkit.metric.name"] == one["metric"] and a["evalkit.bound"] == "value"]
            check("quality", [p.as_double for p in points], [float(one["figure"]["value"])])
    check("unit", metrics["gen_ai.client.token.usage"].unit, "{token}")


@reader("junitparser", "junitparser", "junit")
def junit(check):
    from junitparser import JUnitXml

    xml = JUnitXml.fromfile("out/x.junit")
    # Its iteration counts anew, from the cases.
    check("time", xml.time, round(REPORT["run"]["durationMs"] / 1000, 3))
    stated = xml.tests, xml.failures, xml.errors
    cases = [(suite.name, case) for suite in xml for case in suite]
    check("tests", xml.tests, len(cases))
    check("failures", xml.failures, sum(rule["status"] == "failed" for rule in REPORT["gate"]))
    check("skipped", xml.skipped, sum(suite.skipped for suite in xml))
    check("counts", stated, (xml.tests, xml.failures, xml.errors))
    gate = {case.name: [(type(r).__name__.lower(), r.message) for r in case.result] for name, case in cases if name == "gate"}
    for rule in REPORT["gate"]:
        expected = [] if rule["status"] == "passed" else [("failure" if rule["status"] == "failed" else "error", rule["message"])]
        check("gate", gate.get(f"{rule['variant']}: {rule['rule']}"), expected)
    check("verdicts", sum(name == "verdicts" for name, _ in cases), len(REPORT["comparisons"]))


print("| tool | version | export | fields | values | differs |\n| --- | --- | --- | ---: | ---: | --- |")
for row in TABLE:
    print("| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") or "nothing" for cell in row) + " |")
sys.exit(1 if any(row[-1] for row in TABLE) else 0)
