import { UsageError } from "../../core/errors.ts"
import { sampleDifferences } from "../../estimate/sample-differences.ts"
import { alignRows } from "../../rows/align.ts"
import { repeatVariance } from "../../stats/intervals/repeat-variance.ts"
import { standardDeviation } from "../../stats/mean.ts"
import type { PowerPopulation } from "../../stats/tests/bound-power.ts"
import { planWords } from "../../wording/plan-advice.ts"
import { counted } from "../../words/number.ts"
import { compareVariants } from "../compare/compare.ts"
import type { CompareSource } from "../source/file-source.ts"
import { type KnownValues, type MetricAdvice, metricAdvice } from "./metric-advice.ts"
import { populationOfPairs } from "./pilot-population.ts"

/** What a plan of samples is based on. */
export interface DeviationSource {
  /** Standard deviation of one sample's paired difference. */
  readonly deviation: number
  /** Share of the variance that lies within samples, between their repeats; null when it is not known. */
  readonly withinShare: number | null
  /** How far two values of the metric can lie apart: 1 for right and wrong; null when that is not known. */
  readonly width: number | null
  /** What future samples are like; null when that is not known. */
  readonly population: PowerPopulation | null
  /** Where the deviation comes from, in words. */
  readonly basis: string
  /** What is odd about the metrics of the pilot; absent: nothing, or there is no pilot. */
  readonly advice?: readonly MetricAdvice[]
}

/**
 * How much the paired differences of a pilot's first primary metric vary.
 *
 * @param files names of the pilot's files, for messages
 * @throws UsageError for fewer than two pairs, and when nothing differs
 */
export function pilotDeviation(source: CompareSource, files: readonly string[]): DeviationSource {
  const name = source.primary[0] as string
  const rows = (side: typeof source.baseline) => side.rows.get(name) ?? []
  const { pairs } = alignRows(rows(source.baseline), rows(source.candidate))
  const differences = sampleDifferences(pairs).map((entry) => entry.difference)
  if (differences.length < 2) throw new UsageError("the pilot has fewer than two pairs", { where: files.join(", ") })
  const deviation = standardDeviation(differences)
  if (deviation === 0)
    throw new UsageError("the pilot has no difference at all, so it does not show how much samples vary", {
      hint: "state a share with --flips",
    })
  const bySample = new Map<string, number[]>()
  for (const { sampleId, baseline, candidate } of pairs)
    bySample.set(sampleId, [...(bySample.get(sampleId) ?? []), (candidate.value ?? 0) - (baseline.value ?? 0)])
  const { metrics } = compareVariants({ ...source, primary: [name] })
  const metric = source.metrics.find((entry) => entry.name === name)
  const [least = 0, most = Number.POSITIVE_INFINITY] = metric?.range ?? []
  return {
    deviation,
    width: Number.isFinite(most - least) ? most - least : null,
    population: metric ? populationOfPairs(pairs, metric) : null,
    withinShare: repeatVariance([...bySample.values()])?.withinShare ?? null,
    ...adviceOf(source),
    basis: planWords.pilot(
      counted(differences.length, "pair"),
      name,
      metrics[0]?.verdict.replaceAll("_", " ") ?? "unknown",
    ),
  }
}

/** Advice on all fields of the pilot that were named. */
function adviceOf({ baseline, candidate, primary }: CompareSource): Pick<DeviationSource, "advice"> {
  const values = primary.map(
    (metric): KnownValues => ({
      metric,
      variants: new Map(
        [baseline, candidate].map(({ name, rows }) => [
          name,
          new Map(
            (rows.get(metric) ?? []).flatMap(({ sampleId, repeat, value }): [string, number][] =>
              value === null ? [] : [[`${repeat}\u0000${sampleId}`, value]],
            ),
          ),
        ]),
      ),
    }),
  )
  const advice = metricAdvice(primary, values, "the pilot")
  return advice.length === 0 ? {} : { advice }
}
