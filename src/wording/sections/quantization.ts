import type { AnyMetric } from "../../core/metric/metric.ts"
import { type Figure, figureValue, type KnownFigure } from "../../core/report/figure.ts"
import { phrasing, wordingOf } from "../../words/difference.ts"
import { metricTitle } from "../../words/metric.ts"
import { listed } from "../../words/names.ts"
import { amount, count, counted, withSign } from "../../words/number.ts"
import { percent, percentage, percentChange } from "../../words/percent.ts"
import { type MeasureName, measures, measureUnits } from "./quantization-measures.ts"

/** The figures of one quantization. */
export type QuantizationFigures = Readonly<Record<MeasureName, Figure>>

/** A figure as every output prints it: `−12 % (−14 to −10)`, `~ −3 % (−9 to +2)`, `2 of 498 (0.1 to 1.4 %)`. */
export function figureWords(name: MeasureName, figure: Figure, metric: Pick<AnyMetric, "unit" | "range">): string {
  if (figure.status === "unknown") return "unknown"
  const { value, low, high } = figure
  const within = (words: (bound: number) => string, unit = "") =>
    low == null || high == null || (low === value && high === value) ? "" : ` (${words(low)} to ${words(high)}${unit})`
  switch (measureUnits[name]) {
    case "points": {
      const { difference, bound } = phrasing(wordingOf(metric))
      return `${difference(value)}${within(bound)}`
    }
    case "count":
      return `${count(value * figure.n)} of ${count(figure.n)}${within(percentage, " %")}`
    case "share":
      return `${percent(value)}${within(percentage)}`
    case "change":
      return `${figure.isApproximate ? "~ " : ""}${percentChange(value)}${within((bound) => withSign(percentage(bound)))}`
    case "plain":
      return `${amount(value)}${within(amount)}`
  }
}

/** What a reader takes from one quantization's figures: flips, tokens, speed and cost of what is correct, in one sentence. */
export function quantizationSentence(variant: string, figures: QuantizationFigures, metric: MetricName | null): string {
  const parts = [flipWords(figures, metric), topWords(figures), speedWords(figures), correctWords(figures)]
  const said = parts.filter((part) => part !== null)
  return said.length === 0 ? `Of ${variant} nothing could be compared.` : `${variant}: ${said.join("; ")}.`
}

/** What the mark before a time, or a cost that follows from it, says. */
export const withinErrorSentence = "~ stands before what evalkit's own timing error could have made: it proves nothing."

/** The measures that no variant has, with the reason. */
export function unknownSentence(variants: readonly QuantizationFigures[]): string | null {
  const reasons = new Map<string, string[]>()
  for (const name of Object.keys(measures) as MeasureName[]) {
    const [first] = variants
    const figure = first?.[name]
    if (figure?.status !== "unknown" || !variants.every((variant) => variant[name].status === "unknown")) continue
    reasons.set(figure.reason, [...(reasons.get(figure.reason) ?? []), measures[name].title])
  }
  const parts = [...reasons].map(([reason, titles]) => `${listed(titles)} (${reason})`)
  return parts.length === 0 ? null : `Not measured: ${parts.join("; ")}.`
}

type MetricName = Parameters<typeof metricTitle>[0]

function flipWords({ lost, won }: QuantizationFigures, metric: MetricName | null): string | null {
  if (metric === null || lost.status === "unknown" || won.status === "unknown") return null
  const [wrong, right] = [Math.round(lost.value * lost.n), Math.round(won.value * won.n)]
  const by = `by ${metricTitle(metric)}`
  if (wrong + right === 0) return `${by}, no answer of ${count(lost.n)} changed between right and wrong`
  return `${by}, ${counted(wrong, "right answer")} became wrong, and ${counted(right, "wrong one")} became right`
}

function topWords({ topToken }: QuantizationFigures): string | null {
  return topToken.status === "unknown"
    ? null
    : `it ranks the same token first at ${percent(topToken.value)} of the positions`
}

/** Longer answers beside what a token gains: `a token comes 30 % faster, but its answers are 12 % longer, so that …`. */
function speedWords({ tokens, timePerToken, timePerAnswer }: QuantizationFigures): string | null {
  const answer = timeWords("an answer", timePerAnswer)
  const isLonger = isProven(tokens) && tokens.value > 0
  if (tokens.status === "unknown") return answer
  const length = !isProven(tokens)
    ? "no change of the length of its answers is proven"
    : `its answers are ${sizeOf(tokens)} ${isLonger ? "longer" : "shorter"}`
  if (isLonger && isProven(timePerToken) && timePerToken.value < 0 && answer)
    return `${timeWords("a token", timePerToken)}, but ${length}, which eats a part of it: ${answer}`
  return answer ? `${length}; ${answer}` : length
}

function timeWords(subject: string, figure: Figure): string | null {
  if (figure.status === "unknown") return null
  if (!isProven(figure)) return `no change of the time of ${subject} is proven`
  return `${subject} takes ${sizeOf(figure)} ${figure.value < 0 ? "less" : "more"} time`
}

function correctWords({ timePerCorrect, costPerCorrect }: QuantizationFigures): string | null {
  const parts = [
    [timePerCorrect, "takes", "time"],
    [costPerCorrect, "costs", ""],
  ] as const
  const said = parts.flatMap(([figure, verb, noun]) =>
    isProven(figure) ? [`${verb} ${sizeOf(figure)} ${figure.value < 0 ? "less" : "more"}${noun && ` ${noun}`}`] : [],
  )
  if (said.length > 0) return `a correct answer ${listed(said)}`
  const figures = parts.filter(([figure]) => figureValue(figure) !== null)
  return figures.length === 0 ? null : "no change of what a correct answer takes is proven"
}

function sizeOf({ value }: KnownFigure): string {
  return percent(Math.abs(value))
}

function isProven(figure: Figure): figure is KnownFigure {
  if (figure.status === "unknown" || figure.isApproximate || figure.low == null || figure.high == null) return false
  return figure.low > 0 || figure.high < 0
}

/** What the table of quantizations says besides its figures. */
export const quantizationWords = {
  paired: (level: string) =>
    `Every figure is paired by sample, with its ${level} interval; tokens outside the lists of alternatives are one bin, so that the divergence is a lower bound.`,
} as const
