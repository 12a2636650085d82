import { UsageError } from "../../core/errors.ts"
import { createTurns } from "../../core/interruption.ts"
import type { Highlight, ReportAnswer, ReportInput, ReportSample, RunReport } from "../../core/report/report.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore, StoredRow } from "../../core/run/run-store.ts"
import { highlightsOf, isDisputed } from "./answer-marks.ts"
import { judgeReasons } from "./judge-reasons.ts"

/**
 * What renderers receive for a run: its report, and its samples as a stream.
 *
 * @param signal ends the stream
 */
export function reportInput(store: RunStore, record: RunRecord, signal?: AbortSignal): ReportInput {
  const report = store.report(record.id)
  if (!report) {
    throw new UsageError("the run has no report yet", {
      code: "no_report",
      where: `run ${record.id} (${record.status})`,
      hint: "finish it with: evalkit run --resume",
    })
  }
  return {
    report,
    samples: () => reportSamples(store, record, report, signal),
    media: (sha256) => store.media(sha256),
  }
}

async function* reportSamples(
  store: RunStore,
  record: RunRecord,
  report: RunReport,
  signal: AbortSignal | undefined,
): AsyncIterable<ReportSample> {
  const metrics = report.metrics.map(({ name }) => name)
  const turn = createTurns(signal)
  for (const sample of store.samples(record.dataset.fingerprint)) {
    const wait = turn()
    if (wait) await wait
    let answers: readonly ReportAnswer[] | null = null
    yield {
      sample,
      // A page that holds a part of the samples does not look at the answers to the others.
      get answers() {
        answers ??= answersTo(sample.id, store, record, metrics)
        return answers
      },
    }
  }
}

function answersTo(
  sampleId: string,
  store: RunStore,
  record: RunRecord,
  metrics: readonly string[],
): readonly ReportAnswer[] {
  const answers: ReportAnswer[] = []
  for (const { name: variant } of record.variants) {
    for (let repeat = 0; repeat < record.repeats; repeat++) {
      const key = { variant, sampleId, repeat }
      const generation = store.generation(record.id, key)
      if (!generation) continue
      const rows = store.answerRows(record.id, key)
      answers.push({ generation, ...valuesOf(rows, metrics), ...marksOf(rows, generation.text) })
    }
  }
  return answers
}

function valuesOf(rows: readonly StoredRow[], metrics: readonly string[]): Pick<ReportAnswer, "values" | "reasons"> {
  const byMetric = new Map(rows.map((row) => [row.metric, row]))
  const reasons: [string, string][] = []
  const values = metrics.map((metric): [string, number | null] => {
    const measured = byMetric.get(metric)?.measured
    if (measured?.status === "unscored") reasons.push([metric, measured.reason])
    const said = measured?.status === "scored" ? judgeReasons(measured.row) : null
    if (said !== null) reasons.push([metric, said])
    return [metric, byMetric.get(metric)?.value ?? null]
  })
  return { values: Object.fromEntries(values), reasons: Object.fromEntries(reasons) }
}

/** What the rows of an answer mark in it: passages that a metric objects to, and judges who disagree. */
function marksOf(rows: readonly StoredRow[], text: string): Pick<ReportAnswer, "highlights" | "disputed"> {
  const highlights: Highlight[] = []
  const disputed: string[] = []
  for (const { metric, measured } of rows) {
    if (isDisputed(measured.status === "scored" ? measured.row : measured.details)) disputed.push(metric)
    if (measured.status === "scored") highlights.push(...highlightsOf(metric, measured.row, text))
  }
  return { ...(highlights.length > 0 && { highlights }), ...(disputed.length > 0 && { disputed }) }
}
