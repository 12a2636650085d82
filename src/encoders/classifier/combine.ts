import type { Activation, WindowRule } from "./settings.ts"

/** Logits as probabilities, or as they are. A single logit has nothing to be compared with: it is read through a sigmoid. */
export function activated(logits: readonly number[], activation: Activation): readonly number[] {
  if (activation === "none") return logits
  if (activation === "sigmoid" || logits.length === 1) return logits.map((logit) => 1 / (1 + Math.exp(-logit)))
  const max = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - max))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}

/** Label by label, the largest value or the mean over several rows (windows of a text, tokens of an answer). */
export function combined(rows: readonly (readonly number[])[], rule: WindowRule): readonly number[] {
  const [first] = rows
  if (!first || rows.length === 1 || rule === "first") return first ?? []
  return first.map((_, label) => {
    const values = rows.map((row) => row[label] as number)
    return rule === "max" ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0) / values.length
  })
}
