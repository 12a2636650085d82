import { normalCdf, normalPdf, normalQuantile } from "../distributions.ts"

/** How much of alpha is spent by a share of the planned samples. @public */
export type AlphaSpending = "late" | "even"

/** The looks of a design that was planned before the first of them. @public */
export interface SequentialDesign {
  /** Samples at each look, ascending; the last is the planned maximum. */
  readonly samples: readonly number[]
  /** One-sided level for the bound at each look, so that all looks together err in at most alpha. */
  readonly levels: readonly number[]
}

/** Points of the grid that the distribution between two looks is integrated on. */
const gridPoints = 500
const deviations = 7

/**
 * A one-sided group-sequential design: at each planned look the bound is read at its own level, and the run ends as soon as it
 * settles the question. The levels come from spending alpha over the share of samples seen (Lan & DeMets 1983): `late` as
 * O'Brien and Fleming, which asks for strong evidence early and costs hardly any samples; `even` in proportion. Unlike a
 * confidence sequence it needs the maximum beforehand, and is then nearly as sharp as a test at a fixed number.
 *
 * @param samples planned looks, ascending, at least one
 * @param alpha one-sided error over all looks, between 0 and 0.4
 * @public
 */
export function sequentialDesign(
  samples: readonly number[],
  { alpha = 0.05, spending = "late" }: { readonly alpha?: number; readonly spending?: AlphaSpending } = {},
): SequentialDesign {
  const most = samples[samples.length - 1] as number
  if (samples.length === 0 || !(most > 0)) throw new RangeError("a design needs at least one look")
  if (!samples.every((n, i) => n > (i === 0 ? 0 : (samples[i - 1] as number))))
    throw new RangeError(`looks must come at rising numbers of samples, not ${samples.join(", ")}`)
  if (!(alpha > 0 && alpha < 0.4)) throw new RangeError(`alpha must lie between 0 and 0.4, not at ${alpha}`)
  const shares = samples.map((n) => n / most)
  const spent = shares.map((share) => spentBy(share, alpha, spending))
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
 *
 * @public
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

function spentBy(share: number, alpha: number, spending: AlphaSpending): number {
  return spending === "even" ? alpha * share : 2 * normalCdf(normalQuantile(alpha / 2) / Math.sqrt(share))
}

/** Levels at which a Brownian motion first crosses with the given probabilities, by integration from look to look. */
function levelsOf(shares: readonly number[], crossings: readonly number[]): number[] {
  let points: Float64Array | null = null
  let density = new Float64Array(0)
  return shares.map((share, look) => {
    const crossing = crossings[look] as number
    const root = Math.sqrt(share)
    const before = look === 0 ? 0 : (shares[look - 1] as number)
    const step = Math.sqrt(share - before)
    const beyond = (bound: number): number => {
      if (!points) return normalCdf(-bound / root)
      const width = (points[1] as number) - (points[0] as number)
      return (
        points.reduce((sum, x, i) => sum + weight(i) * (density[i] as number) * normalCdf((x - bound) / step), 0) *
        width
      )
    }
    let low = -deviations * root
    let high = 2 * deviations * root
    for (let halving = 0; halving < 60; halving++) {
      const middle = (low + high) / 2
      if (beyond(middle) > crossing) low = middle
      else high = middle
    }
    const bound = (low + high) / 2
    const least = -deviations * root
    const next = Float64Array.from({ length: gridPoints }, (_, i) => least + ((bound - least) * i) / (gridPoints - 1))
    const was = points
    const old = density
    density = next.map((x) => {
      if (!was) return normalPdf(x / root) / root
      const width = (was[1] as number) - (was[0] as number)
      return (
        was.reduce((sum, u, i) => sum + weight(i) * (old[i] as number) * normalPdf((x - u) / step), 0) * (width / step)
      )
    })
    points = next
    return normalCdf(-bound / root)
  })
}

/** Trapezoidal weights. */
function weight(i: number): number {
  return i === 0 || i === gridPoints - 1 ? 0.5 : 1
}
