/** Why a figure that services are compared by is unknown. */
export const servingReasons = {
  noServerTimes: "the server states no times of its own",
  someServerTimes: "the server stated its times of some answers only",
  partUnknown: (part: string) => `${part} are not known`,
  nothingLeft: (part: string) => `nothing was left of ${part}`,
  noUsers: "an open loop has no number of users",
  noCacheShare: "the service does not say how much of the prompts its cache held",
  singleTokens: "most answers have a single token, which takes no time of writing",
  noGpu: "no GPU is known to run the server",
  noGpuCount: "how many GPUs ran the server is not on record",
  nothingPaid: "nothing was paid",
  noPromptsMade: (use: string) => `no prompts were made for a ${use}`,
  noPromptTokens: "prompt tokens are not reported",
  noMetrics: "the server shows no metrics",
  noHit: "no prompt was served from the cache",
  noMiss: "every prompt was served from the cache",
  noWarmTime: "no such answer was timed while the service was warm",
  noCost: "the cost of an answer is unknown",
  noCachedTokens: "the service reports no cached prompt tokens (vLLM does with --enable-prompt-tokens-details)",
} as const

/** How a figure that services are compared by was made, and the parts of it. */
export const servingMethods = {
  overServerTime: (part: string) => `${part} / the server's own time`,
  laterTokens: "output tokens but the first",
  perAnswer: "as the service reports of each answer",
  cachedShare: "cached prompt tokens / prompt tokens, as the service reports them",
  sameForAll: "the same for each answer",
} as const
