import type { ForeignScore } from "../core/foreign/foreign-log.ts"

/** Scores of an answer by their names: of several of a name (two judges, two people) the mean; a reason where none of them is a number. */
export function meanByName(
  scores: Iterable<readonly [name: string, score: ForeignScore]>,
): Record<string, ForeignScore> {
  const byName = new Map<string, ForeignScore[]>()
  for (const [name, score] of scores) {
    const list = byName.get(name) ?? []
    byName.set(name, list)
    list.push(score)
  }
  const means = [...byName].map(([name, list]): [string, ForeignScore] => {
    const numbers = list.filter((score) => typeof score === "number")
    const sum = numbers.reduce((total, score) => total + score, 0)
    return [name, numbers.length > 0 ? sum / numbers.length : (list[0] as ForeignScore)]
  })
  return Object.fromEntries(means)
}
