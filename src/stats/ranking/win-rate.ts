import { standardDeviation, standardError } from "../mean.ts"
import { logisticRegression, sigmoid } from "../regression/logistic-regression.ts"

/** Wins of one variant over another. Rates are per cent, as AlpacaEval prints them. @public */
export interface WinRate {
  readonly winRate: number
  /** 100 · s / √n; NaN for one preference. */
  readonly standardError: number
  readonly wins: number
  readonly losses: number
  readonly draws: number
  readonly total: number
  /** Every preference rounded to win, draw or loss first. */
  readonly discreteWinRate: number
}

/**
 * Win rate from preferences in AlpacaEval's coding: 1 the baseline is better, 2 the candidate is, 1.5 (or 0) a draw, values
 * between are shares.
 *
 * @example winRate([1, 2, 1.5, 2]).winRate // 62.5
 * @public
 */
export function winRate(preferences: readonly number[]): WinRate {
  const shares = preferences.map((preference) => (preference === 0 ? 0.5 : preference - 1))
  const wins = shares.filter((share) => share > 0.5).length
  const losses = shares.filter((share) => share < 0.5).length
  const draws = shares.length - wins - losses
  const total = shares.length
  return {
    winRate: (100 * shares.reduce((sum, share) => sum + share, 0)) / total,
    standardError: 100 * standardError(shares),
    wins,
    losses,
    draws,
    total,
    discreteWinRate: (100 * (wins + draws / 2)) / total,
  }
}

/** One judged pair: how far the candidate was preferred, and how long both answers were. @public */
export interface LengthPair {
  /** 1: the candidate won; 0: the baseline won; shares between. */
  readonly preference: number
  readonly candidateLength: number
  readonly baselineLength: number
}

/**
 * Length-controlled win rate in per cent: what the win rate would be if both answers were equally long, from a logistic
 * model with tanh of the length difference over its standard deviation as covariate. It is not AlpacaEval 2's figure: Dubois et
 * al. 2024 add a difficulty per instruction, fitted over many models, and differ from this by points. `lengthEffect` is the log-odds a clearly longer answer gains.
 * NaN for no pairs.
 * @public
 */
export function lengthControlledWinRate(pairs: readonly LengthPair[]): { winRate: number; lengthEffect: number } {
  const differences = pairs.map(({ candidateLength, baselineLength }) => candidateLength - baselineLength)
  const spread = differences.length < 2 ? 0 : standardDeviation(differences)
  const preferences = pairs.map(({ preference }) => preference)
  if (pairs.length === 0) return { winRate: Number.NaN, lengthEffect: Number.NaN }
  // Lengths that never differ leave nothing to control.
  if (spread === 0)
    return { winRate: (100 * preferences.reduce((sum, p) => sum + p, 0)) / pairs.length, lengthEffect: 0 }
  const rows = differences.map((difference) => [1, Math.tanh(difference / spread)])
  // A weak ridge on the log-odds keeps small, separable sets finite and is invisible on larger ones.
  const [intercept = Number.NaN, slope = Number.NaN] = logisticRegression(rows, preferences, 0.1)
  return { winRate: 100 * sigmoid(intercept), lengthEffect: slope }
}
