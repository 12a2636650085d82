const noPhases = (server: string) => `${server}, not when its prompt was read, and nothing in a streamed answer`

/** Why a figure of a server's own metrics is unknown. */
export const serverReasons = {
  tgiPhases: noPhases("TGI states the queue and the whole time of a request"),
  tgiTokenTime: "TGI's time per token holds the reading of the prompt",
  tritonPhases: noPhases("Triton counts the queue and the whole time of all requests together"),
  restarted: "the server was started anew meanwhile",
  unstated: (server: string) => `${server} does not state it`,
  noneEnded: "no request ended meanwhile",
  uncounted: (server: string) => `no request was answered, and ${server} does not count those that it worked on`,
  nothingHappened: "nothing of it happened meanwhile",
  noDraftTokens: "no tokens were guessed ahead",
  unsoundBuckets: "the histogram's buckets do not add up",
  noneStreamed: "no answer was streamed meanwhile",
  noPrefillEnd: (server: string) => `${server} does not state when it had read the prompt`,
  otherRequests: "the server's means are over other requests than the client's answers",
  heldBack: "chunks were held back: what was decoded meanwhile is in the time to the first one",
  gpuPartlyRead: "the GPU was read in a part of the run only",
} as const

/** How a figure of a server's own metrics was made. */
export const serverMethods = {
  mean: (isPerToken: boolean, server: string) =>
    `mean over ${isPerToken ? "what the server counts of each answer" : "requests"}, ${server}'s /metrics`,
  overAnswered: (server: string) => `${server}'s total over the requests that were answered`,
  readings: (statistic: string, n: number, server: string) => `${statistic} of ${n} readings of ${server}'s /metrics`,
  bucket: (server: string) => `between the edges of a bucket of ${server}'s histogram`,
  clientMean: "mean of the client's stamps",
  networkRest: (statesFirstToken: boolean, server: string) =>
    `the client's mean less ${statesFirstToken ? "the time to the first token" : "queue and prefill"} of ${server}'s /metrics`,
  prefill: "the server's time to the first token less its queue",
} as const

/** What a reader must know of a server's own metrics. */
export const serverWarnings = {
  restarted: "the server was started anew: its metrics say nothing of this load",
  otherTraffic: (counted: number, sent: number) =>
    `the server counted ${counted} requests, this load sent ${sent}: it served others meanwhile`,
  aboveLastEdge: "above the histogram's last edge",
} as const

/** Milliseconds by which the client's times and those of the server cannot both be true; null where they can. */
export interface Disagreement {
  readonly heldMs: number | null
  readonly earlyMs: number | null
  readonly lateMs: number | null
}

/** Each disagreement of the medians of the answers' own timings as a sentence. */
export function medianDisagreements({ heldMs, earlyMs, lateMs }: Disagreement): readonly string[] {
  return sentences([
    heldMs !== null &&
      `half of the streams took ${short(heldMs)} ms less than the server decoded: chunks were held back, so that the first one came late, and gaps between tokens say nothing of the model`,
    earlyMs !== null &&
      `half of the first tokens came ${short(earlyMs)} ms before the server says that it had read the prompt`,
    lateMs !== null && `half of the answers ended ${short(lateMs)} ms before the server says that it was done`,
  ])
}

/** Each disagreement of the means of a server's metrics as a sentence. @param errorMs the client's own error */
export function meanDisagreements({ heldMs, earlyMs, lateMs }: Disagreement, errorMs: number): readonly string[] {
  const error = `(means; the client's error is ${short(errorMs)} ms)`
  return sentences([
    heldMs !== null &&
      `answers streamed in ${short(heldMs)} ms less than the server decoded them (means): chunks were held back, so that the first one came late, with what was decoded meanwhile`,
    earlyMs !== null &&
      `the first token came ${short(earlyMs)} ms before the server says that it had read the prompt ${error}`,
    lateMs !== null && `answers ended ${short(lateMs)} ms before the server says that it was done ${error}`,
  ])
}

function sentences(clauses: readonly (string | false)[]): readonly string[] {
  return clauses.flatMap((clause) => (clause === false ? [] : [`client and server disagree: ${clause}`]))
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
