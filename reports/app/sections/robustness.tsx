import type { Figure } from "../../../src/core/figure.ts"
import type { RobustnessData, TableData } from "../../../src/core/report-sections.ts"
import { readableName } from "../../format/metric.ts"
import { DropsChart } from "../charts/drops-chart.tsx"
import { FigureTable } from "./figure-table.tsx"

/** What perturbations take: the picture, then per variant what is left in the worst case, then every number. */
export function Robustness({ title, data }: { title: string; data: RobustnessData }) {
  return (
    <>
      <DropsChart data={data} />
      {data.summaries && <FigureTable title={`${title}: worst case`} table={worstCaseTable(data)} />}
      <details>
        <summary>Every perturbation in numbers</summary>
        <FigureTable title={title} table={dropsTable(data)} />
      </details>
    </>
  )
}

/** A row per variant: the worst score of each sample, and the share of answers that stayed the same. */
export function worstCaseTable({ metric, unit, summaries = [] }: RobustnessData): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: `${readableName(metric)}, worst case per sample`, unit: unit ?? "score" },
      { title: "answers that stayed the same", unit: "share" },
    ],
    rows: summaries.map(({ variant, worstCase, invariance }) => [variant, worstCase, invariance]),
  }
}

/** A row per perturbation, a column per variant, the drop in the cell: in points where the metric is a rate. */
export function dropsTable({ rows, unit }: RobustnessData): TableData {
  const perturbations = [...new Set(rows.map((row) => row.perturbation))]
  const variants = [...new Set(rows.map((row) => row.variant))]
  const rate = unit === "share"
  const drop = (variant: string, perturbation: string) => {
    const found = rows.find((row) => row.variant === variant && row.perturbation === perturbation)?.drop
    return found ? (rate ? inPoints(found) : found) : null
  }
  return {
    columns: [
      { title: "perturbation" },
      ...variants.map((title) => ({ title, unit: rate ? "points" : (unit ?? "score") })),
    ],
    rows: perturbations.map((perturbation) => [
      readableName(perturbation),
      ...variants.map((variant) => drop(variant, perturbation)),
    ]),
  }
}

function inPoints(figure: Figure): Figure {
  if (figure.status === "unknown") return figure
  const { value, low = null, high = null, ...rest } = figure
  const scaled = (bound: number | null) => (bound === null ? null : 100 * bound)
  return { ...rest, value: 100 * value, low: scaled(low), high: scaled(high) }
}
