import { counted } from "../number.ts"

/** How an interval, a bound or a p-value was made; the level stands before it where it is printed. */
export const statisticMethods = {
  testInversion: (over: string, draws: number, seed: number | string) =>
    `test inversion over ${over}, ${draws} draws, seed ${seed}`,
  signFlip: (draws: number) => `Monte Carlo sign-flip p from ${draws} draws`,
  tango: "paired rates, Tango's score interval, exact one-sided bounds",
  singleSample: "mean of one sample, which gives no interval",
  singleUnit: "one unit, which gives no interval",
  singleItem: "one item, which gives no interval",
  itemBootstrap: (items: number, resamples: number, seed: number | string) =>
    `percentile bootstrap over ${items} items, ${resamples} resamples, seed ${seed}`,
  seriesQuantile: (autocorrelation: number) =>
    `order statistics of a series, autocorrelation time ${autocorrelation.toFixed(1)}`,
  blockedQuantile: (turns: number) => `order statistics, blocked by ${turns} turns`,
  rangeBound: (student: string, hasSkewness: boolean) =>
    `bound for any distribution on the range, interval ${hasSkewness ? `${student} with skewness` : `no narrower than ${student}`}`,
  pairedRatios: "geometric mean of paired ratios",
  quantileRatio: (quantile: number) => `ratio of the ${Number((100 * quantile).toFixed(3))}th percentiles`,
  turnsStudent: (statistic: string, blocks: number, isByTurn: boolean) =>
    `${statistic}, Student t over ${blocks} ${isByTurn ? "turns" : "blocks of turns"} with CR2 errors`,
  pairWeights: (method: string) => `${method}, turns by their pairs`,
} as const

/** Why nothing is decided by an interval. */
export const abstainReasons = {
  singleCluster: "one cluster gives no interval",
  singleUnit: (unit: string) => `one ${unit} gives no interval`,
  allEqual: (noun: string) => `all ${noun} are the same, and the metric has no limits`,
  fewClusters: (effective: number, needed: number) =>
    `${effective.toFixed(1)} effective clusters are too few: at least ${needed} are needed`,
  fewUnits: (count: number, units: string, needed: number) =>
    `${count} ${units} are too few: at least ${needed} are needed`,
  skewedUnits: (count: number, units: string, needed: number) =>
    `${count} ${units} are too few for values as skewed as these: at least ${needed.toLocaleString("en")} are needed`,
  fewTurns: (turns: number, needed: number) => drift(counted(turns, "turn"), needed),
  fewBlocks: (blocks: number, pairs: number, needed: number) =>
    drift(`${counted(blocks, "block")} of ${pairs} pairs`, needed),
} as const

function drift(observed: string, needed: number): string {
  return `${observed} cannot tell a gain from the machine's drift: at least ${needed} are needed`
}
