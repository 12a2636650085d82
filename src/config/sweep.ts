import { UsageError } from "../core/errors.ts"
import { checkOptions } from "../core/options.ts"
import type { SweepValue } from "../core/variant.ts"
import { haltonCells } from "../stats/halton-cells.ts"
import type { VariantConfig } from "./config.ts"

/** Values by axis: `{ effort: ["low", "high"], temperature: [0, 0.7] }`. @public */
export type SweepAxes = Readonly<Record<string, readonly SweepValue[]>>

/** One value of every axis. @public */
export type SweepPoint<Axes extends SweepAxes> = { readonly [Name in keyof Axes]: Axes[Name][number] }

/** Which of the combinations are taken. @public */
export interface SweepOptions {
  /** So many combinations, spread evenly over the axes (a shifted Halton sequence), where there are more. Default: all. */
  readonly trials?: number
  /** Of the sequence's shift. Default 1. */
  readonly seed?: number | string
}

/** More variants than anyone meant to pay for. */
const maxVariants = 200

/**
 * A variant for every combination of the axes' values: effort, temperature, prompt, context length, quantization, anything that the
 * function makes use of. The last axis varies fastest. Values are added to the name, so that each variant has its own. The report
 * shows quality, time, tokens and cost along each axis, and its knee: the cheapest value that is not worse than the best.
 *
 * With `trials`, so many of the combinations are taken: settings of a server, for example, whose grid is too large (`evalkit bench --tune`).
 *
 * @throws UsageError for an axis without values, a value that is given twice, and more than 200 variants
 * @example
 * variants: sweep({ effort: ["low", "medium", "high"] }, ({ effort }) =>
 *   variant({ name: "gpt", provider: openai({ model: "gpt-5.4-mini" }), parameters: { effort } }),
 * ) // gpt-effort-low, gpt-effort-medium, gpt-effort-high
 * @public
 */
export function sweep<const Axes extends SweepAxes>(
  axes: Axes,
  make: (point: SweepPoint<Axes>) => VariantConfig,
  options: SweepOptions = {},
): readonly VariantConfig[] {
  for (const [name, values] of Object.entries(axes)) {
    if (!Array.isArray(values) || values.length === 0)
      throw new UsageError("an axis of a sweep has no values", { where: `sweep({ ${name} })`, hint: "give it a list" })
    if (new Set(values).size < values.length)
      throw new UsageError("an axis of a sweep has a value twice", { where: `sweep({ ${name} })` })
  }
  checkOptions("sweep", options)
  const entries = Object.entries(axes)
  const all = entries.reduce((product, [, values]) => product * values.length, 1)
  const { trials = all, seed = 1 } = options
  if (!(Number.isInteger(trials) && trials >= 1))
    throw new UsageError("trials of a sweep must be a whole number from 1", {
      where: `sweep(…, { trials: ${trials} })`,
    })
  const count = Math.min(trials, all)
  if (count > maxVariants)
    throw new UsageError(`a sweep of ${count} variants`, {
      where: `sweep({ ${Object.keys(axes).join(", ")} })`,
      hint: `sweep over fewer values, or state how many combinations to try (trials): at most ${maxVariants}`,
    })
  const sizes = entries.map(([, values]) => values.length)
  const points = (count < all ? haltonCells(sizes, count, seed) : gridCells(sizes)).map((cell) =>
    Object.fromEntries(entries.map(([name, values], axis) => [name, values[cell[axis] as number] as SweepValue])),
  )
  return points.map((point) => {
    const made = make(point as SweepPoint<Axes>)
    const name = made.name ?? made.provider.label
    const sweepPoint = { of: name, point, axes }
    return { ...made, name: `${name}-${nameOf(point)}`.replace(/[^A-Za-z0-9._-]+/g, "-"), sweep: sweepPoint }
  })
}

/** All cells of a grid, the last axis fastest. */
function gridCells(sizes: readonly number[]): readonly (readonly number[])[] {
  return sizes.reduce<readonly (readonly number[])[]>(
    (before, size) => before.flatMap((cell) => Array.from({ length: size }, (_, index) => [...cell, index])),
    [[]],
  )
}

/** @example nameOf({ effort: "low", temperature: 0 }) // "effort-low-temperature-0" */
function nameOf(point: Readonly<Record<string, unknown>>): string {
  return Object.entries(point)
    .map(([name, value]) => `${name}-${String(value).slice(0, 40)}`)
    .join("-")
}
