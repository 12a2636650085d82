"""Opens each export of one run with the tool that it is for, and compares what the tool holds with what was written down: see README.md."""

import csv
import glob
import io
import json
import os
import sys

import otlp  # noqa: F401 - readers, too
import services  # noqa: F401
from common import FOLDER, METRICS, RECORDED, REPORT, ROWS, SAMPLES, TABLE, VARIANTS, cost, reader


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


@reader("evalkit's own rows beside what was recorded", None, "jsonl")
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


@reader("Python's csv", None, "answers-csv --exact")
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
