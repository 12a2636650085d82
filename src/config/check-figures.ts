import { isBreakRule } from "../analyse/decide/break-rule.ts"
import { parseFigureName } from "../analyse/decide/figure-name.ts"
import { nearest } from "../core/did-you-mean.ts"
import { messageOf } from "../core/errors.ts"
import { describe } from "../core/options.ts"
import type {
  CostFigures,
  ReliabilityFigures,
  SpeedFigures,
  TextFigures,
  VariantReport,
} from "../core/report/report.ts"
import { breakPrefix, criticalBreaks } from "../core/report/tracked-figures.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import { constraintWords, parseConstraints } from "../estimate/constraints.ts"

type ReportFigure =
  | "availability"
  | "costUsd"
  | keyof CostFigures
  | keyof ReliabilityFigures
  | keyof SpeedFigures
  | keyof TextFigures
  | keyof VariantReport["resources"]
  | keyof VariantReport["tokens"]

/** Figures of a report that a gate can hold, besides the metrics. */
const distributions = [
  "ttftMs",
  "ttftFromIntentMs",
  "ttftAnyMs",
  "attemptTtftMs",
  "attemptE2eMs",
  "rateLimitWaitMs",
  "longestStopMs",
  "e2eMs",
  "tpotMs",
  "itlMs",
  "queueWaitMs",
  "outputTokensPerSecond",
] as const satisfies readonly ReportFigure[]
const numbers = [
  "availability",
  "attemptFailures",
  "stopShare",
  "lateSpeedRatio",
  "longestOutageMs",
  "recoveryMs",
  "costUsd",
  "totalUsd",
  "perQueryUsd",
  "perThousandUsd",
  "perCorrectUsd",
  "failedUsd",
  "judgeUsd",
  "systemTokensPerSecond",
  "requestsPerSecond",
  "modelBytes",
  "peakRssBytes",
  "rssOverIdleBytes",
  "loadMs",
  "cpuSeconds",
  "energyJoules",
  "joulesPerAnswer",
  "joulesPerToken",
  "joulesPerCorrect",
  "electricityUsdPerAnswer",
  "electricityUsdPerCorrect",
  "gramsCo2PerAnswer",
  "gramsCo2PerCorrect",
  "meanWatts",
  "gpuMemoryBytes",
  "prompt",
  "completion",
  "cachedPrompt",
  "reasoning",
  "tokensPerAnswer",
  "o200kPerAnswer",
  "charactersPerAnswer",
  "o200kPerSecond",
  "charactersPerSecond",
  "usdPerAnswer",
  "usdPerMillionO200k",
  "usdPerMillionCharacters",
] as const satisfies readonly ReportFigure[]
const statistics = ["mean", "p50", "p90", "p95", "p99", "max"]

/** Faults of axes, constraints and gate rules that would only show after the run was paid for; one line each. */
export function figureFaults({ axes, constraints, gate, metrics, breaks }: Evaluation): string[] {
  const metricNames = metrics.map((metric) => metric.name)
  return [
    ...axes.flatMap((axis, i) => axisFaults(`axes[${i}]`, axis, metricNames)),
    ...constraints.flatMap((text, i) => constraintFaults(`constraints[${i}]`, text, metricNames)),
    ...gate.flatMap((rule, i) => gateFigure(`gate[${i}].figure`, rule.figure, metricNames, breaks)),
  ]
}

/** An axis of a figure that no report has would be left out, with its variants ranked by the others. */
function axisFaults(path: string, axis: string, metricNames: readonly string[]): string[] {
  const unreadable = readable(path, () => parseFigureName(axis))
  if (unreadable.length > 0) return unreadable
  const { figure } = parseFigureName(axis)
  return distributions.some((name) => name === figure)
    ? []
    : gateFigure(path, figure, [...metricNames, "quality", "completionTokens"])
}

/** A limit on a figure that no report has would never be broken, nor kept. */
function constraintFaults(path: string, text: string, metricNames: readonly string[]): string[] {
  const unreadable = readable(path, () => parseConstraints(text))
  if (unreadable.length > 0) return unreadable
  return parseConstraints(text).flatMap(({ figure, subject }) => {
    if (isBreakRule(figure))
      return [`${path}: ${figure} is no limit but a rule: gate: [{ figure: "${figure}", max: 0 }]`]
    const faults = gateFigure(path, figure, [...metricNames, "quality"])
    if (faults.length === 0 || figure !== subject) return faults
    const [, word = subject, statistic = ""] = /^(.*?)(\.\w+)?$/.exec(subject) ?? []
    const meant = nearest(word, [...constraintWords, ...distributions, ...numbers, ...metricNames, "quality"])
    return meant
      ? [
          `${path}: expected a metric's name or a figure of the report, got ${describe(subject)}; did you mean "${meant}${statistic}"?`,
        ]
      : faults
  })
}

function readable(path: string, parse: () => unknown): string[] {
  try {
    parse()
    return []
  } catch (error) {
    return [`${path}: ${messageOf(error)}`]
  }
}

/**
 * The fault of a gate rule's figure that no report has, as a list of none or one.
 *
 * @param breaks hard checks of the run, of which a rule can count the samples
 */
export function gateFigure(
  path: string,
  figure: string,
  metricNames: readonly string[],
  breaks: readonly { readonly metric?: unknown }[] = [],
): string[] {
  const checks = breaks.map(({ metric }) => `${breakPrefix}${metric}`)
  const names: readonly string[] = [
    ...[...metricNames, ...numbers, criticalBreaks, ...checks, "memoryBytes"],
    ...distributions,
  ]
  if (names.includes(figure)) return []
  const [head = "", statistic = "", ...more] = figure.split(".")
  if (head === "stages") return stageFaults(path, figure)
  const distribution: readonly string[] = distributions
  if (distribution.includes(head)) {
    if (more.length === 0 && statistics.includes(statistic)) return []
    return [`${path}: expected ${head} with ${statistics.join(", ")} after a dot, got ${describe(figure)}`]
  }
  const meant = nearest(figure, names)
  const hint = meant ? `; did you mean "${meant}"?` : ` (known: ${names.join(", ")})`
  return [`${path}: expected a metric's name or a figure of the report, got ${describe(figure)}${hint}`]
}

/** Which stages an application has shows only when it runs; how a limit names one can be checked. */
function stageFaults(path: string, figure: string): string[] {
  const [, stage = "", statistic = "p50", ...more] = figure.split(".")
  if (stage !== "" && more.length === 0 && statistics.includes(statistic)) return []
  return [`${path}: expected a stage as stages.NAME with ${statistics.join(", ")} after a dot, got ${describe(figure)}`]
}
