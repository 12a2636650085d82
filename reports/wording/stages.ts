import { figureValue } from "../../src/core/report/figure.ts"
import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { significant } from "../../src/words/number.ts"
import { percent } from "../../src/words/percent.ts"
import { milliseconds } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"

/** Stages of one variant that a line has room for. */
const max = 6

/**
 * What an application spent its time on, at the medians; null where no stage was timed.
 *
 * @example stagesText(variant) // "retrieve 12 ms · generate 240 ms (medians)"
 */
export function stagesText({ speed: { stages = {} } }: Pick<VariantReport, "speed">): string | null {
  const parts = Object.entries(stages).map(([name, { p50 }]) => {
    const ms = figureValue(p50)
    return `${plainText(stageName(name), 40)} ${ms === null ? "unknown" : milliseconds(ms)}`
  })
  if (parts.length === 0) return null
  const hidden = parts.length > max ? ` \u00b7 ${parts.length - max} more in the report` : ""
  return `${parts.slice(0, max).join(" \u00b7 ")}${hidden} (medians)`
}

/**
 * A stage as people read it: the turns of a conversation are counted in words.
 *
 * @example stageName("turn2") // "turn 2"
 */
export function stageName(stage: string): string {
  return stage.replace(/^turn(\d{1,4})$/, "turn $1")
}

/** Below this share of its first speed an answer counts as slowing down. */
const slowerThan = 0.9

/**
 * What readers notice inside an answer: stops of more than 200 ms, and a second half that is slower than the first; a line a variant,
 * nothing where there is neither.
 *
 * @example stopNotes(report) // ["odd: answers with a stop of more than 200 ms: 5 % (between 2.2 % and 11.2 %), the longest 304 ms"]
 */
export function stopNotes({ variants }: Pick<RunReport, "variants">): readonly string[] {
  return variants.flatMap((variant) => {
    const parts = [...stopWords(variant), ...slowWords(variant)]
    return parts.length === 0 ? [] : [`${plainText(variant.name, 40)}: ${parts.join("; ")}`]
  })
}

function stopWords({ speed: { stopShare, longestStopMs } }: VariantReport): string[] {
  if (stopShare?.status !== "known" || stopShare.value === 0) return []
  const longest = longestStopMs?.percentiles.at(-1)
  const max = longest === undefined ? "" : `, the longest ${significant(longest)} ms`
  const { value, low, high } = stopShare
  const interval = low == null || high == null ? "" : ` (between ${percent(low)} and ${percent(high)})`
  return [`answers with a stop of more than 200 ms: ${percent(value)}${interval}${max}`]
}

function slowWords({ speed: { lateSpeedRatio } }: VariantReport): string[] {
  if (lateSpeedRatio?.status !== "known" || lateSpeedRatio.value >= slowerThan) return []
  return [
    `the second half of an answer comes at ${percent(lateSpeedRatio.value)} of the first half\u2019s speed (median)`,
  ]
}
