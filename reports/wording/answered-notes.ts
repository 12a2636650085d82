import type { RunReport } from "../../src/core/report/report.ts"
import { figureText, valueCell } from "../../src/words/figure.ts"
import { metricTitle, metricUnit } from "../../src/words/metric.ts"
import { count, counted } from "../../src/words/number.ts"
import { plainText } from "../../src/words/text.ts"

/** Variants that are named with what they answered; of more the first. */
const maxNamed = 3

/**
 * What the primary metrics say of what was answered, where their figures count failures: a line a metric.
 *
 * @example answeredNotes(report) // ["exact match counts 40 of 100 answers of flaky, which failed, as the worst value; of what was answered it is 60 of 60 (at least 94 %)"]
 */
export function answeredNotes({ metrics, variants }: RunReport): readonly string[] {
  return metrics.flatMap((metric) => {
    if (!metric.primary) return []
    const [unit, title] = [metricUnit(metric), metricTitle(metric)]
    const notes = variants.flatMap(({ name, quality }) => {
      const {
        answered,
        failed = 0,
        figure,
      } = quality.find((qualityFigure) => qualityFigure.metric === metric.name) ?? {}
      if (!answered || figure?.status !== "known") return []
      return [{ name: plainText(name, 60), answered, failed, asked: figure.n }]
    })
    const [first, ...others] = notes
    if (first === undefined) return []
    if (others.length === 0)
      return [
        `${title} counts ${count(first.failed)} of ${counted(first.asked, "answer")} of ${first.name}, which failed, as the worst value; of what was answered it is ${figureText(first.answered, unit)}`,
      ]
    const failed = notes.reduce((sum, note) => sum + note.failed, 0)
    const named = notes.slice(0, maxNamed).map(({ name, answered }) => `${name} ${valueCell(answered, unit)}`)
    const more = notes.length > maxNamed ? ` and ${count(notes.length - maxNamed)} more in the report` : ""
    return [
      `${title} counts ${counted(failed, "answer")} of ${counted(notes.length, "variant")}, which failed, as the worst value; of what was answered it is ${named.join(", ")}${more}`,
    ]
  })
}
