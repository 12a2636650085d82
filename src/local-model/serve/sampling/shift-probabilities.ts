import type { Token } from "node-llama-cpp"

/** How what was written before bears on what comes next, in OpenAI's words: subtracted from a token's logit. */
export interface Penalties {
  /** Once, if the answer has the token at all. */
  readonly presence: number
  /** For each time that it has it. */
  readonly frequency: number
}

/**
 * What is added to the logits of tokens: the bias that a request asks for, less the penalties for what the answer has already.
 *
 * @returns the shifts as they stand, changed by each token that is written
 */
export function createShifts(bias: ReadonlyMap<Token, number>, { presence, frequency }: Penalties) {
  const shifts = new Map(bias)
  const counts = new Map<Token, number>()
  return {
    shifts: shifts as ReadonlyMap<Token, number>,
    write(token: Token): void {
      const count = (counts.get(token) ?? 0) + 1
      counts.set(token, count)
      if (presence !== 0 || frequency !== 0) shifts.set(token, (bias.get(token) ?? 0) - presence - frequency * count)
    },
  }
}

/**
 * A distribution without the tokens that may not come, and with others made less likely or likelier. The order stays by probability; the sum is
 * no longer 1.
 *
 * @param probabilities the softmax at temperature 1, most likely first
 * @param shifts what is added to the logit of each token
 * @example shiftProbabilities(new Map([[1, 0.6], [2, 0.4]]), new Map([[1, -1]]), () => false)
 * // Map { 2 => 0.4, 1 => 0.2207… }: 0.6 · e^−1
 */
export function shiftProbabilities(
  probabilities: ReadonlyMap<Token, number>,
  shifts: ReadonlyMap<Token, number>,
  isBarred: (token: Token) => boolean,
): Map<Token, number> {
  const shifted: [Token, number][] = []
  for (const [token, shift] of shifts) {
    const probability = probabilities.get(token)
    if (probability !== undefined && !isBarred(token)) shifted.push([token, probability * Math.exp(shift)])
  }
  shifted.sort(([, a], [, b]) => b - a)
  const found = new Map<Token, number>()
  let next = 0
  for (const [token, probability] of probabilities) {
    if (shifts.has(token) || isBarred(token)) continue
    for (let one = shifted[next]; one && one[1] > probability; one = shifted[++next]) found.set(...one)
    found.set(token, probability)
  }
  for (const one of shifted.slice(next)) found.set(...one)
  return found
}
