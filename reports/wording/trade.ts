import { figureValue } from "../../src/core/report/figure.ts"
import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { significant } from "../format/number.ts"
import { percent } from "../format/quantity.ts"

/**
 * What a candidate changes besides quality, in a few words: "half the size, 15 % cheaper, first token 14 % sooner".
 * Changes under 5 % are left out; empty when nothing is known or nothing changes.
 */
export function tradeWords(report: RunReport, baseline: string, candidate: string): string[] {
  const from = report.variants.find((variant) => variant.name === baseline)
  const to = report.variants.find((variant) => variant.name === candidate)
  if (!from || !to) return []
  const words = [
    sizeWords(ratio(from, to, (variant) => figureValue(variant.resources.modelBytes))),
    changeWords(
      ratio(from, to, (variant) => figureValue(variant.cost.perThousandUsd)),
      ["cheaper", "dearer", "the cost"],
    ),
    changeWords(
      ratio(from, to, (variant) => figureValue(variant.speed.ttftMs.p50)),
      ["sooner to the first token", "later to the first token", "the wait for the first token"],
    ),
    changeWords(
      ratio(from, to, (variant) => figureValue(variant.speed.e2eMs.p50)),
      ["faster", "slower", "as long"],
    ),
  ]
  return words.filter((word) => word !== null)
}

/**
 * A ratio (new over old) in words; null when it is unknown or less than 5 % away from 1.
 *
 * @example changeWords(0.62, ["cheaper", "dearer", "the cost"]) // "38 % cheaper"
 */
export function changeWords(
  value: number | null,
  [less, more, times]: readonly [less: string, more: string, times: string],
): string | null {
  if (value === null || Math.abs(value - 1) < 0.05) return null
  if (value >= 2) return `${significant(value, 2)} times ${times}`
  const change = percent(Math.round(Math.abs(1 - value) * 100) / 100)
  return `${change} ${value < 1 ? less : more}`
}

function sizeWords(value: number | null): string | null {
  if (value === null || Math.abs(value - 1) < 0.05) return null
  if (Math.abs(value - 0.5) <= 0.05) return "half the size"
  return changeWords(value, ["smaller", "larger", "the size"])
}

function ratio(from: VariantReport, to: VariantReport, read: (variant: VariantReport) => number | null): number | null {
  const before = read(from)
  const after = read(to)
  return before === null || after === null || before <= 0 ? null : after / before
}
