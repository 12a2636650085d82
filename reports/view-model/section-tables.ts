import type {
  CalibrationData,
  ConfusionData,
  ContextWindowData,
  FairnessData,
  JudgeCardData,
  RobustnessData,
  TableData,
} from "../../src/core/report/report-sections.ts"
import { inHundredths } from "../../src/words/figure.ts"
import { metricCalled, type ReportMetric, readableName } from "../../src/words/metric.ts"

const methodNames = { temperature: "temperature scaling", platt: "Platt scaling", isotonic: "isotonic regression" }

/** A row per variant and method of recalibration, shown on the half of the answers that it was not fitted on. */
export function recalibrationTable({ variants }: CalibrationData): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "recalibration" },
      { title: "held-out answers" },
      { title: "loss before", unit: "nats" },
      { title: "loss after", unit: "nats" },
      { title: "change", unit: "nats" },
      { title: "calibration error before", unit: "share" },
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

/** A row per variant: the worst score of each sample, and the share of unchanged answers. */
export function worstCaseTable(
  { metric, unit, summaries = [] }: RobustnessData,
  metrics: readonly ReportMetric[],
): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: `${metricCalled(metrics, metric)}, worst case per sample`, unit: unit ?? "score" },
      { title: "unchanged answers", unit: "share" },
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
    return found ? (rate ? inHundredths(found) : found) : null
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

/** A row per variant: how full its context window was, and what did not fit. */
export function contextWindowTable({ variants }: ContextWindowData): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "context window", unit: "tokens" },
      { title: "used, p50", unit: "%" },
      { title: "used, p95", unit: "%" },
      { title: "largest request", unit: "%" },
      { title: "over 90 %", unit: "count" },
      { title: "ended at a token limit", unit: "count" },
      { title: "cut off by the window", unit: "count" },
      { title: "refused as too long", unit: "count" },
      { title: "requests", unit: "count" },
    ],
    rows: variants.map((one) => [
      one.variant,
      one.window,
      inHundredths(one.p50),
      inHundredths(one.p95),
      inHundredths(one.largest),
      one.nearlyFull,
      one.atLimit,
      one.cutOff,
      one.refused,
      one.requests,
    ]),
  }
}

/** A row per confusion that changed against the baseline. */
export function confusionChangesTable({ changes }: ConfusionData): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "takes" },
      { title: "for" },
      { title: "newly" },
      { title: "no longer" },
      { title: "p (Holm)", unit: "p" },
    ],
    rows: changes.map(({ variant, actual, predicted, added, removed, p }) => [
      variant,
      actual,
      predicted ?? "no class",
      added,
      removed,
      p,
    ]),
  }
}

/** A row per class and variant. */
export function classTable({ labels, variants }: ConfusionData): TableData {
  return {
    columns: [
      { title: "variant" },
      { title: "class" },
      { title: "precision", unit: "share" },
      { title: "recall", unit: "share" },
      { title: "F1", unit: "share" },
      { title: "samples" },
    ],
    rows: labels.flatMap((label, place) =>
      variants.map(({ variant, classes, counts }) => [
        variant,
        label,
        classes[place]?.precision ?? null,
        classes[place]?.recall ?? null,
        classes[place]?.f1 ?? null,
        (counts[place] ?? []).reduce((sum, n) => sum + n, 0),
      ]),
    ),
  }
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
  return {
    columns: [
      { title: "variant" },
      ...groups.map((title) => ({ title, unit: of })),
      { title: "largest gap", unit: of },
    ],
    rows: variants.map((variant) => [
      variant.variant,
      ...groups.map((group) => variant.groups[group] ?? null),
      variant.gap,
    ]),
  }
}
