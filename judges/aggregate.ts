import type { JudgeVerdict } from "../src/core/report/section-judge.ts"
import { quantile } from "../src/stats/quantile.ts"

/** How a panel joins its members' scores. @experimental */
export type Aggregate = "mean" | "median" | "majority" | "minimum" | "weighted"

/**
 * One score from the members that gave one.
 * - `mean`, `median`, `minimum` of the scores;
 * - `majority`: the choice that most members named, the mean of the choices when several are named as often;
 * - `weighted`: mean weighted by the members' trust (agreement with people; negative counts as 0).
 *
 * @param trust by judge; needed for `weighted` only
 * @returns null for no scores, and for `weighted` when no judge that scored is trusted
 * @experimental
 */
export function aggregateScores(
  members: readonly JudgeVerdict[],
  aggregate: Aggregate,
  trust: ReadonlyMap<string, number> = new Map(),
): number | null {
  const scores = members.flatMap(({ score }) => (score === null ? [] : [score]))
  if (scores.length === 0) return null
  switch (aggregate) {
    case "mean":
      return meanOf(scores)
    case "median":
      return quantile(scores, 0.5)
    case "minimum":
      return Math.min(...scores)
    case "majority":
      return meanOf(mostNamed(members.flatMap(({ choice, score }) => choice ?? score ?? [])))
    case "weighted": {
      let sum = 0
      let weights = 0
      for (const { judge, score } of members) {
        if (score === null) continue
        const weight = Math.max(0, trust.get(judge) ?? 0)
        sum += weight * score
        weights += weight
      }
      return weights === 0 ? null : sum / weights
    }
  }
}

/** Largest minus smallest score; null with fewer than two. */
export function disagreementOf(members: readonly JudgeVerdict[]): number | null {
  const scores = members.flatMap(({ score }) => (score === null ? [] : [score]))
  return scores.length < 2 ? null : Math.max(...scores) - Math.min(...scores)
}

function mostNamed(choices: readonly number[]): number[] {
  const counts = new Map<number, number>()
  for (const choice of choices) counts.set(choice, (counts.get(choice) ?? 0) + 1)
  const max = Math.max(...counts.values())
  return [...counts].filter(([, count]) => count === max).map(([choice]) => choice)
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
