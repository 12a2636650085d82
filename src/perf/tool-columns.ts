import { type Figure, unknown } from "../core/report/figure.ts"
import type { RequestLog } from "../core/request-log.ts"
import { createNumberList, type NumberList } from "../stats/number-list.ts"
import { speedReasons } from "../words/perf/speed.ts"
import { type ToolFigures, toolFigures } from "./conventions.ts"
import { quantileOfSorted } from "./percentile.ts"

/** Medians of a run as one tool would print them. @experimental */
export interface ToolColumn {
  readonly tool: ToolFigures["tool"]
  readonly ttftMs: Figure
  readonly tpotMs: Figure
  readonly itlMs: Figure
}

/** Collects the "as vLLM / AIPerf / GuideLLM / llmperf would print it" columns of a run. */
export function createToolColumns(): {
  add(log: RequestLog, completionTokens: number | null): void
  columns(): readonly ToolColumn[]
} {
  const lists = new Map<ToolFigures["tool"], Record<"ttft" | "tpot" | "itl", NumberList>>()
  return {
    add(log, completionTokens) {
      for (const { tool, ttftMs, tpotMs, itlMs } of toolFigures(log, completionTokens)) {
        const list = lists.get(tool) ?? { ttft: createNumberList(), tpot: createNumberList(), itl: createNumberList() }
        lists.set(tool, list)
        if (ttftMs !== null) list.ttft.push(ttftMs)
        if (tpotMs !== null) list.tpot.push(tpotMs)
        for (const gap of itlMs) list.itl.push(gap)
      }
    },
    columns: () =>
      [...lists].map(([tool, list]) => ({
        tool,
        ttftMs: median(list.ttft),
        tpotMs: median(list.tpot),
        itlMs: median(list.itl),
      })),
  }
}

function median(list: NumberList): Figure {
  if (list.length === 0) return unknown(speedReasons.noFigure)
  return { status: "known", value: quantileOfSorted(list.sorted(), 0.5), n: list.length, method: "median" }
}
