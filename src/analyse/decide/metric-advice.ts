import { spearman } from "../../stats/agreement/correlation.ts"
import { mean } from "../../stats/mean.ts"
import { metricAdviceWords } from "../../wording/metric-advice.ts"
import { listed } from "../../words/names.ts"
import { amount, count, counted } from "../../words/number.ts"

/** Something about the choice of metrics that a plan should know before it is paid for. */
export interface MetricAdvice {
  readonly kind: "many_deciding" | "redundant" | "constant"
  readonly metrics: readonly string[]
  readonly sentence: string
}

/** What is known of one metric: its values by answer, for each variant that has some. */
export interface KnownValues {
  readonly metric: string
  /** Values by variant (of a run), then by answer. */
  readonly variants: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** More metrics than this that decide leave little power: a candidate has to pass by each of them. */
const maxDeciding = 5
/** Rank correlation from which on two metrics tell the same. */
const same = 0.95
/** Samples and variants below which a correlation says nothing. */
const minSamples = 20
const minVariants = 6
/** Pairs of metrics that are named. */
const maxPairs = 5

/**
 * Advice on the metrics of a plan: more than five that decide, pairs that rank samples or variants alike (Spearman above .95, of either
 * sign), and metrics that gave every answer the same value.
 *
 * @param where what the values come from, in words: `run 2026…`
 */
export function metricAdvice(
  primary: readonly string[],
  values: readonly KnownValues[],
  where: string,
): readonly MetricAdvice[] {
  return [...manyDeciding(primary), ...constant(values, where, primary), ...redundant(values, where, primary)]
}

function manyDeciding(primary: readonly string[]): readonly MetricAdvice[] {
  if (primary.length <= maxDeciding) return []
  return [
    {
      kind: "many_deciding",
      metrics: primary,
      sentence: metricAdviceWords.manyDecide(count(primary.length), maxDeciding),
    },
  ]
}

/** Metrics that gave every answer the same value: they cannot decide, whatever the number of samples. */
function constant(metrics: readonly KnownValues[], where: string, primary: readonly string[]): readonly MetricAdvice[] {
  return metrics.flatMap(({ metric, variants }) => {
    const values = [...variants.values()].flatMap((answers) => [...answers.values()])
    if (!primary.includes(metric) || values.length < minSamples || values.some((value) => value !== values[0]))
      return []
    return [
      {
        kind: "constant",
        metrics: [metric],
        sentence: metricAdviceWords.constant(metric, counted(values.length, "answer"), where),
      } satisfies MetricAdvice,
    ]
  })
}

function redundant(values: readonly KnownValues[], where: string, primary: readonly string[]): readonly MetricAdvice[] {
  const pairs: (MetricAdvice & { readonly deciding: number; readonly by: number })[] = []
  values.forEach((first, i) => {
    for (const second of values.slice(i + 1)) {
      const alike = bySamples(first, second) ?? byVariants(first, second)
      if (!alike) continue
      const pair = [first.metric, second.metric]
      const deciding = pair.filter((name) => primary.includes(name)).length
      const way = alike.correlation < 0 ? "in opposite order" : "alike"
      const advice = deciding === 2 ? metricAdviceWords.bothDecide : metricAdviceWords.alike
      pairs.push({
        kind: "redundant",
        metrics: pair,
        deciding,
        by: Math.abs(alike.correlation),
        sentence: metricAdviceWords.redundant(
          listed(pair),
          String(alike.over),
          where,
          way,
          amount(alike.correlation),
          advice,
        ),
      })
    }
  })
  return pairs
    .sort((a, b) => b.deciding - a.deciding || b.by - a.by)
    .slice(0, maxPairs)
    .map(({ kind, metrics, sentence }) => ({ kind, metrics, sentence }))
}

interface Alike {
  readonly correlation: number
  readonly over: string
}

/** The weakest correlation over samples of any variant, where all are above the limit. */
function bySamples(first: KnownValues, second: KnownValues): Alike | null {
  let weakest: { readonly correlation: number; readonly samples: number } | null = null
  for (const [variant, answers] of first.variants) {
    const theirs = second.variants.get(variant)
    if (!theirs) continue
    const keys = [...answers.keys()].filter((key) => theirs.has(key))
    if (keys.length < minSamples) continue
    const { statistic } = spearman(
      keys.map((key) => answers.get(key) as number),
      keys.map((key) => theirs.get(key) as number),
    )
    // A metric that does not vary here says nothing of both.
    if (Number.isNaN(statistic)) continue
    if (weakest === null || Math.abs(statistic) < Math.abs(weakest.correlation))
      weakest = { correlation: statistic, samples: keys.length }
  }
  if (weakest === null || Math.abs(weakest.correlation) <= same) return null
  return { correlation: weakest.correlation, over: counted(weakest.samples, "answer") }
}

/** The correlation of the variants' means, where there are enough of them. */
function byVariants(first: KnownValues, second: KnownValues): Alike | null {
  const shared = [...first.variants.keys()].filter((variant) => second.variants.has(variant))
  if (shared.length < minVariants) return null
  const means = ({ variants }: KnownValues) => shared.map((id) => mean([...(variants.get(id)?.values() ?? [])]))
  const { statistic } = spearman(means(first), means(second))
  return Math.abs(statistic) > same ? { correlation: statistic, over: counted(shared.length, "variant") } : null
}
