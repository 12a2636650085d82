/** How figures were found, where no number belongs to it. */
export const methods = {
  withoutTimeDifference: (method: string) =>
    `; must hold without a difference in time, which is not proven (${method})`,
  everyNth: (every: number) => `, of one answer in ${every}`,
  judgeUsage: "sum of priced usage of the models that metrics called",
  pairedRatios: (over: string) => `geometric mean of paired ratios, Student t over ${over}`,
  ratioOfSums: (units: string) => `ratio of sums, delta method over ${units}`,
  sameAnswers: "the same answers on both sides, so that the price alone differs",
  longestAnswer: "bounded for every distribution up to the cost of the longest answer allowed",
  adjusted: (method: string, runs: string, weight: string) =>
    `${method}, adjusted for the difficulty of items in runs ${runs} (cross-fitted, weight ${weight})`,
  mixedPercentile: (percentile: number) => `p${percentile} of both sides' times, weighted by their shares`,
  ratioOfCosts: (more: string) => `ratio of the costs of a query, from the intervals of both${more}`,
  jointBootstrap: (samples: number, resamples: number, seed: number | string) =>
    `joint bootstrap over ${samples} samples with a prior for values not seen yet, ${resamples} resamples, seed ${seed}; simulated, a membership between .5 and .95 was up to .1 too high; hypervolume of axes scaled to 0..1`,
  amongCascades: (family: number) => ` over the ${family} cascades of this run`,
  simulatedCascade: (samples: number, tested: number, margin: number, alpha: number, among: string) =>
    `simulated from ${samples} paired answers; up to ${tested} thresholds tested in a fixed order against the margin ${margin}, the first that fails ends it; error rate ${alpha}${among}`,
  withBetting: (method: string) => `${method}, beside it a bound by betting`,
  leftOutPairs: (pairs: string) => `, without ${pairs} of clusters that had been read before`,
  extended: (method: string, readings: number, leftOut: string) =>
    `${method}; bounds from ${readings} readings by their conditional errors${leftOut}`,
  atLook: (method: string, look: number, looks: number) => `${method}, at look ${look} of ${looks} planned looks`,
  percentileBootstrap: (signature: string, over: string, seed: number) =>
    `${signature}; percentile bootstrap over ${over}, seed ${seed}`,
  widerOfBlocks: (blocks: number) => ` and ${blocks} blocks of turns, the wider`,
  perCorrectRatio: (over: string) => `ratio of what a correct answer takes, delta method over ${over}`,
  perplexityBootstrap: (count: number, seed: number) =>
    `ratio of perplexities of the same texts, percentile bootstrap over ${count} of them, seed ${seed}`,
  heldOutChange: (answers: number) =>
    `mean change of the negative log-likelihood on ${answers} held-out answers: Student t over samples`,
  perplexityRatio: (texts: number, tokens: number) =>
    `ratio of perplexities over ${texts} texts, ${tokens} tokens; Student t over texts`,
  busySeconds: "the seconds in which it had requests",
  energy: (parts: string, left: string) =>
    `${parts} while it had requests; ± the error of reading it now and then${left}`,
  newcombe: "difference of two shares of attempts, Newcombe",
  independentMeans: "two independent means, one-sided",
  pairedShare: "paired differences, one-sided, / share",
  weightedCosts: "mean costs, weighted by their shares",
  fileSizes: "sizes of the model files",
  fileSize: "size of the model file",
  resident: "resident memory of the serving process tree, highest sample",
  overIdle: "peak less the memory before the first request",
  serverStart: "start of the server until it was ready",
  processorTime: "processor time of the serving process tree",
  costPerAnswer: "total cost / answers, failures paid for",
  costPerText: "total cost / what was written",
  asServerStates: "as the server states it",
  hourlyPerCorrect: "hardware paid by the hour, at the measured throughput; as sure as the time per correct answer is",
  nestedVariance: "nested analysis of variance, jackknife over tasks",
  nameDraws: "share of draws of the names, Wilson",
  gpuMemory: "memory of its processes on the GPU, highest reading",
  pointEstimates: "point estimates without resampling; hypervolume of axes scaled to 0..1",
} as const
