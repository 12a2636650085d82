import type { ScoredVariant } from "../core/metric/scored-variant.ts"

/** What is said of two files that have no sample in common: which ids each has, and how others are named. Empty where they share one. */
export function noSharedId(first: ScoredVariant, second: ScoredVariant): readonly string[] {
  const ids = new Set(first.answers.map(({ sampleId }) => sampleId))
  if (second.answers.some(({ sampleId }) => ids.has(sampleId))) return []
  const [left, right] = [first, second].map((side) => `${side.name} has ${begin(side)}`)
  return [`the files share no id, by which rows are paired: ${left}, ${right}; name another field with --id`]
}

function begin({ answers }: ScoredVariant): string {
  const ids = new Set<string>()
  for (const { sampleId } of answers) if (ids.add(sampleId).size > 2) break
  const shown = [...ids].slice(0, 2).map((id) => JSON.stringify(id.slice(0, 40)))
  return `${shown.join(", ")}${ids.size > 2 ? " …" : ""}`
}
