import { modelSteps } from "../../core/episode/episode.ts"
import type { EpisodeStep } from "../../core/episode/step.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { RequestLog } from "../../core/request-log.ts"
import { longestOf, type RequestFigures, requestFigures } from "../request-figures.ts"

/**
 * The figures of an episode as of one request: TTFT is that of its first answer, E2E reaches to the last text of the last one, tools
 * included. Times between tokens are those within each answer, so that a tool's time is no gap between two tokens.
 */
export function episodeFigures(log: RequestLog, steps: readonly EpisodeStep[]): RequestFigures {
  const whole = requestFigures(log, null)
  const answers = modelSteps(steps)
    .filter(({ outcome }) => isAnswered(outcome))
    .map(({ log: own, usage }) => requestFigures(own, usage.completionTokens, usage.reasoningTokens))
  const itlMs = answers.flatMap((figures) => figures.itlMs)
  const tpotMs = itlMs.length === 0 ? null : itlMs.reduce((sum, gap) => sum + gap, 0) / itlMs.length
  const counts = answers.map(({ outputTokens }) => outputTokens)
  const outputTokens = counts.some((count) => count === null)
    ? null
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  return {
    ...whole,
    tpotMs,
    itlMs,
    iclMs: answers.flatMap((figures) => figures.iclMs),
    longestStopMs: longestOf(answers.flatMap(({ longestStopMs }) => longestStopMs ?? [])),
    lateSpeedRatio: null,
    outputTokensPerSecond: tpotMs !== null && tpotMs > 0 ? 1000 / tpotMs : null,
    totalTokensPerSecond:
      outputTokens !== null && whole.e2eMs !== null && whole.e2eMs > 0 ? (outputTokens * 1000) / whole.e2eMs : null,
    outputTokens,
    // Of a whole episode there is no N-th token.
    timeToNTokensMs: () => null,
  }
}
