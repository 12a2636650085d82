import { UsageError } from "../../core/errors.ts"
import type { Generation } from "../../core/generation.ts"
import { createTurns } from "../../core/interruption.ts"
import type { ReportInput, RunReport } from "../../core/report/report.ts"
import type { Highlight, ReportAnswer, ReportSample } from "../../core/report/report-sample.ts"
import { answerKey } from "../../core/run/answer-key.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore, StoredRow } from "../../core/run/run-store.ts"
import type { Sample } from "../../core/sample.ts"
import { highlightsOf, isDisputed, surprisalsOf } from "./answer-marks.ts"
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
    samples: (filter) => reportSamples(store, record, report, filter, signal),
    media: (sha256) => store.media(sha256),
  }
}

async function* reportSamples(
  store: RunStore,
  record: RunRecord,
  report: RunReport,
  filter: ((position: number) => boolean) | undefined,
  signal: AbortSignal | undefined,
): AsyncIterable<ReportSample> {
  const source: AnswerSource = { store, record, metrics: report.metrics.map(({ name }) => name) }
  const turn = createTurns(signal)
  let size = firstBlockSize
  let block: Sample[] = []
  const blockOf = function* (samples: readonly Sample[]): Iterable<ReportSample> {
    let answers: ReadonlyMap<string, readonly ReportAnswer[]> | null = null
    for (const sample of samples)
      yield {
        sample,
        // Whoever looks at no answers reads none.
        get answers() {
          if (!answers) {
            answers = answersTo(samples, source)
            size = nextBlockSize(answers)
          }
          return answers.get(sample.id) ?? []
        },
      }
  }
  for (const sample of store.samples(record.dataset.fingerprint, filter)) {
    block.push(sample)
    if (block.length < size) continue
    yield* blockOf(block)
    block = []
    const wait = turn()
    if (wait) await wait
  }
  yield* blockOf(block)
}

/** Samples whose answers are read together, at most, and in the first block. */
const maxOfBlock = 100
const firstBlockSize = 4
/** Characters and events of the answers of a block, about. */
const wantedBlockSize = 2_000_000

/** As many samples as their answers are large: a run may have answers of a line, and answers of megabytes. */
function nextBlockSize(block: ReadonlyMap<string, readonly ReportAnswer[]>): number {
  let size = 1
  for (const answers of block.values())
    for (const { generation } of answers)
      size += generation.text.length + generation.reasoning.length + 20 * generation.log.events.length
  return Math.max(1, Math.min(maxOfBlock, Math.floor((wantedBlockSize * block.size) / size)))
}

interface AnswerSource {
  readonly store: RunStore
  readonly record: RunRecord
  readonly metrics: readonly string[]
}

/** The answers to each of the samples, variant by variant. */
function answersTo(
  samples: readonly Sample[],
  { store, record, metrics }: AnswerSource,
): ReadonlyMap<string, readonly ReportAnswer[]> {
  const ids = samples.map(({ id }) => id)
  const answers = new Map(ids.map((id): [string, ReportAnswer[]] => [id, []]))
  for (const { name } of record.variants) {
    const rows = new Map<string, StoredRow[]>()
    for (const row of store.answerRows(record.id, name, ids)) {
      const existing = rows.get(answerKey(row))
      if (existing) existing.push(row)
      else rows.set(answerKey(row), [row])
    }
    for (const generation of store.generationsTo(record.id, name, ids)) {
      const own = rows.get(answerKey(generation)) ?? []
      answers.get(generation.sampleId)?.push({ generation, ...valuesOf(own, metrics), ...marksOf(own, generation) })
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
function marksOf(
  rows: readonly StoredRow[],
  generation: Generation,
): Pick<ReportAnswer, "highlights" | "disputed" | "lostAt"> {
  const highlights: Highlight[] = []
  const disputed: string[] = []
  let lostAt: string | null = null
  for (const { metric, measured } of rows) {
    if (isDisputed(measured.status === "scored" ? measured.row : measured.details)) disputed.push(metric)
    if (measured.status === "scored") {
      highlights.push(...highlightsOf(metric, measured.row, generation.text))
      highlights.push(...surprisalsOf(metric, measured.row, generation))
      lostAt ??= lostAtOf(measured.row, generation)
    }
  }
  return {
    ...(highlights.length > 0 && { highlights }),
    ...(disputed.length > 0 && { disputed }),
    ...(lostAt !== null && { lostAt }),
  }
}

/** The stage at which a row of lostPassages says that the gold passages were gone. Rows come out of a file: what is none is left out. */
function lostAtOf(row: unknown, { returned }: Generation): string | null {
  if (typeof row !== "object" || row === null || !("lostAt" in row) || typeof row.lostAt !== "string") return null
  return Object.hasOwn(returned?.stages ?? {}, row.lostAt) ? row.lostAt : null
}
