import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import type { AnswerFacts, ScoredVariant } from "../../core/metric/scored-variant.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { ReportSection, RobustnessData } from "../../core/report/report-sections.ts"
import { toJson } from "../../core/report/to-json.ts"
import { rowsBehind } from "../../rows/columns/metric-rows.ts"
import { meanFigure } from "../../stats/intervals/mean-interval.ts"
import { pairedMeanDifference } from "../../stats/intervals/paired-difference.ts"
import { byText } from "../../stats/order.ts"
import { adjustP } from "../../stats/tests/multiple-tests.ts"
import { noFigure } from "../../wording/reasons.ts"
import { robustnessSentence, robustnessWords } from "../../wording/sections/robustness.ts"

/** How the section is made. @experimental */
export interface RobustnessSectionOptions {
  /** The metric whose loss is shown. */
  readonly metric: Pick<AnyMetric, "name" | "range" | "unit" | "direction">
  readonly seed: number
  /** 1 − the level of the intervals. Default 0.05. */
  readonly alpha?: number
}

/** One sample's scores: clean, and under each perturbation. */
interface Family {
  readonly sampleId: string
  readonly clean: number
  readonly perturbed: Map<string, number>
}

/**
 * The robustness section: what each perturbation of the input takes from a metric, paired by sample, with its interval;
 * the worst case per sample; and how many answers stayed the same. Null when the run has no perturbed samples.
 * @experimental
 */
export function robustnessSection(
  variants: readonly ScoredVariant[],
  options: RobustnessSectionOptions,
): ReportSection | null {
  const { metric, seed, alpha = 0.05 } = options
  const tested = variants.flatMap((variant) => {
    const own = variant.rows.get(metric.name) ?? []
    const { ids, splitAt } = rowsBehind(own).answers
    if (!splitAt || !ids.some((_, index) => splitAt(index)?.copyOf?.kind === "perturbed")) return []
    const families = familiesOf(own)
    return families.some((family) => family.perturbed.size > 0) ? [{ variant, families }] : []
  })
  if (tested.length === 0) return null
  const compared = tested.flatMap(({ variant, families }) =>
    perturbationsOf(families).map((perturbation) => ({
      variant: variant.name,
      perturbation,
      ...dropOf(families, perturbation, metric.range, { seed, alpha }),
    })),
  )
  const known = compared.filter(({ p }) => p !== null)
  const adjusted = adjustP(
    known.map(({ p }) => p as number),
    "fdr_bh",
  )
  const rows = compared.map((row) => ({ ...row, pAdjusted: adjusted[known.indexOf(row)] ?? null }))
  const data: RobustnessData = {
    metric: metric.name,
    unit: metric.unit ?? null,
    rows,
    summaries: tested.map(({ variant, families }) => ({
      variant: variant.name,
      worstCase: worstCase(families, metric, alpha),
      invariance: invariance(variant.answers, alpha),
    })),
  }
  return {
    kind: "robustness",
    title: robustnessWords.title,
    sentences: tested.map(({ variant }) => robustnessSentence(variant.name, rows, metric, alpha)),
    data: toJson(data),
  }
}

function familiesOf(rows: readonly MetricRow[]): Family[] {
  const families = new Map<string, Family>()
  const key = (sampleId: string, repeat: number) => `${sampleId}\u0000${repeat}`
  for (const { sampleId, repeat, value, copyOf } of rows) {
    if (value === null || copyOf?.kind === "perturbed") continue
    families.set(key(sampleId, repeat), { sampleId, clean: value, perturbed: new Map() })
  }
  for (const { repeat, value, copyOf } of rows) {
    if (value === null || copyOf?.kind !== "perturbed") continue
    families.get(key(copyOf.id, repeat))?.perturbed.set(copyOf.change, value)
  }
  return [...families.values()].sort((a, b) => byText(a.sampleId, b.sampleId))
}

function perturbationsOf(families: readonly Family[]): string[] {
  return [...new Set(families.flatMap((family) => [...family.perturbed.keys()]))].sort(byText)
}

/** Perturbed minus clean over the samples that have both, and the p of no change. */
function dropOf(
  families: readonly Family[],
  perturbation: string,
  range: readonly [number, number],
  { seed, alpha }: { readonly seed: number; readonly alpha: number },
): { readonly drop: Figure; readonly p: number | null } {
  const both = families.filter((family) => family.perturbed.has(perturbation))
  if (both.length === 0) return { drop: unknown(noFigure.noScorePair), p: null }
  const difference = pairedMeanDifference(
    Float64Array.from(both, (family) => family.clean),
    Float64Array.from(both, (family) => family.perturbed.get(perturbation) as number),
    both.map((family) => family.sampleId),
    { range, alpha, seed: `${seed}/robustness/${perturbation}` },
  )
  const { value, low, high, method, p } = difference
  return { drop: { status: "known", value, low, high, n: both.length, method: `perturbed − clean: ${method}` }, p }
}

/** The mean over samples of the worst of its scores, clean or perturbed. */
function worstCase(families: readonly Family[], metric: RobustnessSectionOptions["metric"], alpha: number): Figure {
  const worst = metric.direction === "higher" ? Math.min : Math.max
  const values = families.map((family) => worst(family.clean, ...family.perturbed.values()))
  return meanOf(
    values,
    families.map((family) => family.sampleId),
    metric.range,
    alpha,
    robustnessWords.worst,
  )
}

/** The share of perturbed answers whose text is that of the clean one. */
function invariance(answers: readonly AnswerFacts[], alpha: number): Figure {
  const clean = new Map(answers.map((answer) => [`${answer.sampleId}\u0000${answer.repeat}`, answer.textHash]))
  const values: number[] = []
  const keys: string[] = []
  for (const answer of answers) {
    if (answer.copyOf?.kind !== "perturbed") continue
    const { id } = answer.copyOf
    const before = clean.get(`${id}\u0000${answer.repeat}`)
    if (before === undefined) continue
    values.push(Number(before === answer.textHash))
    keys.push(id)
  }
  return meanOf(values, keys, [0, 1], alpha, robustnessWords.sameText)
}

function meanOf(
  values: readonly number[],
  keys: readonly string[],
  range: readonly [number, number],
  alpha: number,
  what: string,
): Figure {
  if (values.length === 0) return unknown(noFigure.noPair)
  const figure = meanFigure(values, keys, range, alpha)
  return { ...figure, method: `${what}: ${figure.method}` }
}
