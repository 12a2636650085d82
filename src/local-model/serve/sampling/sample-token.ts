import type { Token } from "node-llama-cpp"

/** How a token is drawn. */
export interface SamplingOptions {
  /** Above 0. */
  readonly temperature: number
  /** Share of the probability mass that may be drawn from, 0..1. */
  readonly topP: number
}

/**
 * Draws a token from a distribution: temperature first, then the nucleus of `topP`, as vLLM does.
 * Drawn here and not in the binding so that the reported log-probability is the model's own, whatever the temperature.
 *
 * @param probabilities those of the softmax at temperature 1, most likely first
 * @param draw 0 to 1, 1 excluded
 * @param rest probability of the tokens that are not among them, each less likely than all that are; with one, temperatures of 1 at most
 * @param leastRest the least that `rest` may be, where it is a bound
 * @returns undefined where it may be one of the rest, or depends on how likely each of them is
 */
export function sampleToken(
  probabilities: ReadonlyMap<Token, number>,
  options: SamplingOptions,
  draw: number,
  rest = 0,
  leastRest = rest,
): Token | undefined {
  const exponent = 1 / options.temperature
  const largest = probabilities.values().next().value ?? 0
  const tokens: Token[] = []
  const weights: number[] = []
  let [total, least] = [0, 1]
  for (const [token, probability] of probabilities) {
    // Relative to the most likely token, so that a small temperature cannot underflow the whole distribution.
    const weight = (probability / largest) ** exponent
    if (weight === 0 || Number.isNaN(weight)) break
    tokens.push(token)
    weights.push(weight)
    total += weight
    least = probability / largest
  }
  // The rest weighs most where it is few tokens, each as likely as the last that is listed.
  const most = total + (rest / largest) * least ** (exponent - 1)
  const drawn = (whole: number, beyond: number) => {
    let nucleus = 0
    let mass = 0
    while (nucleus < tokens.length && (nucleus === 0 || mass < options.topP * whole))
      mass += weights[nucleus++] as number
    // A nucleus that reaches into the rest ends with one of its tokens.
    if (rest > 0 && mass < options.topP * whole)
      [nucleus, mass] = [tokens.length + 1, Math.min(whole, options.topP * whole + beyond)]
    let left = draw * mass
    for (let i = 0; i < nucleus; i++) {
      left -= weights[i] ?? Number.POSITIVE_INFINITY
      if (left < 0) return tokens[i]
    }
    return tokens[Math.max(0, nucleus - 1)]
  }
  const token = drawn(most, weights.at(-1) ?? 0)
  return rest === 0 || token === drawn(exponent === 1 ? total + leastRest / largest : total, 0) ? token : undefined
}
