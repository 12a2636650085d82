/** What evalkit reads of a log, to be compared with what the tool says. */
import { rowReaders } from "../../../src/cli/files/row-readers.ts"
import { isRecord } from "../../../src/core/foreign/foreign-log.ts"
import { openForeignLog } from "../../../src/interop/recognise.ts"

/** Figures of a log by variant: metrics of the scored answers, tokens, dollars, and how its answers ended. */
export interface LogFacts {
  readonly variants: Readonly<Record<string, VariantFacts>>
}

interface VariantFacts {
  readonly outcomes: Record<string, number>
  readonly scores: Record<string, { n: number; mean: number }>
  inTokens: number
  outTokens: number
  usd: number
}

/** Reads a log. @throws where it is none */
export async function factsOf(path: string): Promise<LogFacts> {
  const log = await openForeignLog(path, path, rowReaders)
  if (!log) throw new Error(`no log of a tool: ${path}`)
  const variants: Record<string, VariantFacts> = {}
  for await (const read of log.records()) {
    if (!isRecord(read)) throw new Error(`${read.where}: ${read.reason}`)
    variants[read.variant] ??= { outcomes: {}, scores: {}, inTokens: 0, outTokens: 0, usd: 0 }
    const seen = variants[read.variant] as VariantFacts
    if (read.answer) {
      const { outcome, usage, cost } = read.answer
      seen.outcomes[outcome] = (seen.outcomes[outcome] ?? 0) + 1
      seen.inTokens += usage.promptTokens ?? 0
      seen.outTokens += usage.completionTokens ?? 0
      seen.usd += cost.status === "known" ? cost.usd : 0
    }
    for (const [metric, score] of Object.entries(read.scores)) {
      if (typeof score !== "number") continue
      const { n, mean } = seen.scores[metric] ?? { n: 0, mean: 0 }
      seen.scores[metric] = { n: n + 1, mean: mean + (score - mean) / (n + 1) }
    }
  }
  return { variants }
}
