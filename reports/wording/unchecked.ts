import type { RunReport } from "../../src/core/report/report.ts"
import { agreementSentences } from "../../src/wording/judge-card/card-sentences.ts"
import { metricCalled } from "../../src/words/metric.ts"
import { listed } from "../../src/words/names.ts"
import { count, counted } from "../../src/words/number.ts"
import { duration } from "../../src/words/quantity.ts"
import { sectionsOfKind } from "../view-model/sections.ts"

const day = 86_400_000

/** Days after which a price is old enough to be named. */
const oldPriceDays = 90

/**
 * What a run did not look at, from what it recorded, the nearest to the verdict first: a reader must not take silence for a good result.
 * Empty where nothing is compared.
 *
 * @example ["whether the judge behind tone agrees with people", "how much an answer varies: each question was asked once"]
 */
export function unchecked(report: RunReport): readonly string[] {
  if (report.comparisons.length === 0) return []
  return [
    ...judges(report),
    ...metrics(report),
    ...languages(report),
    ...repeats(report),
    ...load(report),
    ...prices(report),
    traffic,
  ]
}

const traffic = "whether these questions are like your traffic"

function judges(report: RunReport): readonly string[] {
  const names = sectionsOfKind(report, "judge_card")
    .filter(({ data }) => data.judges.every((judge) => agreementSentences(judge).length === 0))
    .map(({ title }) => title.replace(/^The/, "the"))
  return names.length === 0 ? [] : [`whether people agree with ${listed(names)}: no answer has a label of theirs`]
}

/** Metrics without any score: of all variants, or of one. */
function metrics({ variants, metrics: all }: RunReport): readonly string[] {
  const missing = all.flatMap(({ name }) => {
    const without = variants.filter(({ quality }) => {
      const figure = quality.find(({ metric }) => metric === name)
      return figure !== undefined && figure.scored === 0
    })
    if (without.length === 0) return []
    const of =
      without.length === variants.length ? "" : ` of ${listed(without.map((variantReport) => variantReport.name))}`
    return [`${metricCalled(all, name)}${of}`]
  })
  return missing.length === 0 ? [] : [`${listed(missing)}: no answer has a score`]
}

function languages({ variants, metrics: all }: RunReport): readonly string[] {
  return all.flatMap(({ name }) => {
    const figures = variants.flatMap(({ quality }) => quality.filter(({ metric }) => metric === name))
    const unread = figures.reduce((sum, { unscoredCodes }) => sum + (unscoredCodes.language ?? 0), 0)
    const total = figures.reduce((sum, qualityFigure) => sum + qualityFigure.total, 0)
    if (unread === 0 || figures.every(({ scored }) => scored === 0)) return []
    return [
      `${metricCalled(all, name)} of ${count(unread)} of ${counted(total, "answer")}: it does not measure their language`,
    ]
  })
}

function repeats({ run, variants }: RunReport): readonly string[] {
  const isAsked = variants.some(({ speed }) => speed.measured > 0)
  return run.repeats > 1 || !isAsked ? [] : ["how much an answer varies: each question was asked once"]
}

/** The load at which times were measured, where it was one. */
function load({ run, variants, sections }: RunReport): readonly string[] {
  if (variants.every(({ speed }) => speed.measured === 0)) return ["times: no call was made"]
  if (sections.some(({ kind }) => kind === "levels" || kind === "load")) return []
  const { concurrency } = run.config
  const at =
    typeof concurrency === "number" ? `than ${counted(concurrency, "request")} in flight` : "than that of this run"
  return [`another load ${at}, or another hour: the run took ${duration(run.durationMs)}`]
}

function prices({ run, variants }: RunReport): readonly string[] {
  const old = variants.flatMap(({ name, cost: { price } }) => {
    const days = price === undefined ? Number.NaN : (Date.parse(run.startedAt) - Date.parse(price.date)) / day
    return days > oldPriceDays ? [`${name} (${price?.date})`] : []
  })
  return old.length === 0 ? [] : [`whether prices are still those of ${listed(old)}`]
}
