import type { Figure } from "../../../src/core/figure.ts"
import type { CalibrationData, RobustnessData, TableData } from "../../../src/core/report-sections.ts"
import { readableName } from "../../format/metric.ts"

const methodNames = { temperature: "temperature scaling", platt: "Platt scaling", isotonic: "isotonic regression" }

/** A row per variant and way of mending, shown on the half of the answers that it was not fitted on. */
export function recalibrationTable({ variants }: CalibrationData): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "recalibration" },
      { title: "held-out answers" },
      { title: "loss as stated", unit: "nats" },
      { title: "loss after", unit: "nats" },
      { title: "change", unit: "nats" },
      { title: "calibration error as stated", unit: "share" },
      { title: "after", unit: "share" },
    ],
    rows: variants.flatMap(({ variant, recalibrations = [] }) =>
      recalibrations.map((one) => [
        variant,
        one.temperature === undefined
          ? methodNames[one.method]
          : `${methodNames[one.method]}, T = ${one.temperature.toFixed(2)}`,
        one.shownOn,
        one.lossBefore,
        one.lossAfter,
        one.change,
        one.errorBefore,
        one.errorAfter,
      ]),
    ),
  }
}

/** A row per variant and group. */
export function groupTable({ variants }: CalibrationData): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "group" },
      { title: "confidence", unit: "share" },
      { title: "right", unit: "share" },
      { title: "expected calibration error", unit: "share" },
    ],
    rows: variants.flatMap(({ variant, groups = [] }) =>
      groups.map((one) => [variant, one.group, one.confidence, one.accuracy, one.expectedCalibrationError]),
    ),
  }
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
