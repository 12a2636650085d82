import type { TrafficCoverage } from "../core/foreign/traffic-coverage.ts"
import { amount, count, counted } from "../words/number.ts"
import { roundPercent } from "../words/percent.ts"

/** What a sample of traffic stands for, in one line. */
export function coverageNote(coverage: TrafficCoverage, seed: number): string {
  const { calls, sampled, repeated, clusters, coveredClusters, callShare, costShare } = coverage
  const of = coveredClusters === clusters ? counted(clusters, "cluster") : `${coveredClusters} of ${clusters} clusters`
  const cost = costShare === null ? "cost unknown" : `${roundPercent(costShare)} of the cost`
  const each = `every call had the same chance (seed ${seed}), so that each stands for ${amount(calls / sampled)} and plain figures are those of the traffic`
  return `${count(sampled)} of ${counted(calls, "call")}: ${of}, ${roundPercent(callShare)} of the calls, ${cost}; ${count(repeated)} ask what another asks; ${each}`
}

/** What to do with a data set whose answers are of several models. */
export function severalModelsNote(file: string, answersFile: string, models: readonly string[]): string {
  const [model] = models
  return `answers of ${counted(models.length, "model")}: recorded(${JSON.stringify(answersFile)}, { variant: ${JSON.stringify(model)} }) takes those of one; import ${file}:${model} takes its calls alone`
}
