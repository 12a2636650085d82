import type { Figure } from "../../src/core/report/figure.ts"
import type { QuantizationData } from "../../src/core/report/report-sections.ts"
import type { Cell, Table } from "./table.ts"

/** A row per measure that is known of one at least, a column per quantization; where there is no room for intervals, what may be chance stands in brackets. */
export function quantizationTable({ reference, measures, variants }: QuantizationData): Table {
  return {
    columns: [
      { title: `against ${reference}` },
      ...variants.map(({ variant }) => ({ title: variant, isVariant: true })),
    ],
    rows: measures.flatMap(({ title }, index) => {
      if (variants.every(({ figures }) => figures[index]?.figure?.status === "unknown")) return []
      const cells = variants.map(({ figures }): Cell => {
        const { figure, text } = figures[index] ?? { text: "unknown" }
        const value = text.replace(/ \(.*\)$/, "")
        return { text, short: figure && mayBeChance(figure) ? `(${value})` : value, ...(figure && { figure }) }
      })
      return [[{ text: title, kind: "term" as const }, ...cells]]
    }),
  }
}

/** Whether a change could as well be none, or made by evalkit's own timing error. */
function mayBeChance(figure: Figure): boolean {
  if (figure.status === "unknown") return false
  const { low, high, isApproximate } = figure
  return isApproximate === true || (low != null && high != null && low < 0 && high > 0)
}
