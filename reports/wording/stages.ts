import { figureValue } from "../../src/core/report/figure.ts"
import type { VariantReport } from "../../src/core/report/report.ts"
import { milliseconds } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"

/** Stages of one variant that a line has room for. */
const most = 6

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
  const hidden = parts.length > most ? ` \u00b7 ${parts.length - most} more in the report` : ""
  return `${parts.slice(0, most).join(" \u00b7 ")}${hidden} (medians)`
}

/**
 * A stage as people read it: the turns of a conversation are counted in words.
 *
 * @example stageName("turn2") // "turn 2"
 */
export function stageName(stage: string): string {
  return stage.replace(/^turn(\d{1,4})$/, "turn $1")
}
