import { createRandom, type Random } from "../../src/core/random.ts"
import { kappaOfCounts, type TwoRaterCounts, twoRaterInterval } from "../../src/stats/agreement/two-rater-interval.ts"
import { controlVariate } from "../../src/stats/intervals/control-variate.ts"
import { expandedAlpha } from "../../src/stats/intervals/expanded-alpha.ts"
import { meanInterval } from "../../src/stats/intervals/mean-interval.ts"
import { pairedMeanDifference } from "../../src/stats/intervals/paired-difference.ts"
import { predictionPoweredMean } from "../../src/stats/intervals/prediction-powered.ts"
import { quantileInterval } from "../../src/stats/intervals/quantile-interval.ts"
import { studentInterval } from "../../src/stats/intervals/student-interval.ts"
import { bcaInterval } from "../../src/stats/resampling/bootstrap-interval.ts"
import { bootstrapVectors, jackknifeVectors } from "../../src/stats/resampling/bootstrap-vectors.ts"

/** A way to make data whose true figure is known, and the interval that evalkit puts around it. */
export interface CoverageScenario {
  readonly name: string
  readonly truth: number
  interval(random: Random, world: number): { readonly low: number | null; readonly high: number | null }
}

/** How often an interval held the truth. */
export interface Coverage {
  readonly name: string
  readonly worlds: number
  readonly covered: number
  /** Shares of the misses on either side. */
  readonly truthBelow: number
  readonly truthAbove: number
}

/** Plays a scenario over seeded worlds. An interval that is open on a side counts as covering there. */
export function coverageOf(scenario: CoverageScenario, worlds: number): Coverage {
  let below = 0
  let above = 0
  for (let world = 0; world < worlds; world++) {
    const { low, high } = scenario.interval(createRandom(`${scenario.name}/${world}`), world)
    if (low !== null && scenario.truth < low) below++
    else if (high !== null && scenario.truth > high) above++
  }
  return {
    name: scenario.name,
    worlds,
    covered: 1 - (below + above) / worlds,
    truthBelow: below / worlds,
    truthAbove: above / worlds,
  }
}

const unbounded = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
const list = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
const own = (n: number) => list(n, (i) => `s${i}`)

function rate(n: number, p: number): CoverageScenario {
  return {
    name: `rate ${p}, n ${n} (Wilson)`,
    truth: p,
    interval: (random) =>
      meanInterval(
        list(n, () => Number(random.next() < p)),
        own(n),
        [0, 1],
      ),
  }
}

function meanOf(name: string, n: number, truth: number, draw: (random: Random) => number): CoverageScenario {
  return {
    name: `mean of ${name}, n ${n} (Student t)`,
    truth,
    interval: (random) =>
      meanInterval(
        list(n, () => draw(random)),
        own(n),
        unbounded,
      ),
  }
}

/** Scores between 0 and 1, each of its own sample, or five to a cluster that share a half of each. */
function meanOfScores(
  name: string,
  n: number,
  truth: number,
  draw: (random: Random) => number,
  size = 1,
): CoverageScenario {
  return {
    name: `mean of ${name}, n ${n} (limits 0 and 1)`,
    truth,
    interval(random) {
      const shared = list(Math.ceil(n / size), () => draw(random))
      const values = list(n, (i) =>
        size === 1 ? (shared[i] as number) : (draw(random) + (shared[Math.floor(i / size)] as number)) / 2,
      )
      const keys = list(n, (i) => `c${Math.floor(i / size)}`)
      return meanInterval(values, keys, [0, 1])
    },
  }
}

/** Clusters share a normal level with intraclass correlation 0.5. */
function clusteredMean(clusters: number, size: number): CoverageScenario {
  return {
    name: `mean in ${clusters} clusters of ${size}, correlation 0.5 (Student t, clustered)`,
    truth: 0,
    interval(random) {
      const levels = list(clusters, () => random.normal())
      const values = list(clusters * size, (i) => (levels[i % clusters] as number) + random.normal())
      return meanInterval(
        values,
        list(clusters * size, (i) => `c${i % clusters}`),
        unbounded,
      )
    },
  }
}

function pairedRates(n: number, lost: number, won: number): CoverageScenario {
  return {
    name: `paired rates, n ${n}, ${lost} lost and ${won} won (Tango)`,
    truth: won - lost,
    interval(random) {
      const draws = list(n, () => random.next())
      const first = Float64Array.from(draws, (u) => Number(u < lost || u > 0.6))
      const second = Float64Array.from(draws, (u) => Number(u > 0.6 || (u >= lost && u < lost + won)))
      return pairedMeanDifference(first, second, own(n), { range: [0, 1], seed: "world" })
    },
  }
}

function pairedMean(name: string, n: number, truth: number, draw: (random: Random) => number): CoverageScenario {
  return {
    name: `paired mean, ${name}, n ${n} (t, widened for skewness)`,
    truth,
    interval(random, world) {
      const differences = Float64Array.from({ length: n }, () => draw(random))
      const options = { range: unbounded, seed: world, test: false }
      return pairedMeanDifference(new Float64Array(n), differences, own(n), options)
    },
  }
}

function clusteredPaired(clusters: number, size: number): CoverageScenario {
  return {
    name: `paired mean in ${clusters} clusters of ${size}, correlation 0.5 (CR2, widened for skewness)`,
    truth: 0,
    interval(random, world) {
      const levels = list(clusters, () => random.normal())
      const n = clusters * size
      const values = Float64Array.from({ length: n }, (_, i) => (levels[i % clusters] as number) + random.normal())
      const keys = list(n, (i) => `c${i % clusters}`)
      return pairedMeanDifference(new Float64Array(n), values, keys, { range: unbounded, seed: world, test: false })
    },
  }
}

/** A ratio of sums, as corpus metrics are: matches over lengths that vary from row to row. */
function corpusRatio(n: number): CoverageScenario {
  const score = (sum: Float64Array) => (sum[0] as number) / (sum[1] as number)
  return {
    name: `ratio of sums, n ${n} (BCa over vectors)`,
    truth: 0.6,
    interval(random) {
      const data = new Float64Array(2 * n)
      for (let i = 0; i < n; i++) {
        const length = 5 + random.integer(30)
        let matches = 0
        for (let k = 0; k < length; k++) matches += Number(random.next() < 0.6)
        data[2 * i] = matches
        data[2 * i + 1] = length
      }
      const rows = { data, size: 2 }
      const distribution = bootstrapVectors(rows, score, 1000, random.fork("bootstrap"))
      const total = data.reduce((sum, value, i) => sum + (i % 2 === 0 ? value : 0), 0)
      const lengths = data.reduce((sum, value, i) => sum + (i % 2 === 1 ? value : 0), 0)
      return bcaInterval(distribution, total / lengths, jackknifeVectors(rows, score), expandedAlpha(0.05, n))
    },
  }
}

function percentile(q: number, n: number): CoverageScenario {
  return {
    name: `p${q * 100} of exponential latencies, n ${n} (order statistics)`,
    truth: -Math.log(1 - q),
    interval: (random) =>
      quantileInterval(Float64Array.from({ length: n }, () => exponential(random)).sort(), q) ?? {
        low: null,
        high: null,
      },
  }
}

function predictionPowered(labelled: number): CoverageScenario {
  return {
    name: `judge on 400, ${labelled} labelled (prediction-powered)`,
    truth: 0.6,
    interval: (random) =>
      predictionPoweredMean(
        list(400, (i) => {
          const human = Number(random.next() < 0.6)
          return { judge: random.next() < 0.85 ? human : 1, human: i < labelled ? human : null }
        }),
      ) ?? { low: null, high: null },
  }
}

/** Two raters of whom each says yes with probability p; tables without an interval (too few of the rarer answer) are drawn again. */
function kappa(n: number, p: number, truth: number): CoverageScenario {
  const both = p * p + truth * p * (1 - p)
  const counts = (random: Random): TwoRaterCounts => {
    const cells: [number, number, number, number] = [0, 0, 0, 0]
    for (let i = 0; i < n; i++) {
      const u = random.next()
      cells[u < both ? 0 : u < p ? 1 : u < 2 * p - both ? 2 : 3]++
    }
    return cells
  }
  return {
    name: `kappa ${truth}, ${n} items, ${p} yes (posterior, where given)`,
    truth,
    interval(random, world) {
      for (;;) {
        const bounds = twoRaterInterval(counts(random), kappaOfCounts, { seed: world, draws: 1000 })
        if (bounds) return bounds
      }
    },
  }
}

/** The candidate loses more on hard items; six times as many items were asked before, whose difficulty is seen through noise. */
function adjusted(n: number, noise: number): CoverageScenario {
  const item = (random: Random) => {
    const ability = random.next()
    const seen = Number.isFinite(noise) ? ability + noise * random.normal() : random.next()
    return { seen, difference: -0.6 * (1 - ability) ** 2 + 0.1 * random.normal() }
  }
  return {
    name: `paired mean, n ${n}, ${Number.isFinite(noise) ? `difficulty seen with noise ${noise}` : "useless difficulty"} (control variate)`,
    truth: -0.2,
    interval(random, world) {
      const items = list(n, () => item(random))
      const variate = controlVariate(
        {
          differences: items.map(({ difference }) => difference),
          covariates: items.map(({ seen }) => seen),
          others: list(6 * n, () => item(random).seen),
        },
        world,
      )
      return variate ? studentInterval(variate.value, variate.error, n - 2) : { low: null, high: null }
    },
  }
}

const zeroInflated = (random: Random) => (random.next() < 0.7 ? 0 : random.next())
/** 1 − u⁹: mean 0.9, with a tail towards 0. */
const skewed = (random: Random) => 1 - random.next() ** 9
const exponential = (random: Random) => -Math.log(1 - random.next())
const normal = (random: Random) => random.normal()
const logNormal = (random: Random) => Math.exp(random.normal())
const logNormalMean = Math.exp(0.5)

/** Every interval that evalkit prints, on easy and on hard data. */
export const coverageScenarios: readonly CoverageScenario[] = [
  rate(5, 0.8),
  rate(10, 0.5),
  rate(10, 0.9),
  rate(50, 0.9),
  rate(200, 0.97),
  meanOf("normal values", 5, 0, normal),
  meanOf("exponential values", 10, 1, exponential),
  meanOf("exponential values", 100, 1, exponential),
  meanOf("log-normal values", 30, logNormalMean, logNormal),
  meanOf("log-normal values", 300, logNormalMean, logNormal),
  clusteredMean(8, 5),
  clusteredMean(40, 5),
  meanOfScores("scores, 70 % of them 0", 20, 0.15, zeroInflated),
  meanOfScores("scores, 70 % of them 0", 50, 0.15, zeroInflated),
  meanOfScores("scores, 70 % of them 0", 200, 0.15, zeroInflated),
  meanOfScores("scores near 1", 50, 0.9, skewed),
  meanOfScores("scores near 1", 200, 0.9, skewed),
  meanOfScores("scores in clusters of 5", 50, 0.5, (random) => random.next(), 5),
  meanOfScores("scores in clusters of 5", 200, 0.5, (random) => random.next(), 5),
  pairedRates(10, 0.1, 0.1),
  pairedRates(30, 0.1, 0.05),
  pairedRates(100, 0.02, 0.02),
  pairedRates(900, 0.03, 0.01),
  pairedMean("normal", 5, 0, normal),
  pairedMean("normal", 20, 0, normal),
  pairedMean("normal", 40, 0, normal),
  pairedMean("exponential", 20, 1, exponential),
  pairedMean("exponential", 40, 1, exponential),
  pairedMean("exponential", 200, 1, exponential),
  pairedMean("log-normal", 40, logNormalMean, logNormal),
  pairedMean("log-normal", 300, logNormalMean, logNormal),
  clusteredPaired(10, 5),
  clusteredPaired(40, 5),
  corpusRatio(20),
  corpusRatio(100),
  percentile(0.5, 20),
  percentile(0.95, 200),
  percentile(0.99, 1000),
  predictionPowered(20),
  predictionPowered(50),
  predictionPowered(100),
  kappa(20, 0.9, 0.3),
  kappa(20, 0.9, 0.6),
  kappa(50, 0.9, 0.6),
  kappa(100, 0.95, 0.3),
  kappa(100, 0.5, 0.6),
  adjusted(50, Number.POSITIVE_INFINITY),
  adjusted(50, 0.3),
  adjusted(200, Number.POSITIVE_INFINITY),
  adjusted(200, 0.1),
]
