import type { Generation } from "../generation.ts"

/**
 * The model's own probability of its whole answer: the product of the probabilities of its tokens, 0..1.
 * A foreign row's stated confidence comes first. `null` when the endpoint gave no log-probabilities, and for a given text,
 * which claims nothing.
 */
export function sequenceConfidence(
  generation: Pick<Generation, "given" | "logprobs"> & Pick<Generation, "isGivenText">,
): number | null {
  if (generation.given?.confidence !== undefined) return generation.given.confidence
  if (!generation.logprobs || generation.logprobs.length === 0 || generation.isGivenText) return null
  let sum = 0
  for (const token of generation.logprobs) sum += token.logprob
  return Math.exp(Math.min(0, sum))
}
