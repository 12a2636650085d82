import { counted } from "../number.ts"
import { levelText, roundPercent } from "../percent.ts"
import { milliseconds } from "../quantity.ts"

/** Why a figure of latency or load is unknown. */
export const speedReasons = {
  noTokenCount: "no answer has a token count",
  noTokenLimit: "no limit of tokens was sent",
  noExactLength: "no exact length was asked for",
  nothingAnswered: "nothing was answered",
  nothingMeasured: "nothing was measured",
  nothingStarted: "nothing was started",
  noSpacedTokens: "no answer has both a token count and more than one chunk that came by itself",
  endsOnly:
    "the service did not stream its answers, or only their ends are on record: when a first token was there is not known",
  noStage: "no answer had it",
  noFigure: "no answer has it",
  noRequest: "no request was made",
  noAttempt: "no attempt was made",
  noneAnswered: "no measured request was answered",
  allReplayed: "every answer was replayed from the cache",
  allStalled: "the client was stalled while every answer was measured",
  foreignOutputs: "outputs of another tool carry no timings",
  nothingAsked: "nothing was asked in this time",
  noneInWindow: "no request was answered inside the steady window",
  someUncounted: "some answers came without a token count",
  noTime: "the requests took no time that could be measured",
  singleStart: "fewer than two requests were started",
  tooShort: "run too short: nothing was started",
  neverFull: (slots: number) => `run too short: never ${slots} requests in flight at once`,
  tooFewBatches: (requests: number) =>
    `run too short for a throughput and its interval: ${counted(requests, "request")} are enough`,
  nothingLeftToStart: "run too short: nothing was left to start once every slot was busy",
  noAnswerAfterFailure: "no answer came after the first failure",
  attemptsUntimed: "when the attempts ended is not on record",
} as const

/** How a figure of latency or load was made, and notes that follow it. */
export const speedMethods = {
  worth: (count: number) => `, worth ${counted(Math.floor(count), "independent value")}`,
  serverClock: ", by the server's own clock",
  batchMeans: (method: string, alpha: number, units: number) =>
    `${method}, Student t ${levelText(alpha)} over ${units} batch means`,
  startRate: "starts / time between them",
  scheduleError: "p99 of the delay of a start / mean time between two requests of the worker",
  joinedFailures: (method: string) => `${method}, failures of one outage counted once`,
  longestOutage: "from a failure to the next answer, the longest",
  meanOutage: "from a failure to the next answer, mean",
  openOutage: "the last one had not ended: at least this",
} as const

/** What times mean to people who wait or read. */
export const experienceLabels = {
  immediate: "feels immediate",
  thought: "keeps the thought",
  attention: "keeps the attention",
  stop: "a stop is noticed",
  reading: "as fast as people read",
} as const

/** What the check of a drift says. */
export const driftMessages = {
  medians: (firstMs: number, lastMs: number, unit: string) =>
    `median latency ${milliseconds(firstMs)} in the first ${unit}, ${milliseconds(lastMs)} in the last`,
  fewRequests: (unit: string) => `too few requests in a ${unit}`,
} as const

/** Why the time of a server's `Date` header is unknown. */
export const dateClockReasons = {
  silent: "it did not answer with its time",
  contradictory: "its answers contradict each other: several servers, or a cache",
  notAsked: "it was not asked",
} as const

/** Why a figure of whole episodes is unknown. */
export const episodeReasons = {
  noneMeasured: "no episode that came to its end was measured",
  noCacheCount: "the endpoint did not report what came from its cache",
  noGrowth: "no episode had two answers with known tokens",
} as const

/** Why the use of a context window is unknown. */
export const contextReasons = {
  noWindow: "the model's context window is not known: neither the endpoint nor the price book states it",
  noTokens: "the endpoint did not report its tokens",
} as const

/**
 * Warnings of answers that the context window cut off, of requests that it refused, or else of a request that nearly filled it.
 *
 * @param largestShare share of the window that the largest request filled; null: not near to full
 */
export function contextWarnings(
  { cutOff, refused }: { readonly cutOff: number; readonly refused: number },
  windowTokens: number | null,
  largestShare: number | null,
): readonly string[] {
  const size = windowTokens === null ? "" : ` of ${windowTokens} tokens`
  const answers = cutOff === 1 ? "1 answer was" : `${cutOff} answers were`
  const requests = refused === 1 ? "1 request was" : `${refused} requests were`
  const warnings = [
    ...(cutOff > 0 ? [`${answers} cut off because the context window${size} was full`] : []),
    ...(refused > 0 ? [`${requests} refused: too long for the context window${size}`] : []),
  ]
  if (warnings.length > 0 || largestShare === null) return warnings
  return [`the largest request filled ${roundPercent(largestShare)} of the context window${size}`]
}
