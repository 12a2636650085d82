/** Why a figure of a load test is unknown. */
export const benchReasons = {
  noTokensPerQuery: "the output tokens per query are unknown",
  noJudgeTokens: "a judge's endpoint did not report its tokens",
  noJudgePrice: "the price of a judge is unknown",
  noSlo: "no SLO was given",
  tooFewRequests: "too few requests",
  noneScored: "no answer was scored",
  noScoreOf: (metric: string) => `no answer has a score of ${metric}`,
  costOfLevel: "a bench computes the cost of a level, not of an answer",
  noServerClock: "no server's clock was asked",
  noCapacity: "no load is known to keep the objectives",
  notMeasured: "it was not measured",
  lateWorker: "a worker sent its part of the load too late",
  clientError: "evalkit's own timing error is over 5 % of it",
  unreadable: "what this load test found cannot be read: another version of evalkit wrote it",
  noHardwarePrice: "no price by the hour, of own hardware or of power is stated",
} as const

/** How a figure of a load test was made, and what is to be known of it. */
export const benchMethods = {
  judgeTokens: "sum of the judges' reported usage",
  judgeUsd: "sum of priced usage of the judges",
  independentShare: (requests: number) =>
    `share, Wilson 95 % for ${Math.round(requests)} independent requests (batch means)`,
  goodput: (throughput: string) => `SLO attainment of requests ${throughput}`,
  atCapacity: "price of the hardware shared out over the largest load within the objectives",
  statedWindow: "as the endpoint states it",
  firstTurnOnly:
    "asked for the first answer alone, without later turns and without calling tools: evalkit run measures whole episodes",
} as const

/** The most common words of English, which synthetic prompts are drawn from. */
export const commonWords: readonly string[] = (
  "the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one " +
  "you were her all she there would their we him been has when who will more no if out so said what up its about into " +
  "than them can only other new some could time these two may then do first any my now such like our over man me even " +
  "most made after also did many before must through years where much your way well down should because each just those " +
  "people how too little state good very make world still own see men work long get here between both life being under"
).split(" ")
