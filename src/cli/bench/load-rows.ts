import { benchJson } from "../../../reports/bench/json.ts"
import { benchResult } from "../../bench/bench-result.ts"
import { collectLevel, type LevelCollector } from "../../bench/level-collector.ts"
import type { SkippedRow } from "../../core/dataset.ts"
import type { Answer } from "../../core/generation.ts"
import type { JsonObject } from "../../core/json.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { LoadLog, LoadLogLevel } from "../../interop/load/load-log.ts"
import type { BenchLevel } from "../../perf/bench/bench-level.ts"

/** What came of the log of a load tool. */
export interface LoadRows {
  /** One object for each level of load, as `evalkit bench --json` prints it; what the log does not hold is null. */
  readonly rows: readonly JsonObject[]
  readonly requests: number
  readonly answered: number
  readonly skipped: readonly SkippedRow[]
  readonly skippedCount: number
}

const maxSkipped = 1000

/** A level while its requests are read. */
interface ReadLevel {
  readonly level: LoadLogLevel
  readonly collector: LevelCollector
  readonly ends: number[]
  count: number
  answered: number
}

/**
 * The figures of a load tool's requests by evalkit's own definitions, through the same collector that a bench of evalkit's goes
 * through; what its stamps do not allow is unknown, and stands in `stated` as the tool says it. Memory: numbers.
 */
export async function loadRows(log: LoadLog): Promise<LoadRows> {
  const levels = log.levels.map(readLevel(log.model))
  const skipped: SkippedRow[] = []
  let skippedCount = 0
  for await (const read of log.requests()) {
    const level = "answer" in read ? levels[read.level] : undefined
    if (!("answer" in read)) {
      if (++skippedCount <= maxSkipped) skipped.push(read)
    } else if (level) addAnswer(level, read.answer)
  }
  const rows = levels.map((level) => rowOf(log, level))
  const sum = (pick: (level: ReadLevel) => number) => levels.reduce((total, level) => total + pick(level), 0)
  const requests = sum(({ count, level }) => level.counts?.requests ?? count)
  const answered = sum(({ answered, level }) => level.counts?.answered ?? answered)
  return { rows, requests, answered, skipped, skippedCount }
}

function readLevel(variant: string): (level: LoadLogLevel) => ReadLevel {
  return (level) => ({
    level,
    collector: collectLevel({
      variant,
      price: null,
      contextWindow: null,
      metrics: [],
      primary: undefined,
      slo: [],
      slots: level.concurrency,
    }),
    ends: [],
    count: 0,
    answered: 0,
  })
}

function addAnswer(level: ReadLevel, answer: Answer): void {
  level.count++
  level.collector.add(answer, 0, null)
  level.ends.push(answer.log.endMs)
  if (isAnswered(answer.outcome)) level.answered++
}

function rowOf(log: LoadLog, read: ReadLevel): JsonObject {
  const { concurrency, rate, stated, hasGaps, hasStarts } = read.level
  const durationMs = hasStarts ? read.ends.reduce((max, end) => Math.max(max, end), 0) : 0
  const level: BenchLevel = {
    ...read.collector.figures(durationMs),
    variant: log.model,
    price: null,
    clientError: null,
    transport: null,
    doubtful: [],
    serverWindow: null,
    plan:
      concurrency === null
        ? { kind: "open", arrivals: new Float64Array(), description: `as ${log.name} planned them` }
        : { kind: "closed", concurrency },
    offeredRate: concurrency === null ? rate : null,
    peakInFlight: 0,
    durationMs,
    clientLoad: unknownProcess,
    remarks: log.notes,
  }
  const [row = {}] = benchJson(
    benchResult({
      levels: [level],
      coldStarts: new Map(),
      saturation: new Map(),
      searches: new Map(),
      resources: new Map(),
      queriesPerMonth: null,
      slo: [],
      availabilityTarget: 0.999,
      interrupted: false,
      budgetSpent: null,
    }),
  )
  const reasons: [string, string][] = []
  const without = (names: readonly string[], reason: string) => {
    for (const name of names) reasons.push([name, reason])
    return Object.fromEntries(names.map((name) => [name, null]))
  }
  const isEmpty = read.count === 0
  return {
    ...row,
    ...(!hasGaps && without(["itl_ms"], `${log.name} kept no time of each chunk`)),
    ...(!hasStarts && without(throughputs, `${log.name} kept no start of each request`)),
    ...(isEmpty && without(["ok", "requests", "availability"], `the file holds figures of ${log.name} only`)),
    ...(!hasStarts && { intervals: {} }),
    // What evalkit's own client went through is not known of another tool's.
    client: null,
    lag_ms: null,
    ttft_from_intent_ms: null,
    peak_in_flight: null,
    as_printed_by: {},
    recognised: log.tool,
    stated: { ...stated },
    unknown: { ...(row.unknown as JsonObject), ...Object.fromEntries(reasons) },
  }
}

const throughputs = ["system_tps", "requests_per_second", "achieved_rate", "duration_ms", "over_time"]

/** Stands where nothing is known; it is taken out of the row again. */
const unknownProcess = {
  loops: 0,
  eventLoopUtilisation: 0,
  eventLoopDelayMsP99: 0,
  gcMs: 0,
  gcCount: 0,
  involuntaryContextSwitches: null,
  cpuSeconds: 0,
  durationMs: 0,
}
