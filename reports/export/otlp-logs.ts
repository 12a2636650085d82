import { isUnscoredCode } from "../../src/core/metric/unscored-code.ts"
import type { ReportInput, RunReport } from "../../src/core/report/report.ts"
import type { ReportAnswer } from "../../src/core/report/report-sample.ts"
import { type OtlpAttribute, otlpAttributes, otlpIds, otlpResource, otlpScope, otlpStamp } from "./otlp-attributes.ts"
import { jsonBatches, type Write } from "./write.ts"

/** A score of one answer, or why there is none. */
export interface EvaluationResult {
  readonly metric: string
  readonly value: number | null
  /** Null where there is a value. */
  readonly reason: string | null
}

/**
 * The scores of a run as OpenTelemetry log events `gen_ai.evaluation.result` in OTLP/JSON, one `ExportLogsServiceRequest` a line. Each
 * belongs to the span that `otlp` writes for its answer. Names follow the GenAI semantic conventions of OpenTelemetry. An answer
 * that a metric has no score for has no value, but `error.type` and the reason as explanation.
 */
export async function renderOtlpLogs(input: ReportInput, write: Write): Promise<void> {
  const { report } = input
  const out = jsonBatches(write, (logRecords) => ({
    resourceLogs: [{ resource: otlpResource(report), scopeLogs: [{ scope: otlpScope(report), logRecords }] }],
  }))
  for await (const { answers } of input.samples())
    await out.push(
      answers.flatMap((answer) => evaluationResults(report, answer).map((result) => logRecord(report, answer, result))),
    )
  await out.end()
}

/** What the metrics say of an answer. One that has no figure for a single answer says nothing of it. */
export function evaluationResults({ metrics }: RunReport, { values, reasons }: ReportAnswer): EvaluationResult[] {
  return metrics.flatMap(({ name }): EvaluationResult[] => {
    const value = values[name] ?? null
    if (value !== null) return [{ metric: name, value, reason: null }]
    const reason = reasons[name]
    return reason === undefined ? [] : [{ metric: name, value: null, reason }]
  })
}

/** A score in the words of the semantic convention, whose values are doubles. */
export function evaluationAttributes({ metric, value, reason }: EvaluationResult): OtlpAttribute[] {
  const [code = ""] = (reason ?? "").split(":", 1)
  return otlpAttributes({
    "gen_ai.evaluation.name": metric,
    "gen_ai.evaluation.score.value": value === null ? null : { doubleValue: value },
    "gen_ai.evaluation.explanation": reason?.slice(0, 1000),
    "error.type": value !== null ? null : isUnscoredCode(code) ? code : "_OTHER",
  })
}

function logRecord(report: RunReport, { generation }: ReportAnswer, result: EvaluationResult): object {
  const timeUnixNano = otlpStamp(report.run.startedAt, generation.log.endMs)
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber: 9,
    eventName: "gen_ai.evaluation.result",
    ...otlpIds(report, generation),
    attributes: [
      ...evaluationAttributes(result),
      ...otlpAttributes({
        "evalkit.variant": generation.variant,
        "evalkit.sample.id": generation.sampleId,
        "evalkit.repeat": generation.repeat,
      }),
    ],
  }
}
