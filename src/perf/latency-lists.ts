import type { Generation } from "../core/generation.ts"
import type { SpeedFigures } from "../core/report/report.ts"
import { generationFigures } from "./answer-latency.ts"
import { distributionOf } from "./distribution.ts"
import { createNumberList } from "./number-list.ts"
import { createStageTimes } from "./stage-times.ts"

/** The figures of a variant that are distributions over its answers. */
type Distributions = Pick<
  SpeedFigures,
  | "ttftMs"
  | "ttftFromIntentMs"
  | "e2eMs"
  | "tpotMs"
  | "itlMs"
  | "ttfoMs"
  | "queueWaitMs"
  | "outputTokensPerSecond"
  | "stages"
>

/** Latencies of answers, as lists of numbers. */
export interface LatencyLists {
  add(generation: Pick<Generation, "log" | "usage">): void
  /** How many answers were added. */
  size(): number
  /** @param none why there is nothing, where nothing was added */
  distributions(none: string): Distributions
}

/** Empty {@link LatencyLists}. */
export function createLatencyLists(): LatencyLists {
  const ttft = createNumberList()
  const ttftFromIntent = createNumberList()
  const e2e = createNumberList()
  const tpot = createNumberList()
  const itl = createNumberList()
  const queueWait = createNumberList()
  const outputSpeed = createNumberList()
  const stages = createStageTimes()
  const ttfo = createNumberList()
  let thought = false
  let size = 0
  return {
    add(generation) {
      const figures = generationFigures(generation)
      size++
      queueWait.push(figures.queueWaitMs)
      pushKnown(ttft, figures.ttftMs)
      pushKnown(ttfo, figures.ttfoMs)
      thought ||= figures.ttfoMs !== figures.ttftMs
      pushKnown(ttftFromIntent, figures.ttftFromIntentMs)
      pushKnown(e2e, figures.e2eMs)
      pushKnown(tpot, figures.tpotMs)
      pushKnown(outputSpeed, figures.outputTokensPerSecond)
      for (const gap of figures.itlMs) itl.push(gap)
      stages.add(generation.log)
    },
    size: () => size,
    distributions(none) {
      const stageFigures = stages.figures()
      const noTokens = size > 0 ? "no answer has both a token count and more than one chunk" : none
      return {
        ttftMs: distributionOf(ttft.sorted(), none),
        ...(thought && { ttfoMs: distributionOf(ttfo.sorted(), none) }),
        ttftFromIntentMs: distributionOf(ttftFromIntent.sorted(), none),
        e2eMs: distributionOf(e2e.sorted(), none),
        tpotMs: distributionOf(tpot.sorted(), noTokens),
        itlMs: distributionOf(itl.sorted(), noTokens, ", tokens taken as independent"),
        queueWaitMs: distributionOf(queueWait.sorted(), none),
        outputTokensPerSecond: distributionOf(outputSpeed.sorted(), noTokens),
        ...(stageFigures && { stages: stageFigures }),
      }
    },
  }
}

function pushKnown(list: { push(value: number): void }, value: number | null): void {
  if (value !== null) list.push(value)
}
