import { UsageError } from "../../src/core/errors.ts"
import { type Metric, scored, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { meanInterval } from "../../src/stats/intervals/mean-interval.ts"
import { mean } from "../../src/stats/mean.ts"
import { passAtKEstimate, passHatKEstimate } from "../../src/stats/pass-at-k-estimate.ts"
import { sum } from "../../src/stats/sum.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { entriesBySample } from "./repeats.ts"

/** Options of {@link passAtK} and {@link passHatK}. @public */
export interface PassAtKOptions {
  readonly name?: string
  readonly k: number
  /** Name of the metric that says whether an answer is right. Default `exactMatch`. */
  readonly correct?: string
  /** Value of that metric from which an answer counts as right. Default 1. */
  readonly threshold?: number
}

/**
 * pass@k: the probability that at least one of k answers is right, estimated without bias from n ≥ k repeats. What a
 * system reaches that draws k answers and can check them.
 *
 * Range 0..1, higher is better. Source: Chen et al. 2021. Samples with fewer than k scored answers are left out.
 *
 * Formula: 1 − C(n − c, k) / C(n, k) for c right of n. Misleads where nobody can tell which of the k answers is the right one:
 * a user who reads one answer has k = 1.
 *
 * @example
 * // 10 repeats, 3 right
 * passAtK({ k: 5 }) // 0.9167
 * @public
 */
export function passAtK(options: PassAtKOptions): Metric<number> {
  checkOptions("passAtK", options)
  return passMetric("passAtK", options, passAtKEstimate)
}

/**
 * pass^k: the probability that all of k answers are right, estimated without bias from n ≥ k repeats: C(c, k) / C(n, k).
 * What a user who asks k times can rely on.
 *
 * Range 0..1, higher is better. Source: Yao et al. 2024 (τ-bench). Samples with fewer than k scored answers are left out.
 *
 * Misleads beside figures of another k: it can only fall as k grows.
 *
 * @example
 * // 10 repeats, 3 right
 * passHatK({ k: 2 }) // 3/45 = 0.0667
 * @public
 */
export function passHatK(options: PassAtKOptions): Metric<number> {
  checkOptions("passHatK", options)
  return passMetric("passHatK", options, passHatKEstimate)
}

function passMetric(
  kind: string,
  options: PassAtKOptions,
  estimate: (n: number, correct: number, k: number) => number,
): Metric<number> {
  const { name, k, correct = "exactMatch", threshold = 1 } = options
  if (!Number.isInteger(k) || k < 1) throw new UsageError(`k must be a whole number from 1, not ${k}`, { where: kind })
  const ofSample = (rows: readonly number[]) => (rows.length < k ? null : estimate(rows.length, sum(rows), k))
  return {
    name: name ?? `${kind}${k}`,
    ...(name === undefined && { title: `${kind === "passAtK" ? "pass@" : "pass^"}${k}` }),
    signature: signature(kind, { k, correct, threshold }),
    direction: "higher",
    range: [0, 1],
    unit: "share",
    aggregation: { kind: "rows", ofSample },
    recipe: recipe(kind, options),
    dependsOn: [correct],
    needs: { repeats: k },
    measure(_sample, _generation, tools) {
      const value = tools.valueOf(correct)
      if (value === undefined || value === null) return unscored("no_correctness", `${correct} is unscored`)
      return scored(Number(value >= threshold))
    },
    // A single answer is right or wrong; k of them pass.
    value: () => null,
    summarise(rows, { alpha } = {}) {
      const samples = entriesBySample(rows, k)
      if (samples.length === 0) return { value: null, reason: `no sample has ${k} scored answers: set repeats` }
      const values = samples.map((answers) => ofSample(answers.map(({ row }) => row)) as number)
      return {
        value: mean(values),
        details: { samples: samples.length, answers: rows.length },
        // A task is one piece of evidence, however often it was tried; tasks of one cluster are one together.
        get interval() {
          const keys = samples.map(([first]) => first?.cluster ?? first?.sampleId ?? "")
          const { low, high, method } = meanInterval(values, keys, [0, 1], alpha)
          return low === null || high === null ? undefined : { low, high, method }
        },
      }
    },
  }
}
