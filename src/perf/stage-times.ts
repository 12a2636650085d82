import type { Distribution } from "../core/report/report.ts"
import type { RequestLog } from "../core/request-log.ts"
import { createCompactList } from "../stats/compact-list.ts"
import type { NumberList } from "../stats/number-list.ts"
import { speedReasons } from "../words/perf/speed.ts"
import { seriesDistribution } from "./distribution.ts"

/** More names than any pipeline has stages: what comes beyond is not counted. */
const maxStages = 32

/** Times of an application's stages over many answers. */
export interface StageTimes {
  add(log: RequestLog): void
  /** By name, in the order of first appearance; undefined when no answer had a stage. */
  figures(): Readonly<Record<string, Distribution>> | undefined
}

/**
 * Collects milliseconds by stage; a stage that one answer went through several times adds up. `alpha` is 1 − the level of the
 * intervals.
 */
export function createStageTimes(alpha = 0.05): StageTimes {
  const lists = new Map<string, NumberList>()
  return {
    add(log) {
      for (const [name, ms] of stageMilliseconds(log)) {
        const list = lists.get(name) ?? createCompactList()
        if (!lists.has(name) && lists.size >= maxStages) continue
        lists.set(name, list)
        list.push(ms)
      }
    },
    figures() {
      if (lists.size === 0) return undefined
      return Object.fromEntries(
        [...lists].map(([name, list]) => [name, seriesDistribution(list.values(), speedReasons.noStage, alpha)]),
      )
    },
  }
}

/** Milliseconds of one answer by stage, in the order in which the stages first ended. */
export function stageMilliseconds({ stages = [] }: Pick<RequestLog, "stages">): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { name, startMs, endMs } of stages) sums.set(name, (sums.get(name) ?? 0) + endMs - startMs)
  return sums
}
