import type { QualityFigure } from "../../src/core/report/report.ts"
import { metricCalled, type ReportMetric } from "../../src/words/metric.ts"
import { comparingWords } from "../../src/words/metrics/comparing.ts"
import { count, significant } from "../../src/words/number.ts"
import { levelText } from "../../src/words/percent.ts"
import { plainText } from "../../src/words/text.ts"
import { stackedTables } from "./text-table.ts"

/** A metric over answers that another tool made. */
export interface ScoredMetric
  extends Pick<QualityFigure, "metric" | "figure" | "answered" | "failed" | "scored" | "details"> {
  /** Count by reason. */
  readonly unscored: ReadonlyMap<string, number>
  /** The first answer without a score, by reason. */
  readonly firstUnscored: ReadonlyMap<string, string>
}

/** What is known of the metrics beside their figures: what people call them. */
type Named = readonly Pick<ReportMetric, "name" | "title">[]

/** The figures as a table for people: one line per metric, then what is unscored and why. */
export function scoreTable(
  figures: readonly ScoredMetric[],
  total: number,
  metrics: Named,
  alpha = 0.05,
  width = Number.POSITIVE_INFINITY,
): string {
  const rows = figures.map(({ metric, figure, scored }) =>
    figure.status === "known"
      ? [
          metricCalled(metrics, metric, 60),
          significant(figure.value, 4),
          interval(figure),
          `${count(scored)} of ${count(total)}`,
        ]
      : [metricCalled(metrics, metric, 60), "unknown", plainText(figure.reason), `${count(scored)} of ${count(total)}`],
  )
  const header = ["metric", "value", `${levelText(alpha)} interval`, "scored"]
  const notes = figures.flatMap(({ metric, answered, failed = 0 }) =>
    answered?.status === "known"
      ? [
          `${metricCalled(metrics, metric, 60)}: ${count(failed)} of ${count(total)} failed and count as the worst value; of the others it is ${significant(answered.value, 4)} (${interval(answered)})`,
        ]
      : [],
  )
  return `${[...stackedTables(header, rows, width, [0, 2]), ...notes].join("\n")}\n`
}

/** One line per metric and reason: how many answers have no score, and the first of them; and what the scores hang on. */
export function unscoredLines(figures: readonly ScoredMetric[], metrics: Named): string[] {
  return figures.flatMap(({ metric, unscored, firstUnscored, details }) => {
    const name = metricCalled(metrics, metric, 60)
    return [
      ...Array.from(
        unscored,
        ([reason, n]) =>
          `${name}: ${count(n)} unscored: ${plainText(reason)} (first: ${plainText(firstUnscored.get(reason) ?? "")})`,
      ),
      ...comparingWords.notesOf(details).map((note) => `note: ${name}: ${note}`),
    ]
  })
}

function interval(figure: { readonly low?: number | null; readonly high?: number | null }): string {
  if (typeof figure.low !== "number" || typeof figure.high !== "number") return "not bounded"
  return `${significant(figure.low, 4)} to ${significant(figure.high, 4)}`
}
