import type { ReportSection } from "../../core/report/report-sections.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { SequentialDesign } from "../compare/anytime-estimate.ts"
import { askedOrder } from "./plan.ts"

/** Kind of the run event that says how far each variant was asked. */
export const stoppedEarly = "stopped_early"

/** What early stopping left on record. */
export interface StoppingRecord {
  /** Samples that each variant was asked. */
  readonly asked: ReadonlyMap<string, number>
  readonly states: readonly { readonly candidate: string; readonly status: string; readonly samples: number }[]
  readonly guarantee: string
}

/** How the run was stopped early; null when it was not. */
export function stoppingRecord(store: Pick<RunStore, "events">, runId: string): StoppingRecord | null {
  let latest: StoppingRecord | null = null
  for (const { kind, data } of store.events(runId)) {
    if (kind !== stoppedEarly) continue
    const { asked, states, guarantee } = data as unknown as Omit<StoppingRecord, "asked"> & {
      asked: Record<string, number>
    }
    latest = { asked: new Map(Object.entries(asked)), states, guarantee }
  }
  return latest
}

/** How comparisons of this run were looked at; null when it was asked to its end without a look. */
export function sequentialDesign(
  store: Pick<RunStore, "events" | "samples">,
  run: Pick<RunRecord, "id" | "seed" | "dataset" | "metrics">,
): SequentialDesign | null {
  const record = stoppingRecord(store, run.id)
  if (!record) return null
  const ids = Array.from(store.samples(run.dataset.fingerprint), ({ id }) => id)
  const primary = run.metrics.filter((metric) => metric.primary).length
  return { order: askedOrder(ids, run.seed), comparisons: Math.max(1, record.states.length * primary) }
}

/** What a reader must know of a run that was stopped early: what was saved, and what is still guaranteed. */
export function stoppingSection(record: StoppingRecord, samples: number): ReportSection {
  const words: Readonly<Record<string, string>> = {
    non_inferior: "is not inferior",
    inferior: "is inferior",
    open: "is still open",
  }
  const saved = [...record.asked.values()].reduce((sum, asked) => sum + samples - asked, 0)
  const rows = record.states.map(({ candidate, status, samples: count }) => [
    candidate,
    words[status] ?? status,
    count,
    record.asked.get(candidate) ?? 0,
  ])
  return {
    kind: "early_stopping",
    title: "Early stopping",
    sentences: [
      ...record.states.map(
        ({ candidate, status, samples: count }) => `${candidate} ${words[status] ?? status} after ${count} samples.`,
      ),
      `${saved} of ${samples * record.asked.size} calls were saved. ${record.guarantee}`,
      "Comparisons show the interval of a confidence sequence, which is valid at every look and therefore wider; intervals of single variants, of speed and of cost are those of a fixed number of samples.",
    ],
    data: {
      columns: [
        { title: "candidate" },
        { title: "finding" },
        { title: "decided after", unit: "samples" },
        { title: "asked", unit: "samples" },
      ],
      rows,
    },
  }
}
