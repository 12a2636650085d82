import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { count, significant } from "../../format/number.ts"
import { coldStartWords } from "../words/cold-start-words.ts"
import { loadWords } from "../words/load-words.ts"
import { figureCell, rowHead, tableOf, textCell } from "./cells.ts"
import { paragraphs } from "./level-tables.ts"

/** How far the figures can be trusted: the client's own error at each load, and what its event loop went through. */
export function trustPart(result: BenchResult): string {
  const rows = result.levels.map((level) => {
    const { clientLoad: load } = level
    const switches = load.involuntaryContextSwitches
    const cells = [
      verdictCell(level),
      ...errorCells(level),
      textCell(`${significant(load.eventLoopUtilisation * 100)} %`),
      textCell(`${significant(load.eventLoopDelayMsP99)} ms`),
      textCell(`${significant(load.gcMs)} ms`),
      textCell(switches === null ? "unknown" : count(switches)),
      figureCell(level.achievedRate, { after: "/s" }),
      figureCell(level.lagMs.p99, { after: " ms" }),
      textCell(level.drift.message, "words message"),
    ]
    return `<tr>${rowHead(`${level.variant}, ${loadWords(level)}`)}${cells.join("")}</tr>`
  })
  const transports = [...new Set(result.levels.map(({ transport }) => transport ?? "unknown"))].join(" and ")
  const table = tableOf(
    "The client's own error, measured against a reference server that records when it sent each chunk. A figure is invalid where that error is over 5 % of it.",
    [
      "Load",
      { words: "Verdict" },
      "TTFT error p50 / p99",
      "ITL error p50 / p99",
      "Event loop busy",
      "Event loop delay, p99",
      "GC",
      "Context switches",
      "Starts",
      "Start delay, p99",
      { words: "Drift" },
    ],
    rows,
  )
  return `${table}${paragraphs([...coldStartWords(result), `Transport: ${transports}.`])}`
}

function verdictCell({ clientError, doubtful }: BenchLevel): string {
  if (!clientError) return textCell("unchecked: the client's own error was not measured", "words unknown")
  if (doubtful.length === 0) return textCell("valid", "words good")
  return textCell(`invalid: ${doubtful.map(({ figure }) => figure).join(", ")}`, "words bad")
}

function errorCells({ clientError }: BenchLevel): readonly string[] {
  if (!clientError) return [textCell("unknown", "unknown"), textCell("unknown", "unknown")]
  const { ttftMsP50, ttftMsP99, itlMsP50, itlMsP99 } = clientError
  const pair = (p50: number, p99: number) => textCell(`${significant(p50)} / ${significant(p99)} ms`)
  return [pair(ttftMsP50, ttftMsP99), pair(itlMsP50, itlMsP99)]
}
