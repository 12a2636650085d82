import { sortedCategories } from "../agreement/cohen-kappa.ts"
import { solveLinear } from "../regression/solve-linear.ts"
import type { Match } from "./elo.ts"

/**
 * Bradley–Terry strengths: the ratings under which the matches are most likely, P(a beats b) = 1 / (1 + 10^((b−a)/400)),
 * ties as half a win each. Mean 0 on Elo's scale. Independent of the order of the matches. Newton's method.
 *
 * A player that won (or lost) every match has no finite strength: `regularization` adds that many half-won, half-lost
 * matches against an average player for everyone (0 by default; 0.1 is mild).
 *
 * @returns NaN for everyone when there is no finite maximum
 * @public
 */
export function bradleyTerry(
  matches: readonly Match[],
  options: { readonly regularization?: number } = {},
): Map<string, number> {
  const { regularization = 0 } = options
  const players = sortedCategories(matches.flatMap(({ a, b }) => [a, b]))
  const n = players.length
  const position = new Map(players.map((player, i) => [player, i]))
  const wins = new Float64Array(n * n)
  for (const { a, b, score } of matches) {
    const i = position.get(a) as number
    const j = position.get(b) as number
    wins[i * n + j]! += score
    wins[j * n + i]! += 1 - score
  }
  const strength = new Float64Array(n)
  for (let step = 0; step < 100; step++) {
    const gradient = new Float64Array(n)
    const hessian = Array.from({ length: n }, () => new Float64Array(n))
    for (let i = 0; i < n; i++) {
      const p = logistic(strength[i] as number)
      gradient[i]! += regularization * (0.5 - p)
      ;(hessian[i] as Float64Array)[i]! += regularization * p * (1 - p)
      for (let j = i + 1; j < n; j++) {
        const won = wins[i * n + j] as number
        const games = won + (wins[j * n + i] as number)
        if (games === 0) continue
        const expected = logistic((strength[i] as number) - (strength[j] as number))
        const curvature = games * expected * (1 - expected)
        gradient[i]! += won - games * expected
        gradient[j]! -= won - games * expected
        ;(hessian[i] as Float64Array)[i]! += curvature
        ;(hessian[j] as Float64Array)[j]! += curvature
        ;(hessian[i] as Float64Array)[j]! -= curvature
        ;(hessian[j] as Float64Array)[i]! -= curvature
      }
    }
    // Without regularization strengths are known up to a shift: fixing their sum makes the system regular.
    for (const row of regularization > 0 ? [] : hessian) for (let j = 0; j < n; j++) row[j]! += 1 / n
    const move = solveLinear(hessian, gradient)
    const size = Math.max(...move.map(Math.abs))
    if (!Number.isFinite(size)) return new Map(players.map((player) => [player, Number.NaN]))
    const damping = Math.min(1, 2 / size)
    for (let i = 0; i < n; i++) strength[i]! += damping * (move[i] as number)
    if (size < 1e-12) return centred(players, strength)
  }
  // Strengths that still run away after so many steps have no finite maximum.
  return new Map(players.map((player) => [player, Number.NaN]))
}

function centred(players: readonly string[], strength: Float64Array): Map<string, number> {
  const mean = strength.reduce((sum, value) => sum + value, 0) / strength.length
  return new Map(players.map((player, i) => [player, (400 / Math.LN10) * ((strength[i] as number) - mean)]))
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x))
}
