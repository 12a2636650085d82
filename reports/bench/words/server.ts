import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { levelSplit } from "../../../src/perf/bench/level-split.ts"
import { restOfFirstTokens, serverDisagreements } from "../../../src/perf/server/disagreements.ts"
import type { ServerWindow } from "../../../src/perf/server/server-window.ts"
import { significant } from "../../../src/words/number.ts"

/** What one source of the server says of a load. */
export interface ServerRow {
  readonly level: BenchLevel
  /** `answers (llama.cpp), medians` or `metrics (vLLM), means`. */
  readonly source: string
  /** By {@link serverCells}; null: this source does not speak of it. */
  readonly cells: Readonly<Record<ServerCell, Figure | null>>
}

/** What a server may say, in the order in which it happens: milliseconds up to `betweenTokens`, then readings. */
export const serverCells = [
  ...(["queue", "load", "prefill", "decode", "client", "rest", "betweenTokens"] as const),
  ...(["running", "waiting", "kvCache", "prefixHits", "accepted", "guess", "preemptions"] as const),
] as const

/** What each of them is called in the head of a column. */
export const serverTitles: Readonly<Record<ServerCell, string>> = {
  queue: "queue",
  load: "model load",
  prefill: "prefill",
  decode: "decode",
  client: "first token, client",
  rest: "network and other",
  betweenTokens: "between tokens",
  running: "running",
  waiting: "waiting",
  kvCache: "KV cache",
  prefixHits: "prefix cache hits",
  accepted: "draft acceptance rate",
  guess: "tokens a guess",
  preemptions: "preemptions",
}

/** One of {@link serverCells}. */
export type ServerCell = (typeof serverCells)[number]

/** Cells that are shares of one. */
export const serverShares: ReadonlySet<ServerCell> = new Set(["kvCache", "prefixHits", "accepted"])

const emptyLevel = Object.fromEntries(serverCells.map((name) => [name, null])) as Record<ServerCell, null>

/**
 * The server's own view of each load, first by the timings in its answers, then by its metrics; and which cells any of them
 * knows. No rows where no server says anything.
 */
export function serverRows(levels: readonly BenchLevel[]): {
  readonly rows: readonly ServerRow[]
  readonly names: readonly ServerCell[]
} {
  const rows = levels.flatMap((level) => [...byAnswers(level), ...byMetrics(level)])
  const names = serverCells.filter((name) => rows.some(({ cells }) => cells[name]?.status === "known"))
  return { rows: names.length > 0 ? rows : [], names }
}

/** Without whose measurement it is: all of the table is the server's. */
function ownWords(cells: ServerRow["cells"]): ServerRow["cells"] {
  const entries = serverCells.map((name) => {
    const figure = cells[name]
    if (figure?.status !== "known") return [name, figure]
    const { by: _, ...rest } = figure
    return [name, rest]
  })
  return Object.fromEntries(entries) as ServerRow["cells"]
}

function byAnswers(level: BenchLevel): readonly ServerRow[] {
  const { server, ttftMs } = level.speed
  if (!server) return []
  const cells = {
    ...emptyLevel,
    queue: server.queueMs?.p50 ?? null,
    load: server.loadMs?.p50 ?? null,
    prefill: server.prefillMs?.p50 ?? null,
    decode: server.decodeMs?.p50 ?? null,
    client: ttftMs.p50,
    rest: restOfFirstTokens(level.speed, level.clientError?.ttftMsP99 ?? null) ?? null,
  }
  return [{ level, source: `answers (${server.source}), medians`, cells: ownWords(cells) }]
}

function byMetrics(level: BenchLevel): readonly ServerRow[] {
  const { serverWindow: window } = level
  if (!window) return []
  const split = levelSplit(level)
  const cells = {
    ...emptyLevel,
    queue: window.times.queueMs,
    prefill: split?.prefillMs ?? window.times.prefillMs,
    decode: window.times.decodeMs,
    client: split?.clientMs ?? null,
    rest: split?.networkMs ?? null,
    betweenTokens: window.times.interTokenMs,
    running: window.running.most,
    waiting: window.waiting.most,
    kvCache: window.kvCacheUsage.most,
    prefixHits: window.prefixCacheHitRate,
    accepted: window.acceptance,
    guess: window.acceptedLength,
    preemptions: window.counts.preemptions,
  }
  return [{ level, source: `metrics (${window.dialect}), means`, cells: ownWords(cells) }]
}

/** What has to be said of a load beside the figures that its server states: where they cannot be true, and what they rest on. */
export function serverSentences(level: BenchLevel): readonly string[] {
  const { speed, serverWindow, clientError } = level
  return [
    ...serverDisagreements(speed, clientError?.ttftMsP99 ?? null),
    ...(serverWindow ? metricsWords(serverWindow) : []),
    ...(levelSplit(level)?.disagreements ?? []),
  ]
}

function metricsWords(window: ServerWindow): readonly string[] {
  const positions = window.acceptedByPosition.flatMap((figure) => figureValue(figure) ?? [])
  const tails = percentileWords(window)
  return [
    ...(tails.length > 0 ? [`${window.dialect} metrics, p99 by its histograms: ${tails.join(", ")}`] : []),
    ...(positions.length > 0
      ? [
          `${window.dialect} accepted draft tokens by their position: ${positions.map((share) => significant(share * 100)).join(" / ")} %`,
        ]
      : []),
    ...window.warnings,
  ]
}

/** `queue between 300 and 500 ms`: a histogram says no more. */
function percentileWords({ percentiles }: ServerWindow): readonly string[] {
  const names = { queueMs: "queue", ttftMs: "TTFT", e2eMs: "whole answer" } as const
  return (Object.keys(names) as (keyof typeof names)[]).flatMap((name) => {
    const { p99 } = percentiles[name]
    if (p99.status === "unknown") return []
    const { low = null, high = null } = p99
    return [
      `${names[name]} ${high === null ? `above ${significant(low ?? p99.value)} ms` : `between ${significant(low ?? 0)} and ${significant(high)} ms`}`,
    ]
  })
}
