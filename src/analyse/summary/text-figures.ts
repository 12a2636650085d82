import { modelSteps } from "../../core/episode/episode.ts"
import type { Generation } from "../../core/generation.ts"
import { isAnswered } from "../../core/outcome.ts"
import { type Figure, type KnownFigure, unknown } from "../../core/report/figure.ts"
import type { CostFigures, TextFigures } from "../../core/report/report.ts"
import type { RequestLog } from "../../core/request-log.ts"
import { isHardwarePrice } from "../../cost/hardware.ts"
import { hasLatency, isColdLatency } from "../../perf/answer-latency.ts"
import { meanFigure } from "../../perf/distribution.ts"
import { seriesPercentile } from "../../perf/percentile.ts"
import { streamRate } from "../../perf/stream-rate.ts"
import { createCompactList } from "../../stats/compact-list.ts"
import type { NumberList } from "../../stats/number-list.ts"
import { sum } from "../../stats/sum.ts"
import type { CountTokens } from "../../text/o200k.ts"
import { methods } from "../../wording/methods.ts"
import { noFigure } from "../../wording/reasons.ts"
import { costReasons } from "../../words/reasons/cost.ts"

/** Collects what one variant wrote, in measures that no tokenizer of its own decides. */
export interface TextAccumulator {
  add(generation: Generation): void
  figures(cost: CostFigures): TextFigures
}

/** Answers of one variant whose o200k tokens are counted, about: more would not make the figures any surer. */
const maxCounted = 2_000
/** Characters of one answer that are counted; the rest is taken to be like them. */
const maxCharacters = 20_000

/**
 * @param countTokens o200k tokens of a text
 * @param planned answers that are expected: of many, every so-manieth is counted
 * @param alpha 1 − the level of the intervals
 */
export function createTextAccumulator(countTokens: CountTokens, planned: number, alpha = 0.05): TextAccumulator {
  const every = Math.max(1, Math.ceil(planned / maxCounted))
  const lists = {
    own: createCompactList(),
    o200k: createCompactList(),
    characters: createCompactList(),
    o200kRate: createCompactList(),
    characterRate: createCompactList(),
  }
  let answers = 0
  return {
    add(generation) {
      if (!isAnswered(generation.outcome) || generation.isGivenText) return
      const texts = writtenTexts(generation)
      const rate = (units: readonly number[]) =>
        streamRate(texts.map(({ log }, i) => ({ log, units: units[i] as number })))
      const characters = texts.map(({ text }) => codePoints(text))
      const own = generation.usage.completionTokens
      if (own !== null) lists.own.push(own)
      lists.characters.push(sum(characters))
      const isTimed = hasLatency(generation) && !isColdLatency(generation)
      if (isTimed) pushKnown(lists.characterRate, rate(characters))
      if (answers++ % every !== 0) return
      const tokens = texts.map(({ text }) => countBounded(text, countTokens))
      lists.o200k.push(sum(tokens))
      if (isTimed) pushKnown(lists.o200kRate, rate(tokens))
    },
    figures(cost) {
      const mean = (list: NumberList, whenEmpty: string, note = ""): Figure =>
        list.length === 0 ? unknown(whenEmpty) : meanFigure(list.values(), note, alpha)
      const median = (list: NumberList, note = ""): Figure =>
        list.length === 0 ? unknown(noFigure.notStreamed) : seriesPercentile(list.values(), 50, note, alpha)
      const sampled = every === 1 ? "" : methods.everyNth(every)
      const o200kPerAnswer = mean(lists.o200k, costReasons.noAnswer, sampled)
      const charactersPerAnswer = mean(lists.characters, costReasons.noAnswer)
      return {
        tokensPerAnswer: mean(lists.own, costReasons.noTokens),
        o200kPerAnswer,
        charactersPerAnswer,
        o200kPerSecond: median(lists.o200kRate, sampled),
        charactersPerSecond: median(lists.characterRate),
        usdPerAnswer: perAnswer(cost, answers),
        usdPerMillionO200k: perMillion(cost, answers, o200kPerAnswer),
        usdPerMillionCharacters: perMillion(cost, answers, charactersPerAnswer),
      }
    },
  }
}

/** Everything that the model wrote and the endpoint showed (reasoning, text, arguments of tool calls), for each request of an episode apart. */
function writtenTexts(generation: Generation): readonly { readonly log: RequestLog; readonly text: string }[] {
  const { episode } = generation
  const requests = episode ? modelSteps(episode.steps).filter(({ outcome }) => isAnswered(outcome)) : [generation]
  return requests.map(({ log, reasoning, text, toolCalls }) => {
    const calls = toolCalls.map(({ name, arguments: values }) => `${name}${JSON.stringify(values)}`)
    return { log, text: [reasoning, text, ...calls].join("") }
  })
}

/** Unicode code points. */
function codePoints(text: string): number {
  let low = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xdc00 && unit <= 0xdfff) low++
  }
  return text.length - low
}

function countBounded(text: string, countTokens: CountTokens): number {
  if (text.length <= maxCharacters) return countTokens(text)
  return (countTokens(text.slice(0, maxCharacters)) * text.length) / maxCharacters
}

function pushKnown(list: NumberList, value: number | null): void {
  if (value !== null) list.push(value)
}

/** The whole cost, failures included, over the answers that are of use; of hardware as unsure as the cost of a query is. */
function perAnswer({ totalUsd, perQueryUsd, price }: CostFigures, answers: number): Figure {
  if (totalUsd.status === "unknown") return totalUsd
  if (answers === 0) return unknown(costReasons.noAnswer)
  const value = totalUsd.value / answers
  return {
    status: "known",
    value,
    ...(isHardwarePrice(price ?? null) && boundsLike(perQueryUsd, value)),
    n: answers,
    method: methods.costPerAnswer,
  }
}

function perMillion(cost: CostFigures, answers: number, unitsPerAnswer: Figure): Figure {
  const usd = perAnswer(cost, answers)
  if (usd.status === "unknown") return usd
  if (unitsPerAnswer.status === "unknown") return unitsPerAnswer
  if (unitsPerAnswer.value === 0) return unknown("nothing was written")
  const value = (usd.value / unitsPerAnswer.value) * 1e6
  const bounds = isHardwarePrice(cost.price ?? null) ? boundsLike(cost.totalUsd, value) : {}
  return { ...usd, value, ...bounds, method: methods.costPerText }
}

/** Bounds as far from a value, in proportion, as those of a figure are from its own. */
function boundsLike(figure: Figure, value: number): Pick<KnownFigure, "low" | "high"> {
  if (figure.status === "unknown" || figure.value === 0) return {}
  const { low, high } = figure
  const at = (bound: number | null) => (bound === null ? null : bound * (value / figure.value))
  return { ...(low !== undefined && { low: at(low) }), ...(high !== undefined && { high: at(high) }) }
}
