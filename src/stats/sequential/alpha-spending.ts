import { normalCdf, normalPdf, normalQuantile } from "../distributions.ts"

/**
 * How alpha is spent: `late` and `even` by the share of the planned samples that was seen, `looks` by the number of looks (as
 * much at each, and 15 % of alpha more at the last).
 * @public
 */
export type AlphaSpending = "late" | "even" | "looks"

/** Share of alpha that is kept for the last look where looks count. */
const keptForLast = 0.15

/** The looks of a design that was planned before the first of them. @public */
export interface SequentialDesign {
  /** Samples at each look, ascending; the last is the planned maximum. */
  readonly samples: readonly number[]
  /** One-sided level for the bound at each look, so that all looks together err in at most alpha. */
  readonly levels: readonly number[]
}

/** The grid that the distribution between two looks is integrated on: its parts, and how far it reaches. */
const minParts = 60
const partsPerStep = 2.5
const deviations = 6

/**
 * A one-sided group-sequential design: at each planned look the bound is read at its own level, and the run ends as soon as it
 * settles the question. The levels come from spending alpha over the share of samples seen (Lan & DeMets 1983): `late` as
 * O'Brien and Fleming, which asks for strong evidence early and costs hardly any samples; `even` in proportion; `looks` where
 * it is not known how many samples the question needs. Unlike a confidence sequence it needs the looks beforehand, and is then
 * nearly as sharp as a test at a fixed number.
 *
 * @param samples planned looks, ascending, at least one
 * @param alpha one-sided error over all looks, between 0 and 0.4
 * @public
 */
export function sequentialDesign(
  samples: readonly number[],
  { alpha = 0.05, spending = "late" }: { readonly alpha?: number; readonly spending?: AlphaSpending } = {},
): SequentialDesign {
  const max = samples[samples.length - 1] as number
  if (samples.length === 0 || !(max > 0)) throw new RangeError("a design needs at least one look")
  if (!samples.every((n, i) => n > (i === 0 ? 0 : (samples[i - 1] as number))))
    throw new RangeError(`looks must come at rising numbers of samples, not ${samples.join(", ")}`)
  if (!(alpha > 0 && alpha < 0.4)) throw new RangeError(`alpha must lie between 0 and 0.4, not at ${alpha}`)
  const shares = samples.map((n) => n / max)
  const spent = shares.map((share, look) => spentBy(share, (look + 1) / shares.length, alpha, spending))
  return {
    samples,
    levels: levelsOf(
      shares,
      spent.map((all, i) => all - (i === 0 ? 0 : (spent[i - 1] as number))),
    ),
  }
}

/**
 * The one-sided level for a run that is extended although this was not planned: the first look was read at `firstLevel`, and
 * both together may err in at most alpha. Null where the first look has spent all of it: a run that may be extended must be
 * read at less than alpha the first time.
 */
export function extensionLevel(options: {
  readonly first: number
  readonly total: number
  readonly firstLevel: number
  readonly alpha?: number
}): number | null {
  const { first, total, firstLevel, alpha = 0.05 } = options
  if (!(first > 0 && total > first)) throw new RangeError(`an extension from ${first} to ${total} samples is none`)
  if (!(firstLevel > 0 && firstLevel < alpha)) return null
  return levelsOf([first / total, 1], [firstLevel, alpha - firstLevel])[1] as number
}

function spentBy(share: number, looks: number, alpha: number, spending: AlphaSpending): number {
  if (spending === "even") return alpha * share
  if (spending === "looks") return looks === 1 ? alpha : alpha * looks * (1 - keptForLast)
  return 2 * normalCdf(normalQuantile(alpha / 2) / Math.sqrt(share))
}

/** Levels at which a Brownian motion first crosses with the given probabilities, by integration from look to look. */
function levelsOf(shares: readonly number[], crossings: readonly number[]): number[] {
  const steps = shares.map((share, look) => Math.sqrt(share - (look === 0 ? 0 : (shares[look - 1] as number))))
  let points = new Float64Array(0)
  /** Density at each point times its weight in Simpson's rule: how many walks are there that have not crossed yet. */
  let mass = new Float64Array(0)
  return shares.map((share, look) => {
    const crossing = crossings[look] as number
    const root = Math.sqrt(share)
    const step = steps[look] as number
    const beyond = (bound: number): number => {
      if (look === 0) return normalCdf(-bound / root)
      let sum = 0
      for (let i = 0; i < points.length; i++)
        sum += (mass[i] as number) * normalCdf(((points[i] as number) - bound) / step)
      return sum
    }
    let low = -deviations * root
    let high = 2 * deviations * root
    for (let halving = 0; halving < 40; halving++) {
      const middle = (low + high) / 2
      if (beyond(middle) > crossing) low = middle
      else high = middle
    }
    const bound = (low + high) / 2
    if (look + 1 < shares.length) {
      const min = -deviations * root
      // The grid must be finer than what a walk moves by in this step and in the next.
      const finest = Math.min(step, steps[look + 1] as number)
      const parts = 2 * Math.ceil(Math.max(minParts, (partsPerStep * (bound - min)) / finest) / 2)
      const width = (bound - min) / parts
      const next = Float64Array.from({ length: parts + 1 }, (_, i) => min + i * width)
      const [was, had] = [points, mass]
      mass = next.map((x, i) => {
        const simpson = ((i === 0 || i === parts ? 1 : i % 2 === 1 ? 4 : 2) * width) / 3
        if (look === 0) return (simpson * normalPdf(x / root)) / root
        let sum = 0
        for (let j = 0; j < was.length; j++) sum += (had[j] as number) * normalPdf((x - (was[j] as number)) / step)
        return (simpson * sum) / step
      })
      points = next
    }
    return normalCdf(-bound / root)
  })
}
