import type { AnyMetric } from "../../core/metric/metric.ts"
import { sampleDifferences } from "../../estimate/sample-differences.ts"
import type { RowPair } from "../../rows/align.ts"
import { unitKey } from "../../rows/entries.ts"
import { groupUnits } from "../../stats/resampling/units.ts"
import { roundedDifferences } from "../../stats/rounded.ts"
import type { PowerPopulation } from "../../stats/tests/bound-power.ts"

/**
 * The samples of a pilot as units that future samples are drawn from: one difference a sample, in clusters where they have some, and
 * more is better. Null for fewer than two samples, and where none differs: that shows nothing of how much samples vary.
 */
export function populationOfPairs(
  pairs: readonly RowPair[],
  { range, direction }: Pick<AnyMetric, "range" | "direction">,
): (PowerPopulation & { readonly samples: number }) | null {
  const keys = new Map(pairs.map((pair) => [pair.sampleId, unitKey(pair)]))
  const differences = sampleDifferences(pairs)
  const sign = direction === "higher" ? 1 : -1
  const values = roundedDifferences(differences.map(({ difference }) => sign * difference))
  if (values.length < 2 || values.every((value) => value === values[0])) return null
  const units = groupUnits(
    values,
    differences.map(({ sampleId }) => keys.get(sampleId) as string),
  )
  const isRepeated = pairs.length > differences.length
  return {
    units: { ...units, single: units.single && !isRepeated },
    width: range[1] - range[0],
    samples: values.length,
  }
}
