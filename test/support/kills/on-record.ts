import { join } from "node:path"
import { isAnswered } from "../../../src/core/outcome.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import type { Usage } from "../../../src/core/usage.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { variantNames } from "./projects.ts"

/** What the newest run of a project's store has on record. */
export interface OnRecord {
  /** Answers, failed ones too. */
  readonly generations: number
  /** Verdicts of the judge that came over a request. */
  readonly verdicts: number
  /** Rows of all metrics. */
  readonly rows: number
  /** Numbers of billed requests, by the tokens that they were billed. */
  readonly serials: ReadonlySet<number>
  /** Calls of the variants that are answered, as `variant sample`. */
  readonly answered: ReadonlySet<string>
  /** US dollars of all billed requests, by the report; null before there is one. */
  readonly reportedUsd: number | null
}

const nothing: OnRecord = {
  generations: 0,
  verdicts: 0,
  rows: 0,
  serials: new Set(),
  answered: new Set(),
  reportedUsd: null,
}

/** Opens the store of a project to read it. */
export function reading<Result>(folder: string, work: (store: RunStore, record: RunRecord | null) => Result): Result {
  const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
  try {
    return work(store, store.runs()[0] ?? null)
  } finally {
    store.close()
  }
}

/** Reads what the newest run of the project in a folder has on record. */
export function readOnRecord(folder: string): OnRecord {
  return reading(folder, (store, record) => {
    if (!record) return nothing
    const serials = new Set<number>()
    const answered = new Set<string>()
    const bill = (tokens: number | null): void => {
      if (tokens) serials.add(tokens)
    }
    let [generations, verdicts, rows] = [0, 0, 0]
    for (const variant of variantNames) {
      for (const generation of store.generations(record.id, variant)) {
        generations++
        for (const { usage } of [generation, ...generation.retries]) bill(allTokens(usage))
        if (isAnswered(generation.outcome)) answered.add(`${variant} ${generation.sampleId}`)
      }
      for (const { name } of record.metrics) rows += [...store.rows(record.id, variant, name)].length
    }
    for (const { attempt } of store.attempts(record.id)) bill(allTokens(attempt.usage))
    for (const { tokens, requests } of store.modelCalls(record.id)) {
      bill(tokens)
      verdicts += requests
    }
    const reportedUsd = usdOf(store.report(record.id))
    return { generations, verdicts, rows, serials, answered, reportedUsd }
  })
}

function allTokens({ promptTokens, completionTokens }: Usage): number {
  return (promptTokens ?? 0) + (completionTokens ?? 0)
}

function usdOf(report: RunReport | null): number | null {
  let usd: number | null = report && 0
  for (const { cost } of report?.variants ?? [])
    for (const figure of [cost.totalUsd, cost.judgeUsd])
      usd = usd === null || figure.status === "unknown" ? null : usd + figure.value
  return usd
}
