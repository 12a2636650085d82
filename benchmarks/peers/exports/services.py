"""Files for stores and services: Every Eval Ever's validator, Langfuse's client, Prometheus, an OpenTelemetry collector."""

import glob
import json
import os
import shutil
import subprocess

from common import RECORDED, ROWS, VARIANTS, reader


@reader("Every Eval Ever's validator", "every-eval-ever", "every-eval-ever")
def every_eval_ever(check):
    from every_eval_ever.eval_types import EvaluationLog
    from every_eval_ever.instance_level_types import InstanceLevelEvaluationLog
    from every_eval_ever.validator import validate

    names = []
    for path in glob.glob("out/every-eval-ever/*.json"):
        log = EvaluationLog.model_validate_json(open(path, encoding="utf8").read())
        variant = VARIANTS[log.model_info.name]
        for result in log.evaluation_results:
            one = next(q for q in variant["quality"] if q["metric"] == result.metric_config.metric_id)
            uncertainty = result.score_details.uncertainty
            check("score", result.score_details.score, one["figure"]["value"])
            check("num_samples", uncertainty.num_samples, one["scored"])
            interval = uncertainty.confidence_interval
            check("confidence_interval", interval and [interval.lower, interval.upper], [one["figure"]["low"], one["figure"]["high"]] if one["figure"].get("low") is not None else None)
        # The path where the format's store keeps them.
        samples = log.detailed_evaluation_results.file_path
        os.makedirs(f"eee/{os.path.dirname(samples)}", exist_ok=True)
        for own, stored in ((path, samples.replace("_samples.jsonl", ".json")), (path.replace(".json", "_samples.jsonl"), samples)):
            shutil.copy(own, f"eee/{stored}")
            names.append(stored)
        for line in open(f"eee/{samples}", encoding="utf8"):
            held = InstanceLevelEvaluationLog.model_validate_json(line)
            key = (log.model_info.name, held.sample_id, int(held.metadata["evalkit_repeat"]))
            recorded, row = RECORDED[key], ROWS[key]
            value = row["values"][held.evaluation_name.split(".")[-1]]
            check("evaluation.score", held.evaluation.score, 0 if value is None else value)
            check("error", held.error is not None, value is None)
            check("output.raw", held.output.raw, [recorded["text"]])
            check("latency_ms", held.performance.latency_ms, row["e2eMs"])
            usage = recorded.get("usage")
            check("token_usage", held.token_usage and held.token_usage.total_tokens, usage and usage["promptTokens"] + usage["completionTokens"])
    done = subprocess.run([os.path.join(os.path.dirname(os.sys.executable), "every_eval_ever"), "validate", "--format", "json", *names], cwd="eee", capture_output=True, text=True)
    for file in json.loads(done.stdout):
        check("validate", file["errors"], [])


@reader("Langfuse's client (its types)", "langfuse", "langfuse")
def langfuse(check):
    from langfuse.api import CreateScoreRequest
    from langfuse.api.core.pydantic_utilities import parse_obj_as
    from otlp import spans

    answers = {(s.trace_id.hex(), s.span_id.hex()) for s in spans()}
    scores = [parse_obj_as(CreateScoreRequest, json.loads(line)) for line in open("out/x.langfuse", encoding="utf8")]
    check("scores", len(scores), sum(value is not None for row in ROWS.values() for value in row["values"].values()))
    for score in scores:
        at = score.metadata
        check("value", score.value, ROWS[(at["variant"], at["sample"], at["repeat"])]["values"][score.name])
        check("traceId, observationId of the spans", (score.trace_id, score.observation_id) in answers, True)
        check("dataType", score.data_type.value, "NUMERIC")
        check("unknown fields", sorted(score.model_extra or {}), [])


@reader("Prometheus' client", "prometheus-client", "prometheus")
def prometheus(check):
    from prometheus_client.parser import text_string_to_metric_families

    families = {f.name: f for f in text_string_to_metric_families(open("out/bench.prometheus", encoding="utf8").read())}
    for level in json.load(open("out/bench.json", encoding="utf8")):
        load = f"{level['concurrency']} in flight"
        for family, figure in (("time_to_first_token", "ttft_ms"), ("request_latency", "e2e_ms"), ("time_per_output_token", "tpot_ms")):
            for percentile in ("50", "99"):
                held = [s.value for f in families.values() if f.name == f"evalkit_bench_{family}_seconds" for s in f.samples if (s.labels["load"], s.labels["percentile"], s.labels["bound"]) == (load, percentile, "value")]
                # What the client's own error voids is left out.
                if held:
                    check(family, held, [level[figure][f"p{percentile}"] / 1000])
        held = [s.value for s in families["evalkit_bench_availability_ratio"].samples if (s.labels["load"], s.labels["bound"]) == (load, "value")]
        check("availability", held, [level["availability"]])
    for family in families.values():
        check("type", family.type, "gauge")


if shutil.which("promtool"):
    told = subprocess.run(["promtool", "--version"], capture_output=True, text=True)

    @reader(" ".join((told.stdout + told.stderr).split()[:3]).replace(",", ""), None, "prometheus")
    def promtool(check):
        done = subprocess.run(["promtool", "check", "metrics"], stdin=open("out/bench.prometheus", encoding="utf8"), capture_output=True, text=True)
        check("check metrics", done.stderr + done.stdout, "")
