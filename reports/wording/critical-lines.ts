import type { Comparison } from "../../src/core/report/comparison.ts"
import type { RunReport } from "../../src/core/report/report.ts"

/** One line on the samples that must not break, and whether it is bad news. */
export interface CriticalLine {
  readonly candidate: string
  readonly text: string
  readonly isBroken: boolean
}

/** What became of the samples that must not break: a line for each candidate and deciding metric, those that broke first. */
export function criticalLines({ comparisons }: Pick<RunReport, "comparisons">): readonly CriticalLine[] {
  const lines = comparisons.flatMap(criticalLinesOf)
  return [...lines.filter(({ isBroken }) => isBroken), ...lines.filter(({ isBroken }) => !isBroken)]
}

/** Those of one comparison. */
export function criticalLinesOf({ candidate, critical = [] }: Comparison): readonly CriticalLine[] {
  return critical.map(({ sentence, broken }) => ({ candidate, text: sentence, isBroken: broken.length > 0 }))
}
