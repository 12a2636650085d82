/**
 * Standard error of a p-value that was found with random draws, √(p (1 − p) / draws): how far a repetition with another seed
 * would typically be. p = .05 from 1,000 draws is .05 ± .007.
 *
 * @example monteCarloError(0.05, 1000) // 0.00689…
 */
export function monteCarloError(p: number, draws: number): number {
  if (!(draws >= 1)) throw new RangeError(`a p-value needs at least one draw, not ${draws}`)
  return Math.sqrt((p * (1 - p)) / draws)
}
