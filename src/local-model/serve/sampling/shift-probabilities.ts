import type { Token } from "node-llama-cpp"

/** How what was written before bears on what comes next, in OpenAI's words: subtracted from a token's logit. */
export interface Penalties {
  /** Once, if the answer has the token at all. */
  readonly presence: number
  /** For each time that it has it. */
  readonly frequency: number
}

/**
 * A distribution without the tokens that may not come, and with those that came before made less likely (or likelier, by penalties below 0).
 * The order stays by probability; the sum is no longer 1.
 *
 * @param probabilities the softmax at temperature 1, most likely first
 * @param counts how often the answer has each token
 * @example shiftProbabilities(new Map([[1, 0.6], [2, 0.4]]), new Map([[1, 1]]), { presence: 1, frequency: 0 }, () => false)
 * // Map { 2 => 0.4, 1 => 0.2207… }: 0.6 · e^−1
 */
export function shiftProbabilities(
  probabilities: ReadonlyMap<Token, number>,
  counts: ReadonlyMap<Token, number>,
  { presence, frequency }: Penalties,
  isBarred: (token: Token) => boolean,
): Map<Token, number> {
  const shifted: [Token, number][] = []
  for (const [token, count] of counts) {
    const probability = probabilities.get(token)
    if (probability !== undefined && !isBarred(token))
      shifted.push([token, probability * Math.exp(-presence - frequency * count)])
  }
  shifted.sort(([, a], [, b]) => b - a)
  const found = new Map<Token, number>()
  let next = 0
  for (const [token, probability] of probabilities) {
    if (counts.has(token) || isBarred(token)) continue
    for (let one = shifted[next]; one && one[1] > probability; one = shifted[++next]) found.set(...one)
    found.set(token, probability)
  }
  for (const one of shifted.slice(next)) found.set(...one)
  return found
}
