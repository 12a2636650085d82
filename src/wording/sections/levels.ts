import type { AnyMetric } from "../../core/metric/metric.ts"
import { type Figure, figureValue } from "../../core/report/figure.ts"
import type { LevelsData } from "../../core/report/report-sections.ts"
import { levelOf, sized, wordingOf } from "../../words/difference.ts"
import { listed, metricTitle } from "../../words/names.ts"
import { amount, count } from "../../words/number.ts"
import { errorText, levelText, roundPercent } from "../../words/percent.ts"

type Level = LevelsData["levels"][number]

/** What a reader should take from the levels: the knee, how sure it is, by what rule, and what some levels came without. */
export function levelsSentences(
  data: LevelsData,
  metric: AnyMetric | undefined,
  why: string | null,
  alpha: number,
): readonly string[] {
  const without = data.levels.flatMap(({ level, without: lost }) =>
    lost.length === 0
      ? []
      : [`${data.axis} ${level} was answered without ${listed(lost)}: it shows another setting than was asked for.`],
  )
  if (!data.knee || !metric) return [...(why === null ? [] : [why]), ...without]
  return [...kneeSentences(data, data.knee, metric, alpha), ...without]
}

function kneeSentences(
  { axis, levels }: LevelsData,
  knee: NonNullable<LevelsData["knee"]>,
  metric: AnyMetric,
  alpha: number,
): readonly string[] {
  const at = (variant: string | null) => levels.find((level) => level.variant === variant)
  const [chosen, best] = [at(knee.variant), at(knee.best) as Level]
  const margin = sized(knee.margin, wordingOf(metric))
  const quality = (level: Level): string => {
    const value = figureValue(level.quality[0] as Figure)
    return value === null ? "unknown" : levelOf(value, metric)
  }
  const price = (level: Level) => priceWords(level, knee.cheapBy)
  const rule = `not worse than that of any other level by more than ${margin}`
  const bestWords = `${best.level} looks best, with ${quality(best)}, ${price(best)}`
  const first = chosen
    ? `The knee is ${axis} ${chosen.level}: the cheapest level (${price(chosen)}) whose ${metricTitle(metric)}, ${quality(chosen)}, is shown to be ${rule}${chosen === best ? "" : `; ${bestWords}`}.`
    : `There is no knee yet: of no level the ${metricTitle(metric)} is shown to be ${rule}; ${bestWords}.`
  const none = 1 - levels.reduce((sum, { share }) => sum + (share ?? 0), 0)
  const shares = [
    ...levels.flatMap(({ level, share }) => (share ? [{ level, share }] : [])),
    ...(none > 1e-9 ? [{ level: "none", share: none }] : []),
  ]
    .toSorted((a, b) => b.share - a.share)
    .map(({ level, share }) => `${level} in ${roundPercent(share)}`)
  const [low, high] = [knee.low, knee.high].map((variant) => at(variant)?.level ?? "none")
  const confidence = levelText(alpha)
  const range =
    low === high ? `it is ${low} in at least ${confidence}` : `it lies between ${low} and ${high} in ${confidence}`
  const few = (chosen?.share ?? 0) < 0.8 ? " More samples would say more surely where it is." : ""
  return [
    first,
    `With the samples drawn again ${count(knee.resamples)} times, the same rule chooses ${listed(shares)}: ${range} of the draws.${few}`,
    `Each level is compared with every other, paired by sample, by the verdict's one-sided bounds at ${errorText(alpha)} shared over the levels by Holm's steps; failures count as the verdict counts them. The level that looks best is not taken for the best.`,
  ]
}

function priceWords(level: Level, by: NonNullable<LevelsData["knee"]>["cheapBy"]): string {
  const value = figureValue(by === "costUsd" ? level.costUsd : by === "e2eMs" ? level.e2eMs : level.tokensPerAnswer)
  if (value === null) return "at an unknown cost"
  if (by === "costUsd") return `$${amount(value)} per query`
  return by === "e2eMs" ? `${amount(value)} ms` : `${amount(value)} tokens per answer`
}

/** Why no knee of a sweep is named, or a figure of a level is unknown. */
export const noKnee = {
  notMeasured: "it was not measured",
  noMetric: "No metric decides, so that no level is as good as another.",
  manyLevels: (max: number) => `A knee is looked for among at most ${max} levels.`,
  noScore: "A level has no score.",
  noPrice: "Neither the cost nor the time of every level is known, so that none is the cheapest.",
  untilDecided:
    "The run asked until the comparisons with its baseline were decided, so that its levels were not asked alike: no knee is looked for.",
} as const
