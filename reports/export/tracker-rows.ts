import type { ReportInput, RunReport, VariantReport } from "../../src/core/report/report.ts"
import { trackedFigures } from "../../src/core/report/tracked-figures.ts"
import { terminalJson } from "../../src/core/terminal-json.ts"
import { answerLatency } from "../../src/perf/answer-latency.ts"
import { otlpIds } from "./otlp-attributes.ts"
import { buffered, type Write } from "./write.ts"

/**
 * The scores of a run as Langfuse takes them (`POST /api/public/scores`), a body a line. Trace and observation are those of the spans
 * that `otlp` writes, so that scores join the traces that were sent there. What has no score has no line: Langfuse has no score
 * without a value. The id of a score stays the same, so that a second upload replaces the first.
 */
export async function renderLangfuse(input: ReportInput, write: Write): Promise<void> {
  const { report } = input
  const out = buffered(write)
  for await (const { sample, answers } of input.samples())
    for (const { generation, values } of answers) {
      const { traceId, spanId } = otlpIds(report, generation)
      for (const { name, signature } of report.metrics) {
        const value = values[name]
        if (value === null || value === undefined) continue
        await out.push(
          line({
            id: `${spanId}-${name}`,
            traceId,
            observationId: spanId,
            name,
            value,
            dataType: "NUMERIC",
            comment: signature,
            metadata: {
              run: report.run.id,
              variant: generation.variant,
              sample: sample.id,
              repeat: generation.repeat,
              outcome: generation.outcome,
            },
          }),
        )
      }
    }
  await out.end()
}

/**
 * A run for Weights & Biases: a line `{"type": "run"}` for each variant with the arguments of `wandb.init` and its summary, then a
 * line `{"type": "row"}` for each answer, for a table. Figures that are unknown are left out of the summary and named with the
 * reason in `config.unknown`; a score that is missing is null.
 */
export async function renderWandb(input: ReportInput, write: Write): Promise<void> {
  const { report } = input
  const out = buffered(write)
  for (const variant of report.variants) await out.push(line(runLine(report, variant)))
  for await (const { sample, answers } of input.samples())
    for (const { generation, values, reasons } of answers) {
      const { ttftMs, e2eMs } = answerLatency(generation)
      await out.push(
        line({
          type: "row",
          run: runId(report, generation.variant),
          sample: sample.id,
          repeat: generation.repeat,
          outcome: generation.outcome,
          scores: Object.fromEntries(report.metrics.map(({ name }) => [name, values[name] ?? null])),
          reasons,
          ttft_ms: ttftMs,
          e2e_ms: e2eMs,
          cost_usd: generation.cost.status === "known" ? generation.cost.usd : null,
        }),
      )
    }
  await out.end()
}

function runLine(report: RunReport, variant: VariantReport): object {
  const figures = trackedFigures(variant)
  const values = figures.flatMap(([name, figure]) =>
    figure.status === "unknown"
      ? []
      : [
          [name, figure.value] as const,
          ...(figure.low == null ? [] : [[`${name}.low`, figure.low] as const]),
          ...(figure.high == null ? [] : [[`${name}.high`, figure.high] as const]),
        ],
  )
  const unknown = figures.flatMap(([name, figure]) => (figure.status === "unknown" ? [[name, figure.reason]] : []))
  const decided = report.decision?.candidates.find(({ candidate }) => candidate === variant.name)
  return {
    type: "run",
    init: {
      id: runId(report, variant.name),
      name: variant.name,
      group: report.run.id,
      job_type: "evaluation",
      config: {
        run: report.run.name,
        dataset: report.dataset.name,
        dataset_fingerprint: report.dataset.fingerprint,
        model: variant.model,
        provider: variant.provider,
        quantization: variant.quantization,
        baseline: variant.baseline,
        seed: report.run.seed,
        repeats: report.run.repeats,
        signatures: Object.fromEntries(report.metrics.map(({ name, signature }) => [name, signature])),
        unknown: Object.fromEntries(unknown),
      },
    },
    summary: {
      ...Object.fromEntries(values),
      ...(decided && { verdict: decided.verdict, verdict_sentence: decided.sentence }),
    },
  }
}

/** A run's id as Weights & Biases takes it: letters and digits. */
function runId(report: RunReport, variant: string): string {
  return otlpIds(report, { variant, sampleId: "", repeat: 0 }).spanId
}

function line(value: object): string {
  return `${terminalJson(value)}\n`
}
