import type { Token } from "node-llama-cpp"
import type { Random } from "../../../core/random.ts"

/** How a token is drawn. */
export interface SamplingOptions {
  /** Above 0. */
  readonly temperature: number
  /** Share of the probability mass that may be drawn from, 0..1. */
  readonly topP: number
}

/**
 * Draws a token from a full distribution: temperature first, then the nucleus of `topP`, as vLLM does.
 * Drawn here and not in the binding so that the reported log-probability is the model's own, whatever the temperature.
 *
 * @param probabilities the softmax at temperature 1, most likely first
 */
export function sampleToken(
  probabilities: ReadonlyMap<Token, number>,
  options: SamplingOptions,
  random: Random,
): Token | undefined {
  const exponent = 1 / options.temperature
  const largest = probabilities.values().next().value ?? 0
  const tokens: Token[] = []
  const weights: number[] = []
  let total = 0
  for (const [token, probability] of probabilities) {
    // Relative to the most likely token, so that a small temperature cannot underflow the whole distribution.
    const weight = (probability / largest) ** exponent
    if (weight === 0 || Number.isNaN(weight)) break
    tokens.push(token)
    weights.push(weight)
    total += weight
  }
  let nucleus = 0
  let mass = 0
  while (nucleus < tokens.length && (nucleus === 0 || mass < options.topP * total)) mass += weights[nucleus++] as number
  let draw = random.next() * mass
  for (let i = 0; i < nucleus; i++) {
    draw -= weights[i] as number
    if (draw < 0) return tokens[i]
  }
  return tokens[Math.max(0, nucleus - 1)]
}
