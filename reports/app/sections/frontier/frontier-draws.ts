import { createRandom } from "../../../../src/core/random.ts"
import type { ShownPoint } from "../../../view-model/frontier.ts"
import { intervalHalf } from "../../interval-half.ts"

type Goal = "maximize" | "minimize"

/** Draws of all variants from their intervals: what the frontier could look like instead. */
export interface FrontierDraws {
  /** Share of the draws in which a variant is on the frontier, 0..1. */
  readonly membership: ReadonlyMap<string, number>
  /**
   * The best value upwards that is reached at a place across, at the two ends of its interval over the draws: the worse end is null where
   * that many draws reach nothing, the whole band where hardly one reaches anything.
   */
  band(x: number): { readonly low: number | null; readonly high: number | null } | null
}

const draws = 400

/**
 * Draws each variant's place from normal distributions with its intervals, independently, with a fixed seed. On the
 * run's own axes its joint bootstrap says more (differences of variants are paired there); this serves axes that a reader
 * chooses. Null without any interval.
 */
export function drawFrontiers(
  points: readonly ShownPoint[],
  goals: { readonly x: Goal; readonly y: Goal },
  alpha = 0.05,
): FrontierDraws | null {
  const shown = points.filter((point) => !point.excluded)
  if (shown.length < 2 || shown.every((point) => !point.xInterval && !point.yInterval)) return null
  // Half the width of an interval in standard deviations.
  const half = intervalHalf(alpha)
  const random = createRandom("report/frontier")
  const [right, up] = [goals.x === "maximize" ? 1 : -1, goals.y === "maximize" ? 1 : -1]
  const counts = shown.map(() => 0)
  // Per draw: places in the order in which they are reached, each with the best value so far (signs: more is better).
  const stairs: { readonly x: Float64Array; readonly best: Float64Array }[] = []
  for (let draw = 0; draw < draws; draw++) {
    const places = shown.map((point, index) => ({
      index,
      x: right * sampled(point.x, point.xInterval, random.normal() / half),
      y: up * sampled(point.y, point.yInterval, random.normal() / half),
    }))
    places.sort((a, b) => b.x - a.x || b.y - a.y)
    const best = new Float64Array(places.length)
    let highest = Number.NEGATIVE_INFINITY
    places.forEach(({ index, y }, position) => {
      if (y > highest) {
        highest = y
        counts[index] = (counts[index] as number) + 1
      }
      best[position] = highest
    })
    stairs.push({ x: Float64Array.from(places, ({ x }) => x), best })
  }
  return {
    membership: new Map(shown.map((point, index) => [point.variant, (counts[index] as number) / draws])),
    band(x) {
      const at = right * x
      const values = new Float64Array(draws)
      stairs.forEach((stair, draw) => {
        let reached = 0
        while (reached < stair.x.length && (stair.x[reached] as number) >= at) reached++
        values[draw] = reached === 0 ? Number.NEGATIVE_INFINITY : (stair.best[reached - 1] as number)
      })
      values.sort()
      const [below, above] = [Math.floor((draws * alpha) / 2), Math.ceil(draws * (1 - alpha / 2)) - 1]
      const [worst, best] = [values[below] as number, values[above] as number]
      if (best === Number.NEGATIVE_INFINITY) return null
      const worse = worst === Number.NEGATIVE_INFINITY ? null : up * worst
      return up > 0 ? { low: worse, high: best } : { low: -best, high: worse }
    },
  }
}

function sampled(value: number, interval: readonly [number, number] | null, halves: number): number {
  if (!interval) return value
  const side = halves < 0 ? value - interval[0] : interval[1] - value
  return value + halves * side
}
