import type { Change } from "../../core/report/change.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { VariantReport } from "../../core/report/report.ts"
import { isHardwarePrice, statesCapacity, usdPerBusySecond } from "../../cost/hardware.ts"
import { reportFigure } from "../../estimate/report-figure.ts"
import { quotientInterval } from "../../stats/intervals/quotient-interval.ts"
import { methods } from "../../wording/methods.ts"
import { changeFrom } from "../compare/changes.ts"

/**
 * Changes that no pair of answers shows: the size of the model's file, which is exact, and the cost of a query where single answers have
 * no price, as of hardware that is paid by the hour.
 */
export function changesOfReports(
  paired: readonly Change[],
  base: VariantReport,
  report: VariantReport,
  smallestGain: number,
): Change[] {
  const isPaired = (figure: Change["figure"]) => paired.some((change) => change.figure === figure)
  const changes = [
    isPaired("modelBytes") ? null : sizeChange(base, report),
    isPaired("costUsd")
      ? null
      : costChange(
          base,
          report,
          paired.find(({ figure }) => figure === "e2eMs"),
        ),
  ]
  return changes.flatMap((facts) => (facts ? [changeFrom(facts, smallestGain)] : []))
}

type ChangeFacts = Parameters<typeof changeFrom>[0]

function sizeChange(base: VariantReport, report: VariantReport): ChangeFacts | null {
  const from = figureValue(reportFigure(base, "modelBytes"))
  const to = figureValue(reportFigure(report, "modelBytes"))
  if (from === null || to === null || from <= 0) return null
  const share = to / from - 1
  const method = methods.fileSizes
  return { figure: "modelBytes", share, low: share, high: share, n: 1, turns: null, method }
}

/**
 * The cost of a query on both sides, each with its interval. Of two machines that are paid for their time it differs by what an hour
 * costs and by the time that a query takes: where no difference of that time is proven, the claim must hold without it, too.
 */
function costChange(base: VariantReport, report: VariantReport, time: Change | undefined): ChangeFacts | null {
  const [from, to] = [base.cost.perQueryUsd, report.cost.perQueryUsd]
  if (from.status === "unknown" || to.status === "unknown" || from.value <= 0) return null
  const bounds = quotientInterval(to, from)
  const [before, after] = [base.cost.price ?? null, report.cost.price ?? null]
  const isStated = [before, after].every((price) => isHardwarePrice(price) && statesCapacity(price))
  const isByTime = before?.kind !== "tokens" && after?.kind !== "tokens" && !isStated
  const priceRatio =
    isHardwarePrice(before) && isHardwarePrice(after) ? usdPerBusySecond(after) / usdPerBusySecond(before) : 1
  const open = isByTime && time && !time.isProven ? time : null
  const withoutTime = open ? [priceRatio] : []
  const share = (bound: number | null, outer: (...values: number[]) => number) =>
    bound === null ? null : outer(bound, ...withoutTime) - 1
  return {
    figure: "costUsd",
    share: to.value / from.value - 1,
    low: share(bounds.low, Math.min),
    high: share(bounds.high, Math.max),
    n: Math.min(base.finished, report.finished),
    isPaired: false,
    turns: time?.turns ?? null,
    method: methods.ratioOfCosts(open ? methods.withoutTimeDifference(open.method) : ""),
  }
}
