import type { JsonObject } from "../../core/json.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import { tableData } from "../../core/report/table-data.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { stoppingWords } from "../../wording/looks.ts"

/** Kind of the run event that says how far each variant was asked. */
export const stoppedEarly = "stopped_early"

/** Where one candidate stands. */
export interface InterimState {
  readonly candidate: string
  readonly status: "open" | "non_inferior" | "inferior"
  /** Samples that had been asked when it was settled, or so far. */
  readonly samples: number
}

/** What early stopping left on record. */
export interface StoppingRecord {
  /** Samples that each variant was asked. */
  readonly asked: ReadonlyMap<string, number>
  /** Samples at each look that was planned, and the look, from 0, at which each candidate was read last. */
  readonly looks: readonly number[]
  readonly at: ReadonlyMap<string, number>
  readonly states: readonly InterimState[]
  readonly guarantee: string
}

/** The record as the data of an event. */
export function stoppingData({ asked, at, ...record }: StoppingRecord): JsonObject {
  const data = { ...record, asked: Object.fromEntries(asked), at: Object.fromEntries(at) }
  return JSON.parse(JSON.stringify(data)) as JsonObject
}

/** How the run was stopped early, or is about to be; null when it is not looked at before its end. */
export function stoppingRecord(store: Pick<RunStore, "events">, runId: string): StoppingRecord | null {
  let latest: JsonObject | null = null
  for (const { kind, data } of store.events(runId)) if (kind === stoppedEarly) latest = data
  if (!latest) return null
  const { asked, at, ...record } = latest as unknown as StoredRecord
  return { ...record, asked: new Map(Object.entries(asked)), at: new Map(Object.entries(at)) }
}

type StoredRecord = Omit<StoppingRecord, "asked" | "at"> & {
  readonly asked: Record<string, number>
  readonly at: Record<string, number>
}

/** What a reader must know of a run that was stopped early: what was saved, and what is still guaranteed. */
export function stoppingSection(record: StoppingRecord, samples: number): ReportSection {
  const words: Readonly<Record<string, string>> = {
    non_inferior: "is not inferior",
    inferior: "is inferior",
    open: "is still open",
  }
  const saved = [...record.asked.values()].reduce((sum, asked) => sum + samples - asked, 0)
  return {
    kind: "early_stopping",
    title: "Early stopping",
    sentences: [
      ...record.states.map(
        ({ candidate, status, samples: count }) => `${candidate} ${words[status] ?? status} after ${count} samples.`,
      ),
      stoppingWords.saved(saved, samples * record.asked.size, record.guarantee),
      stoppingWords.levels(record.looks.join(", ")),
    ],
    data: tableData(record.states, [
      ["candidate", ({ candidate }) => candidate],
      ["finding", ({ status }) => words[status] ?? status],
      ["decided after", ({ samples: count }) => count, "samples"],
      ["asked", ({ candidate }) => record.asked.get(candidate) ?? 0, "samples"],
    ]),
  }
}
