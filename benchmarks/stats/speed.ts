import { availableParallelism } from "node:os"
import { bleu } from "../../metrics/overlap/bleu.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import { createRandom } from "../../src/core/random.ts"
import { pairedMeanDifference } from "../../src/stats/intervals/paired-difference.ts"
import { bcaInterval } from "../../src/stats/resampling/bootstrap-interval.ts"
import { bootstrapMeans, jackknifeMeans } from "../../src/stats/resampling/bootstrap-mean.ts"
import { bootstrapVectors } from "../../src/stats/resampling/bootstrap-vectors.ts"
import { drawSums } from "../../src/stats/resampling/draw-sums.ts"
import { approximateRandomization } from "../../src/stats/tests/approximate-randomization.ts"
import { signFlipTest } from "../../src/stats/tests/permutation.ts"

/** Prints the speed figures of README.md, median of five, one thread: `npx jiti benchmarks/stats/speed.ts`. */
function median(name: string, work: () => unknown): void {
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1e6
  }).sort((a, b) => a - b)
  process.stdout.write(`| ${name} | ${(times[2] as number).toFixed(3)} s |\n`)
}

const random = createRandom("speed")
const n = 10_000
const differences = Float64Array.from({ length: n }, () => random.normal())
median("bootstrap of a paired mean difference, 10,000 resamples × 10,000 pairs", () =>
  bootstrapMeans(differences, 10_000, createRandom(1)),
)
median("the same with its BCa interval", () =>
  bcaInterval(bootstrapMeans(differences, 10_000, createRandom(1)), 0, jackknifeMeans(differences)),
)
median("sign-flip permutation test, 10,000 draws × 10,000 pairs", () => signFlipTest(differences, createRandom(1)))
const keys = Array.from({ length: n }, (_, i) => `s${i}`)
const zeros = new Float64Array(n)
median("whole paired comparison of 10,000 pairs (BCa interval and permutation p)", () =>
  pairedMeanDifference(zeros, differences, keys, {
    range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    seed: 1,
  }),
)

const metric = bleu() as AnyMetric
const { aggregation } = metric
if (aggregation.kind !== "sum") throw new Error("BLEU adds vectors")
const { size, score } = aggregation
/** Plausible counts: matches fall and totals shrink with the order. */
const rows = (segments: number, systems: number) => {
  const data = new Float64Array(segments * systems * size)
  for (let i = 0; i < segments * systems; i++) {
    const length = 10 + random.integer(20)
    data.set(
      [
        length,
        length,
        ...[0.6, 0.35, 0.2, 0.12].map((share) => Math.round(share * length)),
        length,
        length - 1,
        length - 2,
        length - 3,
      ],
      i * size,
    )
  }
  return { data, size: size * systems }
}
const paired = (segments: number) => {
  const both = rows(segments, 2)
  return () =>
    bootstrapVectors(both, (sum) => score(sum.subarray(size)) - score(sum.subarray(0, size)), 1000, createRandom(1))
}
median("paired BLEU bootstrap, 3,000 segments × 1,000 resamples", paired(3000))
median("paired BLEU bootstrap, 10,000 segments × 1,000 resamples", paired(10_000))
const a = rows(3000, 1)
const b = rows(3000, 1)
median("paired BLEU randomisation, 3,000 segments × 1,000 draws", () =>
  approximateRandomization(a, b, score, createRandom(1), 1000),
)

/** Large work, by the clock on the wall: what threads are for. The numbers are the same for any number of them. */
const large = Float64Array.from({ length: 100_000 }, () => random.normal())
for (const threads of [1, availableParallelism()]) {
  const start = performance.now()
  drawSums({ kind: "resample", data: large, size: 1, draws: 4000, seed: "speed" }, threads)
  const seconds = ((performance.now() - start) / 1000).toFixed(2)
  process.stdout.write(`| 4,000 resamples × 100,000 pairs, wall clock, threads: ${threads} | ${seconds} s |\n`)
}
