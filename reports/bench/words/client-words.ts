import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { count, significant } from "../../../src/words/number.ts"
import { fittedTable } from "../../terminal/text-table.ts"
import { loadWords } from "./level-words.ts"

const unchecked = "client error: not measured, so these figures are unchecked"

/** What evalkit itself did to the figures of one level. */
export function clientWords(level: BenchLevel): readonly string[] {
  const { clientError, clientLoad } = level
  if (!clientError) return [unchecked]
  const { ttftMsP50, ttftMsP99, itlMsP50, itlMsP99 } = clientError
  const switches = clientLoad.involuntaryContextSwitches
  const error = `client error p50/p99: TTFT ${significant(ttftMsP50)}/${significant(ttftMsP99)} ms, ITL ${significant(itlMsP50)}/${significant(itlMsP99)} ms`
  const load = [
    `event loop busy ${significant(clientLoad.eventLoopUtilisation * 100)} %, delayed ${significant(clientLoad.eventLoopDelayMsP99)} ms`,
    `GC ${significant(clientLoad.gcMs)} ms`,
    ...(switches === null ? [] : [`${count(switches)} context switches`]),
  ].join(" · ")
  return [...clientDoubts([level]), `${error} · ${load}`]
}

/** Which figures the client's own error is too large for; levels of which the same is true stand together. */
export function clientDoubts(levels: readonly BenchLevel[]): readonly string[] {
  const unmeasured = levels.filter(({ clientError }) => !clientError)
  const byFigures = new Map<string, BenchLevel[]>()
  for (const level of levels) {
    const figures = level.doubtful.map(({ figure }) => figure).join(", ")
    if (figures !== "") byFigures.set(figures, [...(byFigures.get(figures) ?? []), level])
  }
  const where = (some: readonly BenchLevel[]) =>
    levels.length === 1 ? "" : `${some.map((level) => `${level.variant}, ${loadWords(level)}`).join("; ")}: `
  return [
    ...[...byFigures].map(
      ([figures, some]) => `${where(some)}INVALID: the client's own error is over 5 % of ${figures}`,
    ),
    ...(unmeasured.length > 0 && levels.length > 1 ? [`${where(unmeasured)}${unchecked}`] : []),
  ]
}

/** What evalkit itself did, level by level; nothing where it was not measured. */
export function clientTable(levels: readonly BenchLevel[], width: number): string {
  const rows = levels.flatMap((level) => {
    const { clientError: error, clientLoad: load } = level
    if (!error) return []
    return [
      [
        `${level.variant}, ${loadWords(level)}`,
        `${significant(error.ttftMsP50)}/${significant(error.ttftMsP99)}`,
        `${significant(error.itlMsP50)}/${significant(error.itlMsP99)}`,
        `${significant(load.eventLoopUtilisation * 100)} %`,
        significant(load.eventLoopDelayMsP99),
        significant(load.gcMs),
        load.involuntaryContextSwitches === null ? "unknown" : count(load.involuntaryContextSwitches),
      ],
    ]
  })
  if (rows.length === 0) return ""
  const header = [
    "evalkit itself",
    "TTFT error p50/p99 ms",
    "ITL error p50/p99 ms",
    "loop busy",
    "loop delay ms",
    "GC ms",
    "context switches",
  ]
  return `\n${fittedTable(header, rows, { width, drop: [6, 5, 4, 3] })}`
}
