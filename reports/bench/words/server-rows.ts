import type { Figure } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { levelSplit } from "../../../src/perf/bench/level-split.ts"
import { restOfFirstTokens } from "../../../src/perf/server/disagreements.ts"

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

/** One of {@link serverCells}. */
export type ServerCell = (typeof serverCells)[number]

/** Cells that are shares of one. */
export const serverShares: ReadonlySet<ServerCell> = new Set(["kvCache", "prefixHits", "accepted"])

const nothing = Object.fromEntries(serverCells.map((name) => [name, null])) as Record<ServerCell, null>

/**
 * The server's own view of each load, first by the timings in its answers, then by its metrics; and which cells any of them
 * knows. No rows where no server says anything.
 */
export function serverRows(levels: readonly BenchLevel[]): {
  readonly rows: readonly ServerRow[]
  readonly known: readonly ServerCell[]
} {
  const rows = levels.flatMap((level) => [...byAnswers(level), ...byMetrics(level)])
  const known = serverCells.filter((name) => rows.some(({ cells }) => cells[name]?.status === "known"))
  return { rows: known.length > 0 ? rows : [], known }
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
    ...nothing,
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
    ...nothing,
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
