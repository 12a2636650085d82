/** What evalkit reads of a log, to be compared with what the tool says. */
import { rowReaders } from "../../../src/cli/files/row-readers.ts"
import { isRecord } from "../../../src/core/foreign/foreign-log.ts"
import type { LoadLog } from "../../../src/interop/load/load-log.ts"
import { openLoadLog } from "../../../src/interop/load/recognise-load.ts"
import { openForeignLog } from "../../../src/interop/recognise.ts"
import { requestFigures } from "../../../src/perf/request-figures.ts"

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
  const load = await openLoadLog(path, path)
  if (load) return loadFacts(load)
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
    for (const [metric, score] of Object.entries(read.scores))
      if (typeof score === "number") addTo(seen.scores, metric, score)
  }
  return { variants }
}

/** Times of the answered requests of a load tool, in milliseconds, and their tokens. */
async function loadFacts(load: LoadLog): Promise<LogFacts> {
  const seen: VariantFacts = { outcomes: {}, scores: {}, inTokens: 0, outTokens: 0, usd: 0 }
  for await (const read of load.requests()) {
    if (!("answer" in read)) throw new Error(`${read.where}: ${read.reason}`)
    const { outcome, log, usage } = read.answer
    seen.outcomes[outcome] = (seen.outcomes[outcome] ?? 0) + 1
    if (outcome !== "ok") continue
    const { ttftMs, e2eMs } = requestFigures(log, usage.completionTokens)
    if (ttftMs !== null) addTo(seen.scores, "ttft ms", ttftMs)
    if (e2eMs !== null) addTo(seen.scores, "e2e ms", e2eMs)
    if (usage.completionTokens !== null) addTo(seen.scores, "tokens", usage.completionTokens)
  }
  return { variants: { [load.model]: seen } }
}

function addTo(scores: Record<string, { n: number; mean: number }>, metric: string, score: number): void {
  const { n, mean } = scores[metric] ?? { n: 0, mean: 0 }
  scores[metric] = { n: n + 1, mean: mean + (score - mean) / (n + 1) }
}
