import type { Figure } from "../../src/core/report/figure.ts"
import type { VariantReport } from "../../src/core/report/report.ts"
import { count } from "../format/number.ts"
import { plainText } from "../format/text.ts"

/** A column whose cells may have a second figure behind the first. */
interface PairColumn {
  readonly title: string
  second?(variant: VariantReport): Figure
}

/**
 * What a reader must know of the second figure of a cell, a p99 behind a p50: why there is none, which the cell shows as "?", or that
 * it rests on few answers. One line for each reason; empty where nothing is to be said.
 *
 * @example percentileNotes(report.variants, columns) // ["p99 of 17 answers of b is little more than the slowest of them (…)"]
 */
export function percentileNotes(variants: readonly VariantReport[], columns: readonly PairColumn[]): readonly string[] {
  const missing = new Map<string, { readonly names: Set<string>; readonly titles: Set<string> }>()
  const weak = new Map<string, { readonly names: Set<string>; readonly sizes: number[] }>()
  for (const column of columns)
    for (const variant of variants) {
      const second = variant.failure === null ? column.second?.(variant) : undefined
      if (second?.status === "unknown") {
        const found = missing.get(second.reason) ?? { names: new Set(), titles: new Set() }
        found.names.add(variant.name)
        found.titles.add(column.title)
        missing.set(second.reason, found)
      } else if (second?.warning !== undefined) {
        const found = weak.get(second.warning) ?? { names: new Set(), sizes: [] }
        found.names.add(variant.name)
        found.sizes.push(second.n)
        weak.set(second.warning, found)
      }
    }
  return [
    ...[...missing].map(
      ([reason, { names, titles }]) =>
        `? in ${[...titles].join(", ")}${of(names, variants)}: no p99 (${plainText(reason, 160)})`,
    ),
    ...[...weak].map(
      ([warning, { names, sizes }]) =>
        `p99 of ${range(sizes)} ${Math.max(...sizes) === 1 ? "answer" : "answers"}${of(names, variants)} is little more than the slowest of them (${plainText(warning, 160)})`,
    ),
  ]
}

/** Whose it is, where it is not everybody's; three names at most. */
function of(names: ReadonlySet<string>, variants: readonly VariantReport[]): string {
  if (names.size === variants.length) return ""
  const shown = [...names].slice(0, 3).map((name) => plainText(name, 28))
  const more = names.size > shown.length ? ` and ${count(names.size - shown.length)} more` : ""
  return ` of ${shown.join(", ")}${more}`
}

function range(sizes: readonly number[]): string {
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)]
  return low === high ? count(low) : `${count(low)} to ${count(high)}`
}
