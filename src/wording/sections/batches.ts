import { isOpen } from "../../core/batch/batch-record.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { VariantReport } from "../../core/report/report.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import { tableData } from "../../core/report/table-data.ts"
import { toJson } from "../../core/report/to-json.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { type BatchFacts, batchesOver } from "../../run/batch/batch-facts.ts"
import { count } from "../../words/number.ts"

/** What the section is made from. */
export interface BatchesOptions {
  readonly store: Pick<RunStore, "events" | "batches">
  readonly runId: string
  readonly reports: readonly Pick<VariantReport, "name" | "finished" | "speed" | "outcomes">[]
}

/**
 * How a run's batches went: their requests, how they ended, and how long they took from sending to having all results. Null for a run
 * that asked live.
 */
export function batchesSection({ store, runId, reports }: BatchesOptions): ReportSection | null {
  const over = batchesOver(store, runId)
  const open = store.batches(runId).filter(isOpen)
  if (over.length + open.length === 0) return null
  const wayDiffers = differingWays(reports)
  const rows = [
    ...over.map((batch) => ({ ...batch, end: batch.end ?? "not known", took: turnaround(batch) })),
    ...open.map((batch) => ({
      ...batch,
      requests: batch.calls.length,
      withoutResult: null,
      end: "under way",
      took: unknown("the batch is not over"),
    })),
  ]
  return {
    kind: "table",
    topic: "batches",
    title: "Batches",
    sentences: [
      ...reports.flatMap(shareSentence),
      ...reports.flatMap(undoneSentence),
      turnaroundSentence(over),
      priceSentence,
      ...(wayDiffers ? [wayDiffers] : []),
    ],
    data: toJson(
      tableData(rows, [
        ["variant", ({ variant }) => variant],
        ["batch", ({ id }) => id ?? "not known"],
        ["requests", ({ requests }) => requests],
        ["without a result", ({ withoutResult }) => withoutResult],
        ["end", ({ end }) => end],
        ["sent", ({ sentAt }) => sentAt],
        ["turnaround", ({ took }) => took, "ms"],
      ]),
    ),
    ...(wayDiffers && { caution: wayDiffers }),
  }
}

const priceSentence =
  "Cost is what was paid: the batch price for answers that came by batch, the usual price for those that were asked live."

function turnaround({ sentAt, endedAt }: BatchFacts): Figure {
  const value = endedAt === null ? Number.NaN : Date.parse(endedAt) - Date.parse(sentAt)
  if (!Number.isFinite(value) || value < 0) return unknown("the clock of this machine was set meanwhile")
  return { status: "known", value, n: 1, method: "from sending to having all results, as far as the run looked" }
}

function shareSentence({ name, finished, speed }: BatchesOptions["reports"][number]): string[] {
  const { untimed = 0, measured } = speed
  if (untimed === 0) return []
  const came = `${count(untimed)} of ${count(finished)} answers of ${name} came by batch or tried the endpoint before it, and were not timed`
  return [
    measured === 0
      ? `${came}: its speed is not known.`
      : `${came}; its speed is that of ${count(measured)} that were asked live.`,
  ]
}

const undone = ["batch_expired", "batch_cancelled", "batch_failed", "batch_missing"] as const

/** Requests that no model came to are neither right nor wrong. */
function undoneSentence({ name, outcomes }: BatchesOptions["reports"][number]): string[] {
  const counts = undone.flatMap((outcome) => (outcomes[outcome] ? [`${count(outcomes[outcome])} ${outcome}`] : []))
  if (counts.length === 0) return []
  return [
    `Requests of ${name} without an answer: ${counts.join(", ")}. They say nothing about it and are left out of comparisons; ask them again with evalkit run --resume.`,
  ]
}

function turnaroundSentence(over: readonly BatchFacts[]): string {
  const times = over.map(turnaround).flatMap((figure) => (figure.status === "known" ? [figure.value] : []))
  if (times.length === 0) return "No batch is over yet."
  const [least, most] = [Math.min(...times), Math.max(...times)].map(inWords)
  const took = times.length === 1 || least === most ? `${most}` : `between ${least} and ${most}`
  return `From sending to having all results, ${times.length === 1 ? "the batch" : `the ${count(times.length)} batches`} took ${took}.`
}

function inWords(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 90) return `${Number(seconds.toPrecision(2))} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Number((seconds / 3_600).toPrecision(2))} h`
}

/** A price of batches beside a price of live calls says nothing of the models. */
function differingWays(reports: BatchesOptions["reports"]): string | null {
  const answered = reports.filter(({ finished }) => finished > 0)
  const live = answered.filter(({ speed }) => (speed.untimed ?? 0) === 0).map(({ name }) => name)
  if (live.length === 0 || live.length === answered.length) return null
  const verb = live.length === 1 ? "was" : "were"
  return `${live.join(", ")} ${verb} asked live and the others by batch: a difference in cost is partly one of the way in which they were asked.`
}
