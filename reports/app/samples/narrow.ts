import type { RowStore } from "./rows.ts"

/** What one answer of a sample must have, as the address holds it; an empty text asks nothing. */
export interface Narrowing {
  /** Variant whose answer it must be. */
  readonly by: string
  /** Outcome in which its request ended. */
  readonly ended: string
  /** Metric whose value lies between `from` and `to`. */
  readonly metric: string
  readonly from: string
  readonly to: string
  /** Fewest and most tokens of the answer. */
  readonly fewest: string
  readonly most: string
}

/** The keys of {@link Narrowing}, with their values where nothing is asked. */
export const noNarrowing: Narrowing = { by: "", ended: "", metric: "", from: "", to: "", fewest: "", most: "" }

/** Whether a sample has an answer with everything that is asked; null where nothing is asked. */
export function narrowingTest(
  store: RowStore,
  narrowing: Narrowing,
  decidingMetric: string,
): ((sample: number) => boolean) | null {
  const { index, starts } = store
  const { answers } = index
  const tests: ((answer: number) => boolean)[] = []
  const outcome = index.outcomes.indexOf(narrowing.ended)
  if (outcome >= 0) tests.push((answer) => answers.outcome[answer] === outcome)
  const values = answers.values[index.metrics.indexOf(narrowing.metric || decidingMetric)] ?? []
  const inRange = between(narrowing.from, narrowing.to)
  if (inRange) tests.push((answer) => inRange(values[answer] ?? null))
  const isSoLong = between(narrowing.fewest, narrowing.most)
  if (isSoLong) tests.push((answer) => isSoLong(answers.tokens[answer] ?? null))
  if (tests.length === 0) return null
  const variant = index.variants.indexOf(narrowing.by)
  if (variant >= 0) tests.unshift((answer) => answers.variant[answer] === variant)
  return (sample) => {
    for (let answer = starts[sample] as number; answer < (starts[sample + 1] as number); answer++)
      if (tests.every((test) => test(answer))) return true
    return false
  }
}

/** Whether a known value lies between two limits, both included; null where neither is a number. */
function between(low: string, high: string): ((value: number | null) => boolean) | null {
  const from = limitOf(low) ?? Number.NEGATIVE_INFINITY
  const to = limitOf(high) ?? Number.POSITIVE_INFINITY
  if (from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) return null
  return (value) => value !== null && value >= from && value <= to
}

function limitOf(text: string): number | null {
  const value = Number(text)
  return text.trim() === "" || !Number.isFinite(value) ? null : value
}
