import { UsageError } from "../core/errors.ts"
import type { SweepValue } from "../core/variant.ts"
import type { VariantConfig } from "./config.ts"

/** Values by axis: `{ effort: ["low", "high"], temperature: [0, 0.7] }`. @public */
export type SweepAxes = Readonly<Record<string, readonly SweepValue[]>>

/** One value of every axis. @public */
export type SweepPoint<Axes extends SweepAxes> = { readonly [Name in keyof Axes]: Axes[Name][number] }

/** More variants than anyone meant to pay for. */
const maxVariants = 200

/**
 * A variant for every combination of the axes' values: effort, temperature, prompt, context length, quantization, anything that the
 * function makes use of. The last axis varies fastest. Values are added to the name, so that each variant has its own. The report
 * shows quality, time, tokens and cost along each axis, and its knee: the cheapest value that is not worse than the best.
 *
 * @throws UsageError for an axis without values, a value that is given twice, and more than 200 combinations
 * @example
 * variants: sweep({ effort: ["low", "medium", "high"] }, ({ effort }) =>
 *   variant({ name: "gpt", provider: openai({ model: "gpt-5.4-mini" }), parameters: { effort } }),
 * ) // gpt-effort-low, gpt-effort-medium, gpt-effort-high
 * @public
 */
export function sweep<const Axes extends SweepAxes>(
  axes: Axes,
  make: (point: SweepPoint<Axes>) => VariantConfig,
): readonly VariantConfig[] {
  for (const [name, values] of Object.entries(axes)) {
    if (!Array.isArray(values) || values.length === 0)
      throw new UsageError("an axis of a sweep has no values", { where: `sweep({ ${name} })`, hint: "give it a list" })
    if (new Set(values).size < values.length)
      throw new UsageError("an axis of a sweep has a value twice", { where: `sweep({ ${name} })` })
  }
  const points = Object.entries(axes).reduce<readonly Readonly<Record<string, SweepValue>>[]>(
    (before, [name, values]) => before.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
    [{}],
  )
  if (points.length > maxVariants)
    throw new UsageError(`a sweep of ${points.length} variants`, {
      where: `sweep({ ${Object.keys(axes).join(", ")} })`,
      hint: `sweep over fewer values: at most ${maxVariants} combinations`,
    })
  return points.map((point) => {
    const made = make(point as SweepPoint<Axes>)
    const name = made.name ?? made.provider.label
    const place = { of: name, point, axes }
    return { ...made, name: `${name}-${nameOf(point)}`.replace(/[^A-Za-z0-9._-]+/g, "-"), sweep: place }
  })
}

/** @example nameOf({ effort: "low", temperature: 0 }) // "effort-low-temperature-0" */
function nameOf(point: Readonly<Record<string, unknown>>): string {
  return Object.entries(point)
    .map(([name, value]) => `${name}-${String(value).slice(0, 40)}`)
    .join("-")
}
