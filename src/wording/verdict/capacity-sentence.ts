import type { Price } from "../../core/cost.ts"
import { significant } from "../../words/number.ts"

interface PricedVariant {
  readonly name: string
  readonly price: Price | null | undefined
}

/** A decision's words with what the hardware of the candidate that it is about carries. */
export function withCapacity<Words extends { readonly sentence: string; readonly evidence: string }>(
  words: Words,
  candidate: PricedVariant,
  baseline: PricedVariant,
): Words {
  const capacity = capacitySentence(candidate, baseline)
  const add = (text: string) => [text, capacity].filter((part) => part !== "").join(" ")
  return { ...words, sentence: add(words.sentence), evidence: add(words.evidence) }
}

/**
 * What the hardware of a candidate carries within objectives, where a load test measured it; beside it the baseline's, where that was
 * measured, too. Empty where it was not.
 *
 * @example capacitySentence({ name: "b", price }, …) // "b carries 12.0 requests a second within ttft<800ms (95 % interval 11.4 to 12.7; bench.json)."
 */
export function capacitySentence(candidate: PricedVariant, baseline: PricedVariant): string {
  const [own, before] = [candidate, baseline].map(({ price }) =>
    price && price.kind !== "tokens" && typeof price.capacity === "object" ? price.capacity : null,
  )
  if (!own) return ""
  const { requestsPerSecond, low, high, objectives, file } = own
  const interval = low === null || high === null ? "" : `95 % interval ${significant(low)} to ${significant(high)}; `
  const isSame = before?.objectives.join() === objectives.join()
  const other = before && isSame ? `, ${baseline.name} ${significant(before.requestsPerSecond)}` : ""
  return `${candidate.name} carries ${significant(requestsPerSecond)} requests a second within ${objectives.join(", ")}${other} (${interval}${file}).`
}
