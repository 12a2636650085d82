import type { Figure } from "../../src/core/report/figure.ts"
import type { VariantReport } from "../../src/core/report/report.ts"
import { count } from "../../src/words/number.ts"
import { plainText } from "../../src/words/text.ts"

/** A column whose cells may have a second figure behind the first. */
interface PairColumn {
  readonly title: string
  /** The first figure; absent where a column has one only. */
  figure?(variant: VariantReport): Figure
  second?(variant: VariantReport): Figure
}

/**
 * What a reader must know of the second figure of a cell, a p99 behind a p50: why there is none, which the cell shows as "?", or that
 * it rests on few answers. Where the first figure is unknown, so is the second: cells with room for it give the reason themselves, and
 * those of a terminal have it here. One line for each reason; empty where nothing is to be said.
 *
 * @example percentileNotes(report.variants, columns) // ["p99 of 17 answers of b is little more than the slowest of them (…)"]
 */
export function percentileNotes(
  variants: readonly VariantReport[],
  columns: readonly PairColumn[],
  { cellsSayWhy }: { readonly cellsSayWhy: boolean },
): readonly string[] {
  const missing = new Map<
    string,
    { readonly names: Set<string>; readonly titles: Set<string>; readonly what: string; readonly why: string }
  >()
  const weak = new Map<string, { readonly names: Set<string>; readonly sizes: number[] }>()
  for (const column of columns)
    for (const variant of variants) {
      const second = variant.failure === null ? column.second?.(variant) : undefined
      const first = column.figure?.(variant)
      if (second?.status === "unknown") {
        const [what, why] =
          first?.status === "unknown"
            ? ["unknown in", plainText(first.reason, 160)]
            : ["? in", `no p99 (${plainText(second.reason, 160)})`]
        if (first?.status === "unknown" && cellsSayWhy) continue
        const key = `${what} ${why}`
        const entry = missing.get(key) ?? { names: new Set(), titles: new Set(), what, why }
        entry.names.add(variant.name)
        entry.titles.add(column.title)
        missing.set(key, entry)
      } else if (second?.warning !== undefined) {
        const entry = weak.get(second.warning) ?? { names: new Set(), sizes: [] }
        entry.names.add(variant.name)
        entry.sizes.push(second.n)
        weak.set(second.warning, entry)
      }
    }
  return [
    ...[...missing.values()].map(
      ({ names, titles, what, why }) => `${what} ${[...titles].join(", ")}${of(names, variants)}: ${why}`,
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
