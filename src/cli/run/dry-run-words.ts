import type { PilotPower } from "../../analyse/decide/pilot-power.ts"
import type { BillForecast } from "../../analyse/summary/bill.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Variant } from "../../core/variant.ts"
import type { MediaRule } from "../../cost/media-tokens.ts"
import { unknownCostWords } from "../../cost/unknown-cost.ts"
import { defaultPower } from "../../stats/tests/power.ts"
import { sized, wordingOf } from "../../words/difference.ts"
import { listed, metricTitle } from "../../words/names.ts"
import { count, counted, significant } from "../../words/number.ts"
import { roundPercent } from "../../words/percent.ts"
import { usd as usdText } from "../../words/quantity.ts"
import { nameReferences } from "../../words/reasons/scores.ts"
import type { MetricEstimate } from "./metric-estimate.ts"

/** What one variant would send and cost. */
export interface VariantEstimate {
  readonly variant: string
  readonly calls: number
  /** `null` when the variant's application decides what it sends to which model. */
  readonly promptTokens: number | null
  /** The longest answers that the variant may give; null as the prompts' tokens are. */
  readonly maxCompletionTokens: number | null
  /** `null` when the price is unknown. */
  readonly maxCostUsd: number | null
  /** What it would cost the other way: by batch, or live where the run goes by batch. Absent where the provider takes no batches. */
  readonly maxOtherWayUsd?: number | null
  /** Of the prompts' tokens: pictures and recordings, and how they are counted. Absent where there are none. */
  readonly media?: { readonly imageTokens: number; readonly audioTokens: number; readonly rules: readonly MediaRule[] }
}

/** Calls within the episodes of a variant that are not its own, and their cost. */
export interface NonVariantEstimate {
  readonly variant: string
  readonly model: string
  readonly maxCalls: number
  /** `null` when the price is unknown. */
  readonly maxCostUsd: number | null
}

/** @param othersUsd judges, simulated users, summaries; 0 where there are none */
export function costText(answersUsd: number | null, othersUsd: number | null, unknown: readonly Variant[]): string {
  if (answersUsd === null) return `The cost is unknown: ${unknownCostWords(unknown)}.`
  if (othersUsd === null)
    return `The answers cost ${usdText(answersUsd)} at most; what else is asked costs something that is not known, because a price is not.`
  if (othersUsd === 0) return `They cost ${usdText(answersUsd)} at most.`
  return `With what else is asked they cost ${usdText(answersUsd + othersUsd)} at most, the answers ${usdText(answersUsd)} of it.`
}

export function recordText(records: readonly Variant[]): string {
  if (records.length === 0) return ""
  return `The answers of ${listed(records.map(({ name }) => name))} are read from a record and cost nothing. `
}

/** What they cost the last time, retries and failures in: what they will about cost. */
export function forecastText(forecast: BillForecast | null): string {
  return forecast
    ? ` As run ${forecast.run} was charged they will cost about ${usdText(forecast.usd)}, its retries and failures in.`
    : ""
}

/** What the same run costs the other way. */
export function batchText({ batch, variants }: Evaluation, otherWay: number | null | undefined): string {
  if (otherWay === undefined || otherWay === null) return ""
  const live = variants.filter(({ provider }) => !provider.traits?.takesBatches).map(({ name }) => name)
  const but =
    live.length === 0 ? "" : ` ${live.join(", ")} would be asked live all the same: no batches are taken there.`
  if (!batch)
    return ` By batch (--batch) they would cost ${usdText(otherWay)} at most, without a latency, within a day.${but}`
  return ` That is by batch, after one live call of each variant; asked live they would cost ${usdText(otherWay)} at most.${but}`
}

/** Answers that no metric of these could score are said before they are paid for. */
export function noReferenceText(metrics: readonly string[], without: number, samples: number): readonly string[] {
  if (metrics.length === 0) return []
  const who = `${metrics.join(", ")} ${metrics.length === 1 ? "needs" : "need"} a reference`
  return [
    `${who}, and ${count(without)} of ${counted(samples, "sample")} ${without === 1 ? "has" : "have"} none: ${without === 1 ? "its answers" : "their answers"} stay unscored; ${nameReferences}, or choose another metric.`,
  ]
}

export function usersText(users: readonly NonVariantEstimate[]): string {
  return users
    .map(({ variant, model, ...most }) => `The simulated user of ${variant} asks ${model}: ${nonVariantText(most)}\n`)
    .join("")
}

export function summariesText(summaries: readonly NonVariantEstimate[]): string {
  return summaries
    .map(
      ({ variant, model, ...most }) =>
        `Earlier turns of ${variant} are summed up by ${model}: ${nonVariantText(most)}\n`,
    )
    .join("")
}

function nonVariantText({ maxCalls, maxCostUsd }: Pick<NonVariantEstimate, "maxCalls" | "maxCostUsd">): string {
  const cost = maxCostUsd === null ? "at a price that is unknown" : `${usdText(maxCostUsd)} at most`
  return `${counted(maxCalls, "call")} at most, ${cost}, an equal one once for all variants.`
}

export function askedText(asked: readonly MetricEstimate[]): string {
  const lines = asked.map(({ metric, model, maxCalls, maxTokens, maxCostUsd }) => {
    const cost = maxCostUsd === null ? "at a price that is unknown" : `${usdText(maxCostUsd)} at most`
    return `${metric} asks ${model}: ${counted(maxCalls, "call")} at most, ${counted(maxTokens, "token")}, ${cost}, not counting repeated calls after unreadable replies.\n`
  })
  return lines.length === 0 ? "" : `${lines.join("")}\n`
}

/** What services of the user's own take, where they do not say it beforehand: a run's budget counts it as it comes. */
export function meteredText(metrics: readonly string[]): string {
  if (metrics.length === 0) return ""
  return `What ${listed(metrics)} ${metrics.length === 1 ? "asks" : "ask"} of services that have no estimates (Metered.estimate) is in none of these figures; a budget counts it as it comes.\n`
}

/** What so few samples cannot show, whatever they find, and what is odd about the choice of metrics: a sentence a line. */
export function outlookText(outlook: readonly { readonly sentence: string }[]): string {
  return outlook.length === 0 ? "" : `${outlook.map(({ sentence }) => `${sentence}\n`).join("")}\n`
}

export function pilotText(pilot: PilotPower | null, metrics: readonly AnyMetric[]): string {
  if (!pilot) return ""
  const lines = pilot.candidates.map(({ candidate, metric, margin, power, samplesNeeded }) => {
    const needed =
      power >= defaultPower
        ? ""
        : `; ${samplesNeeded === null ? "no number of samples that was tried does" : `${count(samplesNeeded)} samples do`} in 80 %`
    const entry = metrics.find(({ name }) => name === metric)
    const [called, allowed] = entry
      ? [metricTitle(entry), sized(margin, wordingOf(entry))]
      : [metric, significant(margin)]
    return `  ${candidate}, ${called}: shows "not worse by more than ${allowed}" in ${roundPercent(power)} of such runs${needed}\n`
  })
  return `Where a candidate is truly as good, simulated from run ${pilot.run} with the rule that decides:\n${lines.join("")}\n`
}

/** What pictures and recordings are counted as, a line a rule, with where the rule is published. */
export function mediaText(estimates: readonly VariantEstimate[]): string {
  return estimates
    .flatMap(({ variant, media }) => {
      if (!media) return []
      const counts = [
        ...(media.imageTokens > 0 ? [`pictures ${count(media.imageTokens)}`] : []),
        ...(media.audioTokens > 0 ? [`recordings ${count(media.audioTokens)}`] : []),
      ]
      const rules = media.rules.map(({ name, source, assumed }) => `${name}${assumed ? " (assumed)" : ""}, ${source}`)
      return `${variant}: of the prompt tokens, ${counts.join(" and ")}, by ${rules.join("; ")}\n`
    })
    .join("")
}

export function ownText(variants: readonly Variant[]): string {
  const own = variants.filter(({ provider }) => provider.traits?.sendsItsOwn).map(({ name }) => name)
  if (own.length === 0) return ""
  return own.length === 1
    ? `What ${own[0]} sends is decided by its own code: the tokens and the cost show only in a run; try one with --limit 5.\n`
    : `What ${listed(own)} send is decided by their own code: the tokens and the cost show only in a run; try one with --limit 5.\n`
}
