import type { RunReport } from "../../src/core/report/report.ts"

/** The part of a report that says at which level its verdicts are. */
type Level = Pick<RunReport["run"], "alpha">

/**
 * The level of a report's intervals of quality and of differences.
 *
 * @example levelWords({ alpha: 0.1 }) // "90 %"
 */
export function levelWords({ alpha = 0.05 }: Level): string {
  return `${Number(((1 - alpha) * 100).toFixed(2))} %`
}

/**
 * What a "±" beside figures of every kind is half of. Figures of speed and cost are described at 95 %, whatever a run's verdicts
 * want.
 *
 * @example intervalWords({ alpha: 0.1 }) // "90 % interval (95 % for speed and cost)"
 */
export function intervalWords(run: Level): string {
  const level = levelWords(run)
  return level === "95 %" ? "95 % interval" : `${level} interval (95 % for speed and cost)`
}
