import type { RunReport } from "../../src/core/report/report.ts"
import { levelText } from "../../src/stats/level-text.ts"

/** The part of a report that says at which level it is. */
type Level = Pick<RunReport["run"], "alpha">

/**
 * The level of a report's intervals.
 *
 * @example levelWords({ alpha: 0.1 }) // "90 %"
 */
export function levelWords({ alpha = 0.05 }: Level): string {
  return levelText(alpha)
}
