import type {
  CalibrationData,
  ConfusionData,
  ContextWindowData,
  FairnessData,
  JudgeCardData,
  RobustnessData,
  TableData,
} from "../../src/core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../src/core/report/table-data.ts"
import { inHundredths } from "../../src/words/figure.ts"
import { metricCalled, type ReportMetric, readableName } from "../../src/words/metric.ts"

const methodNames = { temperature: "temperature scaling", platt: "Platt scaling", isotonic: "isotonic regression" }

/** A row per variant and method of recalibration, shown on the half of the answers that it was not fitted on. */
export function recalibrationTable({ variants }: CalibrationData): TableData {
  const rows = variants.flatMap(({ variant, recalibrations = [] }) =>
    recalibrations.map((recalibration) => ({ variant, ...recalibration })),
  )
  return tableData(rows, [
    ["variant", ({ variant }) => variant],
    [
      "recalibration",
      ({ method, temperature }) =>
        temperature === undefined ? methodNames[method] : `${methodNames[method]}, T = ${temperature.toFixed(2)}`,
    ],
    ["held-out answers", ({ shownOn }) => shownOn],
    ["loss before", ({ lossBefore }) => lossBefore, "nats"],
    ["loss after", ({ lossAfter }) => lossAfter, "nats"],
    ["change", ({ change }) => change, "nats"],
    ["calibration error before", ({ errorBefore }) => errorBefore, "share"],
    ["after", ({ errorAfter }) => errorAfter, "share"],
  ])
}

/** A row per variant and group. */
export function groupTable({ variants }: CalibrationData): TableData {
  const rows = variants.flatMap(({ variant, groups = [] }) => groups.map((group) => ({ variant, ...group })))
  return tableData(rows, [
    ["variant", ({ variant }) => variant],
    ["group", ({ group }) => group],
    ["confidence", ({ confidence }) => confidence, "share"],
    ["right", ({ accuracy }) => accuracy, "share"],
    ["expected calibration error", ({ expectedCalibrationError }) => expectedCalibrationError, "share"],
  ])
}

/** A row per variant: the worst score of each sample, and the share of unchanged answers. */
export function worstCaseTable(
  { metric, unit, summaries = [] }: RobustnessData,
  metrics: readonly ReportMetric[],
): TableData {
  return tableData(summaries, [
    ["variant", ({ variant }) => variant],
    [`${metricCalled(metrics, metric)}, worst case per sample`, ({ worstCase }) => worstCase, unit ?? "score"],
    ["unchanged answers", ({ invariance }) => invariance, "share"],
  ])
}

/** A row per perturbation, a column per variant, the drop in the cell: in points where the metric is a rate. */
export function dropsTable({ rows, unit }: RobustnessData): TableData {
  const perturbations = [...new Set(rows.map((row) => row.perturbation))]
  const variants = [...new Set(rows.map((row) => row.variant))]
  const rate = unit === "share"
  const drop = (variant: string, perturbation: string) => {
    const cell = rows.find((row) => row.variant === variant && row.perturbation === perturbation)?.drop
    return cell ? (rate ? inHundredths(cell) : cell) : null
  }
  return tableData(perturbations, [
    ["perturbation", (perturbation) => readableName(perturbation)],
    ...variants.map((variant): TableColumn<string> => {
      return [variant, (perturbation) => drop(variant, perturbation), rate ? "points" : (unit ?? "score")]
    }),
  ])
}

/** A row per variant: how full its context window was, and what did not fit. */
export function contextWindowTable({ variants }: ContextWindowData): TableData {
  return tableData(variants, [
    ["variant", ({ variant }) => variant],
    ["context window", ({ window }) => window, "tokens"],
    ["used, p50", ({ p50 }) => inHundredths(p50), "%"],
    ["used, p95", ({ p95 }) => inHundredths(p95), "%"],
    ["largest request", ({ largest }) => inHundredths(largest), "%"],
    ["over 90 %", ({ nearlyFull }) => nearlyFull, "count"],
    ["ended at a token limit", ({ atLimit }) => atLimit, "count"],
    ["cut off by the window", ({ cutOff }) => cutOff, "count"],
    ["refused as too long", ({ refused }) => refused, "count"],
    ["requests", ({ requests }) => requests, "count"],
  ])
}

/** A row per confusion that changed against the baseline. */
export function confusionChangesTable({ changes }: ConfusionData): TableData {
  return tableData(changes, [
    ["variant", ({ variant }) => variant],
    ["takes", ({ actual }) => actual],
    ["for", ({ predicted }) => predicted ?? "no class"],
    ["newly", ({ added }) => added],
    ["no longer", ({ removed }) => removed],
    ["p (Holm)", ({ p }) => p, "p"],
  ])
}

/** A row per class and variant. */
export function classTable({ labels, variants }: ConfusionData): TableData {
  const rows = labels.flatMap((label, index) =>
    variants.map(({ variant, classes, counts }) => {
      return { variant, label, ...classes[index], samples: (counts[index] ?? []).reduce((sum, n) => sum + n, 0) }
    }),
  )
  return tableData(rows, [
    ["variant", ({ variant }) => variant],
    ["class", ({ label }) => label],
    ["precision", ({ precision }) => precision ?? null, "share"],
    ["recall", ({ recall }) => recall ?? null, "share"],
    ["F1", ({ f1 }) => f1 ?? null, "share"],
    ["samples", ({ samples }) => samples],
  ])
}

/** A row per judge, a column per figure. */
export function judgeTable({ judges }: JudgeCardData): TableData {
  const names = [...new Set(judges.flatMap((judge) => Object.keys(judge.figures)))]
  const unit = (name: string) => judges.find((judge) => judge.units?.[name])?.units?.[name]
  return {
    columns: [{ title: "judge" }, ...names.map((name) => ({ title: readableName(name), unit: unit(name) ?? "score" }))],
    rows: judges.map((judge) => [judge.judge, ...names.map((name) => judge.figures[name] ?? null)]),
  }
}

/** A row per variant, a column per group, the largest gap last. */
export function fairnessTable({ variants, unit }: FairnessData): TableData {
  const groups = [...new Set(variants.flatMap((variant) => Object.keys(variant.groups)))]
  const of = unit ?? "score"
  return tableData(variants, [
    ["variant", ({ variant }) => variant],
    ...groups.map((group): TableColumn<(typeof variants)[number]> => [group, (row) => row.groups[group] ?? null, of]),
    ["largest gap", ({ gap }) => gap, of],
  ])
}
