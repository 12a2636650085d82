import type { TrendPoint, TrendReach } from "../../core/report/trend.ts"
import { noFigure } from "../../wording/reasons.ts"
import { reachReason } from "../../wording/trend.ts"

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
    newest: isCompared ? null : reachReason(newest, baseline, unitsOf(newest), needed),
  }
}
