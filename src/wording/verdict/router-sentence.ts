import type { AnyMetric } from "../../core/metric/metric.ts"
import type { RouterCurve } from "../../core/report/frontier.ts"
import { between, levelOf, sized, wordingOf } from "../../words/difference.ts"
import { amount, counted } from "../../words/number.ts"
import { levelText, percent } from "../../words/percent.ts"

/** What a router's curve says, as one sentence: the cascade that may be promised beside its last stage alone. @experimental */
export function routerSentence(curve: RouterCurve, metric: Pick<AnyMetric, "unit" | "range">): string {
  const { stages, chosen, alone, promise } = curve
  const last = stages.at(-1) ?? ""
  const wording = wordingOf(metric)
  if (!alone || !promise || curve.points.length === 0)
    return `No cascade of ${stages.join(" and ")} could be simulated.`
  const asked = stages.length > 2 ? `Asking ${stages.join(", then ")}` : `Asking ${stages[0]} first and ${last}`
  const within = sized(promise.margin, wording)
  const level = `${levelText(promise.alpha)} interval${promise.family > 1 ? ` for all ${promise.family} cascades together` : ""}`
  const answers = counted(promise.samples, "paired answer")
  if (!promise.isShown)
    return `${asked} at low confidence: ${answers} cannot show for any threshold that this is not more than ${within} worse than ${last} alone (${levelOf(alone.quality, metric)}).`
  if (!chosen)
    return `${asked} at low confidence saves nothing: what is shown to be not more than ${within} worse than ${last} alone (${levelOf(alone.quality, metric)}) is not shown to be cheaper.`
  const limits = (chosen.thresholds ?? [chosen.threshold]).map((threshold) => amount(threshold)).join(" and ")
  const bounds =
    chosen.low == null || chosen.high == null
      ? ""
      : `, a difference ${between(chosen.low, chosen.high, wording)}${wording.unit && ` ${wording.unit}`} (${level})`
  const cost =
    chosen.costUsd != null && alone.costUsd ? `, at ${percent(chosen.costUsd / alone.costUsd)} of its cost` : ""
  const passed = `${percent(chosen.escalated)} of the samples`
  const share = stages.length > 2 ? `it goes beyond ${stages[0]} for ${passed}` : `it asks ${last} for ${passed}`
  return `${asked} below a confidence of ${limits} is not more than ${within} worse than ${last} alone: ${levelOf(chosen.quality, metric)} against ${levelOf(alone.quality, metric)}${bounds}, from ${answers}; ${share}${cost}.`
}
