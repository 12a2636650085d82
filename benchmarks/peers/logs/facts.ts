/** What evalkit reads of a log, to be compared with what the tool says. */
import { rowReaders } from "../../../src/cli/files/row-readers.ts"
import type { Cost } from "../../../src/core/cost.ts"
import { isRecord } from "../../../src/core/foreign/foreign-log.ts"
import type { Answer } from "../../../src/core/generation.ts"
import { openLoadLog } from "../../../src/interop/load/recognise-load.ts"
import { openForeignLog } from "../../../src/interop/recognise.ts"
import { requestFigures } from "../../../src/perf/request-figures.ts"

/** A figure over the answers that have it. */
export interface Mean {
  readonly n: number
  readonly mean: number
}

/**
 * Figures of a log's only variant: each metric's score, and of the answers `prompt tokens`, `completion tokens`, `US dollars`, `ttft ms`,
 * `tpot ms` and `e2e ms`, of a load tool those of its answered requests. A summary has what it states, of one.
 *
 * @throws where it is no log of a tool
 */
export async function factsOf(path: string): Promise<Readonly<Record<string, Mean>>> {
  const means: Record<string, Mean> = {}
  const add = (name: string, value: number | null) => {
    const { n, mean } = means[name] ?? { n: 0, mean: 0 }
    if (value !== null) means[name] = { n: n + 1, mean: mean + (value - mean) / (n + 1) }
  }
  const load = await openLoadLog(path, path)
  if (load) {
    for (const { stated } of load.levels) for (const [name, value] of Object.entries(stated)) add(name, value)
    for await (const read of load.requests()) {
      if (!("answer" in read)) throw new Error(`${read.where}: ${read.reason}`)
      if (read.answer.outcome === "ok") addAnswer(read.answer, add)
    }
    return means
  }
  const log = await openForeignLog(path, path, rowReaders)
  if (!log) throw new Error(`no log of a tool: ${path}`)
  for await (const read of log.records()) {
    if (!isRecord(read)) throw new Error(`${read.where}: ${read.reason}`)
    if (read.answer) addAnswer(read.answer, add)
    for (const [metric, score] of Object.entries(read.scores)) if (typeof score === "number") add(metric, score)
  }
  return means
}

function addAnswer(
  { log, usage, cost }: Pick<Answer, "log" | "usage"> & { readonly cost?: Cost },
  add: (name: string, value: number | null) => void,
): void {
  const { ttftMs, tpotMs, e2eMs } = requestFigures(log, usage.completionTokens)
  add("prompt tokens", usage.promptTokens)
  add("completion tokens", usage.completionTokens)
  add("US dollars", cost?.status === "known" ? cost.usd : null)
  add("ttft ms", ttftMs)
  add("tpot ms", tpotMs)
  add("e2e ms", e2eMs)
}
