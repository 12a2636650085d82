"""Spans, events and metrics of an export for OpenTelemetry, as its protocol's own messages hold them."""

import base64
import json
import os

from common import RECORDED, ROWS, VARIANTS, cost, reader


def attributes(one):
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in one.attributes}


def otlp_lines(path, kind):
    from google.protobuf.json_format import Parse

    for line in open(path, encoding="utf8"):
        # Ids are hexadecimal in OTLP's JSON, where protobuf's own has base64.
        yield Parse(base64_ids(line), kind())


def base64_ids(line):
    def walk(value):
        if isinstance(value, list):
            return [walk(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {k: base64.b64encode(bytes.fromhex(v)).decode() if k in ("traceId", "spanId") else walk(v) for k, v in value.items()}

    return json.dumps(walk(json.loads(line)))


def spans(file="x"):
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    return [s for request in otlp_lines(f"out/{file}.otlp", ExportTraceServiceRequest) for r in request.resource_spans for scope in r.scope_spans for s in scope.spans]


def otlp(check, file):
    held_spans = spans(file)
    check("spans", len(held_spans), len(RECORDED))
    check("ids are unique", len({s.span_id for s in held_spans}), len(RECORDED))
    kinds = {}
    for span in held_spans:
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


def otlp_logs(check, file):
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    records = [l for request in otlp_lines(f"out/{file}.otlp-logs", ExportLogsServiceRequest) for r in request.resource_logs for scope in r.scope_logs for l in scope.log_records]
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


def otlp_metrics(check, file):
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

    metrics = {m.name: m for request in otlp_lines(f"out/{file}.otlp-metrics", ExportMetricsServiceRequest) for r in request.resource_metrics for scope in r.scope_metrics for m in scope.metrics}
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


for file, tool in (("x", "opentelemetry-proto"), ("collected", "OpenTelemetry collector, read with opentelemetry-proto")):
    for read, export in ((otlp, "otlp"), (otlp_logs, "otlp-logs"), (otlp_metrics, "otlp-metrics")):
        if os.path.exists(f"out/{file}.{export}"):
            reader(tool, "opentelemetry-proto", export)(lambda check: read(check, file))
