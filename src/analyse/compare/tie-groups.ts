import { quantile } from "../../stats/quantile.ts"
import type { AxisResamples } from "../frontier/frontier-resamples.ts"

/**
 * Groups variants that cannot be told apart on any axis: the interval of their paired difference holds 0 on every one.
 * A variant joins a group only when it is tied with all its members. Null for a variant that is alone.
 */
export function tieGroups(draws: AxisResamples, alpha: number): (number | null)[] {
  const groups: number[][] = []
  for (let i = 0; i < draws.variants; i++) {
    const group = groups.find((members) => members.every((j) => tied(draws, i, j, alpha)))
    if (group) group.push(i)
    else groups.push([i])
  }
  const result = new Array<number | null>(draws.variants).fill(null)
  let number = 0
  for (const members of groups) {
    if (members.length < 2) continue
    number++
    for (const i of members) result[i] = number
  }
  return result
}

function tied(draws: AxisResamples, i: number, j: number, alpha: number): boolean {
  for (let k = 0; k < draws.axes; k++) {
    const a = draws.axis(i, k)
    const b = draws.axis(j, k)
    const differences = a.map((value, r) => value - (b[r] as number)).filter(Number.isFinite)
    if (quantile(differences, alpha / 2) > 0 || quantile(differences, 1 - alpha / 2) < 0) return false
  }
  return true
}
