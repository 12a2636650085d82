import { UsageError } from "../core/errors.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Highlight, ReportAnswer, ReportInput, ReportSample, RunReport } from "../core/report/report.ts"
import type { RunRecord } from "../core/run-record.ts"
import type { RunStore, StoredRow } from "../core/run-store.ts"
import { highlightsOf, isDisputed } from "./answer-marks.ts"
import { judgeReasons } from "./judge-reasons.ts"

/**
 * The run that a person means: an id, the beginning of one, or the newest run when nothing is given.
 * @throws {UsageError} when there is none, or more than one
 */
export function findRun(store: Pick<RunStore, "runs">, wanted: string | undefined): RunRecord {
  const runs = store.runs()
  const matches = wanted === undefined ? runs.slice(0, 1) : runs.filter((run) => run.id.startsWith(wanted))
  const exact = matches.find((run) => run.id === wanted)
  const run = exact ?? matches[0]
  if (!run) {
    throw new UsageError(runs.length === 0 ? "there are no runs yet" : "there is no such run", {
      code: "run_not_found",
      where: wanted ?? "the store",
      hint: runs.length === 0 ? "make one with: evalkit run" : "list them with: evalkit runs",
    })
  }
  if (matches.length > 1 && !exact) {
    throw new UsageError("more than one run begins with these letters", {
      where: matches.map(({ id }) => id).join(", "),
      hint: "give more letters of the one you mean",
    })
  }
  return run
}

/** What renderers receive for a run: its report, and its samples as a stream. */
export function reportInput(store: RunStore, record: RunRecord): ReportInput {
  const report = store.report(record.id)
  if (!report) {
    throw new UsageError("the run has no report yet", {
      code: "no_report",
      where: `run ${record.id} (${record.status})`,
      hint: "finish it with: evalkit run --resume",
    })
  }
  return { report, samples: () => reportSamples(store, record, report) }
}

async function* reportSamples(store: RunStore, record: RunRecord, report: RunReport): AsyncIterable<ReportSample> {
  const metrics = report.metrics.map(({ name }) => name)
  for (const sample of store.samples(record.dataset.fingerprint)) {
    const answers: ReportAnswer[] = []
    for (const { name: variant } of record.variants) {
      for (let repeat = 0; repeat < record.repeats; repeat++) {
        const key = { variant, sampleId: sample.id, repeat }
        const generation = store.generation(record.id, key)
        if (!generation) continue
        const rows = store.answerRows(record.id, key)
        answers.push({ generation, ...valuesOf(rows, metrics), ...marksOf(rows, generation.text) })
      }
    }
    yield { sample, answers }
  }
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

/** A stand-in for a metric whose config is not at hand: its stored values, averaged. */
export function storedMetric(record: RunReport["metrics"][number]): AnyMetric {
  const { name, signature, direction, range, unit } = record
  return {
    name,
    signature,
    direction,
    range: [range[0] ?? Number.NEGATIVE_INFINITY, range[1] ?? Number.POSITIVE_INFINITY],
    ...(unit === null ? {} : { unit }),
    aggregation: { kind: "mean" },
    measure: () => ({ status: "unscored", reason: "a stored metric is not measured again" }),
    value: (row) => (typeof row === "number" ? row : null),
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      return { value: rows.reduce((sum, { row }) => sum + Number(row), 0) / rows.length }
    },
  }
}
