import type { Generation } from "../../src/core/generation.ts"
import { isAnswered, isFailure } from "../../src/core/outcome.ts"
import type { ReportInput, RunReport } from "../../src/core/report/report.ts"
import type { ReportAnswer } from "../../src/core/report/report-sample.ts"
import {
  otlpAttributes as attributes,
  otlpIds,
  otlpResource,
  otlpScope,
  otlpStamp as stamp,
} from "./otlp-attributes.ts"
import { type EvaluationResult, evaluationAttributes, evaluationResults } from "./otlp-logs.ts"
import { jsonBatches, type Write } from "./write.ts"

/**
 * The requests of a run as OpenTelemetry spans in OTLP/JSON, one `ExportTraceServiceRequest` per line (the form of the
 * collector's `otlpjsonfile` receiver, and of a POST to `/v1/traces` each). Names follow the GenAI semantic conventions
 * of OpenTelemetry (`gen_ai.*`); each score is an event `gen_ai.evaluation.result` of its span, and an attribute
 * `evalkit.metric.NAME`. Prompts and answers stay out. Ids
 * are hashes, so that the same run gives the same spans. Stamps are the run's start plus monotonic time.
 */
export async function renderOtlp(input: ReportInput, write: Write): Promise<void> {
  const { report } = input
  const out = jsonBatches(write, (spans) => ({
    resourceSpans: [{ resource: otlpResource(report), scopeSpans: [{ scope: otlpScope(report), spans }] }],
  }))
  for await (const { answers } of input.samples()) await out.push(answers.map((answer) => span(report, answer)))
  await out.end()
}

function span(report: RunReport, answer: ReportAnswer): object {
  const { run, variants } = report
  const { generation, values } = answer
  const { variant, sampleId, repeat, log, usage, outcome } = generation
  const entry = variants.find((variantReport) => variantReport.name === variant)
  return {
    ...otlpIds(report, generation),
    name: `chat ${entry?.model ?? variant}`,
    kind: 3,
    startTimeUnixNano: stamp(run.startedAt, log.sendMs),
    endTimeUnixNano: stamp(run.startedAt, log.endMs),
    attributes: attributes({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": entry?.provider,
      "gen_ai.request.model": entry?.model,
      "gen_ai.response.model": generation.servedModel,
      "gen_ai.response.finish_reasons": { arrayValue: { values: [{ stringValue: finishReason(generation) }] } },
      "gen_ai.usage.input_tokens": usage.promptTokens,
      "gen_ai.usage.cache_read.input_tokens": usage.cachedPromptTokens,
      "gen_ai.usage.output_tokens": usage.completionTokens,
      "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens,
      "http.response.status_code": generation.httpStatus,
      "error.type": isAnswered(outcome) ? null : outcome,
      "evalkit.variant": variant,
      "evalkit.sample.id": sampleId,
      "evalkit.repeat": repeat,
      "evalkit.source": generation.source,
      "evalkit.cost.usd": generation.cost.status === "known" ? { doubleValue: generation.cost.usd } : null,
      ...Object.fromEntries(
        Object.entries(values).map(([metric, value]) => [
          `evalkit.metric.${metric}`,
          value === null ? null : { doubleValue: value },
        ]),
      ),
    }),
    events: [
      ...firstToken(run.startedAt, generation),
      ...evaluationResults(report, answer).map((result) => evaluation(stamp(run.startedAt, log.endMs), result)),
    ],
    status: { code: isAnswered(outcome) ? 1 : 2 },
  }
}

/** Why an answer ended, in the words of the semantic convention. */
function finishReason({ outcome, toolCalls }: Generation): string {
  if (outcome === "length" || outcome === "length_empty") return "length"
  if (outcome === "refused") return "content_filter"
  return isFailure(outcome) ? "error" : toolCalls.length > 0 ? "tool_call" : "stop"
}

function firstToken(startedAt: string, { log }: Generation): object[] {
  const first = log.events.find((event) => event.bytes > 0)
  return first ? [{ timeUnixNano: stamp(startedAt, first.atMs), name: "first token" }] : []
}

function evaluation(timeUnixNano: string, result: EvaluationResult): object {
  return { timeUnixNano, name: "gen_ai.evaluation.result", attributes: evaluationAttributes(result) }
}
