import type { Evaluation } from "../../../core/run/evaluation.ts"
import type { SweepValue } from "../../../core/variant.ts"
import type { SummarisedVariant } from "../../summary/summarise.ts"

/** Variants of one sweep that differ along one axis alone. */
export interface LevelFamily {
  readonly axis: string
  /** The variant that was swept, with the values of the other axes. */
  readonly name: string
  /** In the order in which the sweep states the values. */
  readonly levels: readonly { readonly level: string; readonly variant: SummarisedVariant }[]
}

/** Along each axis of each sweep, the variants that have everything else in common; at least two that answered. */
export function levelFamilies(
  variants: readonly SummarisedVariant[],
  evaluation: Pick<Evaluation, "variants">,
): readonly LevelFamily[] {
  const summarised = new Map(variants.map((variant) => [variant.report.name, variant]))
  const families = new Map<
    string,
    { axis: string; name: string; variants: Map<SweepValue, SummarisedVariant>; order: readonly SweepValue[] }
  >()
  for (const { name, sweep } of evaluation.variants) {
    const variant = summarised.get(name)
    if (!sweep || !variant || variant.scored.answers.length === 0) continue
    for (const [axis, order] of Object.entries(sweep.axes)) {
      const others = Object.entries(sweep.point).filter(([other]) => other !== axis)
      const words = others.map(([other, value]) => `${other} ${String(value)}`).join(", ")
      const key = JSON.stringify([sweep.of, axis, others])
      const family = families.get(key) ?? {
        axis,
        name: words === "" ? sweep.of : `${sweep.of}, ${words}`,
        variants: new Map<SweepValue, SummarisedVariant>(),
        order,
      }
      families.set(key, family)
      const value = sweep.point[axis]
      if (value !== undefined) family.variants.set(value, variant)
    }
  }
  return [...families.values()].flatMap(({ axis, name, variants: byLevel, order }) => {
    const levels = order.flatMap((value) => {
      const variant = byLevel.get(value)
      return variant ? [{ level: String(value), variant }] : []
    })
    return levels.length < 2 ? [] : [{ axis, name, levels }]
  })
}
