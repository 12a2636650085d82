import { noFigure } from "../../wording/reasons.ts"
import { counted } from "../../words/number.ts"
import type { TrendPoint } from "./trend.ts"

/** Which runs of a trend can be compared with its baseline run. */
export interface TrendReach {
  /** Ids of the baseline run and of the runs that share enough samples with it for a loss to show. */
  readonly compared: ReadonlySet<string>
  /** Why the newest run cannot be compared; null where it can. */
  readonly newest: string | null
}

/**
 * Whether any loss at all could show between each run and the baseline run. An exact paired test of n units gives no p below
 * 2^(1 − n): fewer samples in common than that takes raise no alarm even where all of them turned wrong.
 *
 * @param alpha error rate of the trend, of which half goes to the alarms, shared by the runs
 */
export function reachOf(points: readonly TrendPoint[], baselineIndex: number, alpha: number): TrendReach {
  const baseline = points[baselineIndex]
  const newest = points.at(-1)
  if (!baseline || !newest) return { compared: new Set(), newest: noFigure.noRun }
  const tests = Math.max(1, points.filter(({ pAdjusted }) => pAdjusted !== null).length)
  const needed = Math.floor(1 - Math.log2(alpha / 2 / tests)) + 1
  const unitsOf = ({ comparison }: TrendPoint) =>
    comparison?.p == null ? 0 : (comparison.clusters ?? comparison.pairs)
  const compared = points.filter((point) => point === baseline || unitsOf(point) >= needed)
  const isCompared = compared.includes(newest) && newest !== baseline
  return {
    compared: new Set(compared.map(({ run }) => run)),
    newest: isCompared ? null : reasonOf(newest, baseline, unitsOf(newest), needed),
  }
}

function reasonOf(newest: TrendPoint, baseline: TrendPoint, units: number, needed: number): string {
  if (newest === baseline) return `no run came after the baseline run ${baseline.run}`
  const { comparison } = newest
  const unit = comparison?.clusters == null ? "sample" : "group of samples"
  const both = units > 0 ? units : (comparison?.pairs ?? 0)
  return `run ${newest.run} has ${counted(both, unit)} in common with the baseline run ${baseline.run}, and it takes ${needed} for any loss to show`
}
