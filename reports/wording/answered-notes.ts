import type { RunReport } from "../../src/core/report/report.ts"
import { figureText } from "../format/figure.ts"
import { metricTitle, metricUnit } from "../format/metric.ts"
import { count, plural } from "../format/number.ts"
import { plainText } from "../format/text.ts"

/** Lines that have room; failures beyond them are counted in the column of failures. */
const mostNotes = 6

/**
 * What the primary metrics say of what was answered, where their figures count failures: a line a variant.
 *
 * @example answeredNotes(report) // ["exact match counts 40 of 100 answers of flaky, which failed, as the worst value; of what was answered it is 60 of 60 (at least 94 %)"]
 */
export function answeredNotes({ metrics, variants }: RunReport): readonly string[] {
  const notes = metrics
    .filter(({ primary }) => primary)
    .flatMap((metric) =>
      variants.flatMap(({ name, quality }) => {
        const found = quality.find((one) => one.metric === metric.name)
        if (!found?.answered || !found.failed || found.figure.status === "unknown") return []
        const failed = `${count(found.failed)} of ${plural(found.figure.n, "answer")}`
        return [
          `${metricTitle(metric)} counts ${failed} of ${plainText(name, 60)}, which failed, as the worst value; of what was answered it is ${figureText(found.answered, metricUnit(metric))}`,
        ]
      }),
    )
  return notes.slice(0, mostNotes)
}
