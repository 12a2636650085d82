import type { Comparison } from "../../src/core/report/comparison.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { isHardwarePrice } from "../../src/cost/hardware.ts"
import { agreementSentences } from "../../src/wording/judge-card/card-sentences.ts"
import { slicesOfCandidate } from "../../src/wording/sections/slices.ts"
import { sized, wordingOf } from "../../src/words/difference.ts"
import { metricCalled } from "../../src/words/metric.ts"
import { listed } from "../../src/words/names.ts"
import { count, counted } from "../../src/words/number.ts"
import { usd } from "../../src/words/quantity.ts"
import { decidingComparison, decidingMetric } from "../view-model/comparisons.ts"
import { sectionsOfKind } from "../view-model/sections.ts"
import { monthlyDifference } from "./cost-model.ts"
import { shiftLinesOf } from "./shifts.ts"
import { unchecked } from "./unchecked.ts"

/** The volume that bills are of where nobody sets another, in requests a month. */
export const defaultVolume = 1_000_000

/** A question of the one who decides, and what the run has to say. */
export interface BriefingPart {
  readonly id: "shifts" | "slices" | "money" | "sureness" | "unchecked"
  readonly title: string
  readonly sentences: readonly string[]
}

/**
 * What the one who decides asks after the answer, about its candidate: what else gets worse and where, what a month costs, how sure all
 * this is, what nobody looked at. Parts with nothing to say are left out; empty where nothing is compared.
 *
 * @param requests a month
 */
export function briefing(report: RunReport, requests: number): readonly BriefingPart[] {
  const comparison = decidingComparison(report)
  if (!comparison) return []
  const slices = sectionsOfKind(report, "slices").flatMap(({ data }) => {
    const { moved, drops } = slicesOfCandidate(data, comparison.candidate, report.metrics)
    return [...moved, ...drops]
  })
  const shifts = shiftLinesOf(comparison, report.metrics, report.run.alpha).map(
    ({ way, text }) => `Also ${way}: ${text}.`,
  )
  const parts: readonly BriefingPart[] = [
    { id: "shifts", title: "What else changes", sentences: shifts },
    { id: "slices", title: "Which questions", sentences: slices },
    { id: "money", title: "A month", sentences: moneySentences(report, comparison, requests) },
    { id: "sureness", title: "How sure", sentences: sureness(report) },
    { id: "unchecked", title: "Not checked", sentences: unchecked(report) },
  ]
  return parts.filter(({ sentences }) => sentences.length > 0)
}

/** "1,000,000 requests a month: $86.2 before, $13.7 after, $72.5 less, between $69.9 and $74.9."; then what a bill by the hour is made of. */
function moneySentences({ variants }: RunReport, comparison: Comparison, requests: number): readonly string[] {
  const side = (name: string) => variants.find((variant) => variant.name === name)
  const [baseline, candidate] = [side(comparison.baseline), side(comparison.candidate)]
  const volume = `${count(requests)} requests a month`
  if (!baseline || !candidate) return [`${volume}: unknown.`]
  const { before, after, difference } = monthlyDifference(comparison, [baseline, candidate], requests)
  if (before.status === "unknown") return [`${volume}: unknown of ${baseline.name}: ${before.reason}.`]
  if (after.status === "unknown") return [`${volume}: unknown of ${candidate.name}: ${after.reason}.`]
  if (difference.status === "unknown") return [`${volume}: unknown: ${difference.reason}.`]
  const { value, low, high } = difference
  const change = value === 0 ? "the same" : `${usd(Math.abs(value))} ${value > 0 ? "more" : "less"}`
  const byTheHour = [
    { variant: baseline, bill: before },
    { variant: candidate, bill: after },
  ].filter(({ variant }) => isHardwarePrice(variant.cost.price ?? null))
  return [
    `${volume}: ${usd(before.value)} before, ${usd(after.value)} after, ${change}${rangeWords(value, low, high)}.`,
    ...[...new Set(byTheHour.map(({ bill }) => bill.method))].map((method) => {
      const names = byTheHour.filter(({ bill }) => bill.method === method).map(({ variant }) => variant.name)
      return `Of ${listed(names)}: ${method}.`
    }),
  ]
}

/** ", between $69.9 and $74.9"; the side on the other side of nothing says so. */
function rangeWords(value: number, low: number | null | undefined, high: number | null | undefined): string {
  if (low == null || high == null || value === 0) return ""
  const [least, most] = value > 0 ? [low, high] : [-high, -low]
  return least < 0
    ? `, at most ${usd(most)}, if it is not ${usd(-least)} ${value > 0 ? "less" : "more"}`
    : `, between ${usd(least)} and ${usd(most)}`
}

/** How sure the answer of a run is: what its samples can show, and whether people stand behind its judges. */
function sureness(report: RunReport): readonly string[] {
  return [...power(report), ...judges(report)]
}

function power(report: RunReport): readonly string[] {
  const comparison = decidingComparison(report)
  const finding = comparison && decidingMetric(comparison)
  const metric = report.metrics.find(({ name }) => name === finding?.metric)
  if (!finding || !metric || finding.minimumDetectableEffect === null) return []
  const size = sized(finding.minimumDetectableEffect, wordingOf(metric))
  const name = metricCalled(report.metrics, finding.metric)
  return [
    `${counted(finding.pairs, "sample")} like these find a change of ${size} in ${name} with a probability of 80 %; a smaller one may be there unseen.`,
  ]
}

function judges(report: RunReport): readonly string[] {
  return sectionsOfKind(report, "judge_card").flatMap(({ title, data }) => {
    const sentences = data.judges.flatMap(agreementSentences)
    return sentences.length > 0
      ? sentences
      : [`Nobody checked ${title.replace(/^The/, "the")}: no answer has a label of people.`]
  })
}
