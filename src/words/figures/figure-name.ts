import type { AnyMetric } from "../../core/metric/metric.ts"
import { breakPrefix, stagePrefix } from "../../core/report/tracked-figures.ts"
import { metricTitle, spacedName } from "../names.ts"

const words: Readonly<Record<string, string>> = {
  ttftMs: "time to first token",
  ttftAnyMs: "time to first token of any kind",
  attemptTtftMs: "time to first token of the successful attempt",
  attemptE2eMs: "time of the successful attempt end to end",
  rateLimitWaitMs: "waiting for the account's rate limit",
  e2eMs: "time end to end",
  tpotMs: "time per output token",
  itlMs: "gap between tokens",
  ttftFromIntentMs: "time to first token from intent",
  queueWaitMs: "waiting in the queue",
  longestStopMs: "longest stop inside an answer",
  stopShare: "share of answers with a stop over 200 ms",
  lateSpeedRatio: "speed late in an answer as a share of the speed early",
  attemptFailures: "share of failed attempts",
  longestOutageMs: "longest outage",
  recoveryMs: "time to recovery",
  costUsd: "cost",
  sloAttainment: "SLO attainment",
  correctSloAttainment: "correct SLO attainment",
  capacity: "requests a second within the objectives",
  memoryBytes: "memory",
  modelBytes: "size of the model",
  criticalBreaks: "samples that must not break and did",
  energyJoules: "energy",
  joulesPerAnswer: "energy per answer",
  joulesPerCorrect: "energy per correct answer",
}

/**
 * What a figure is called in a sentence, by its name in the report; a metric by its title.
 *
 * @example figureWords("ttftMs.p95", []) // "time to first token (p95)"
 */
export function figureWords(figure: string, metrics: readonly Pick<AnyMetric, "name" | "title">[]): string {
  const metric = metrics.find(({ name }) => name === figure)
  if (metric) return metricTitle(metric)
  if (figure.startsWith(breakPrefix))
    return `samples that break ${figureWords(figure.slice(breakPrefix.length), metrics)} only with the candidate`
  const isStage = figure.startsWith(stagePrefix)
  const [name = "", statistic] = (isStage ? figure.slice(stagePrefix.length) : figure).split(".")
  const called = isStage ? `time of the stage ${name}` : Object.hasOwn(words, name) ? words[name] : spacedName(name)
  const isMedian = statistic === undefined ? isStage || name.endsWith("Ms") : statistic === "p50"
  return isMedian ? `${called} (median)` : statistic === undefined ? `${called}` : `${called} (${statistic})`
}
