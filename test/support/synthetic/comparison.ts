import { changeFrom } from "../../../src/analyse/compare/changes.ts"
import { judgeCandidate } from "../../../src/analyse/decide/judge-candidate.ts"
import type { Change } from "../../../src/core/report/change.ts"
import type { Comparison, MetricComparison, Verdict } from "../../../src/core/report/comparison.ts"
import { unknown } from "../../../src/core/report/figure.ts"
import type { ComparisonFacts, NamedMetric } from "../../../src/core/report/verdict-facts.ts"
import { type Finding, figuresOf } from "../../../src/wording/verdict/evidence.ts"
import { metricSentence } from "../../../src/wording/verdict/metric-sentence.ts"
import { mean } from "./figures.ts"
import type { Tally } from "./tally.ts"

/** Two variants, paired by sample. */
export function comparison(base: Tally, other: Tally): Comparison {
  const n = base.exact.length
  const differences = other.exact.map((value, index) => value - (base.exact[index] as number))
  const figure = mean(differences)
  const own = figure.status === "known" ? figure : null
  const lost = differences.flatMap((value, index) => (value < 0 ? [id(index)] : []))
  const won = differences.flatMap((value, index) => (value > 0 ? [id(index)] : []))
  const low = own?.low as number
  const high = own?.high as number
  const verdict: Verdict = low > -0.02 ? "swap" : high < -0.01 ? "keep" : "inconclusive"
  const value = own?.value as number
  const paired = (a: readonly number[], b: readonly number[]) =>
    mean(b.slice(0, Math.min(a.length, b.length)).map((x, index) => x - (a[index] as number)))
  const row = {
    n,
    pairs: n,
    clusters: Math.ceil(n / 3),
    lowBound: low,
    highBound: high,
    p: 0.04,
    pAdjusted: 0.08,
    method: "paired, BCa bootstrap, 10,000 resamples, seed 42",
    margin: 0.01,
    neededN: verdict === "inconclusive" ? n + 1200 : null,
    minimumDetectableEffect: 0.012,
    effectSize: -0.04,
    wilcoxon: null,
    missing: {
      ...{ onlyBaseline: 0, onlyCandidate: 0, worstCase: value, bestCase: value },
      ...{ rule: "worst", failedBaseline: 0, failedCandidate: 0, unmeasuredBaseline: 0, unmeasuredCandidate: 0 },
      ...{ countedAs: null, countedFrom: "range", complete: null },
    } satisfies MetricComparison["missing"],
  }
  const chrf = paired(base.chrf, other.chrf)
  const overlap = chrf.status === "known" ? chrf : null
  const findings: readonly Finding[] = [
    {
      ...row,
      metric: "exact_match",
      direction: "higher",
      primary: true,
      meanBaseline: mean(base.exact).status === "known" ? (mean(base.exact) as { value: number }).value : null,
      meanCandidate: mean(other.exact).status === "known" ? (mean(other.exact) as { value: number }).value : null,
      difference: value,
      low,
      high,
      verdict: verdict === "swap" ? "non_inferior" : verdict === "keep" ? "inferior" : "inconclusive",
      mcnemar: { b: lost.length, c: won.length, p: 0.03 },
    },
    {
      ...row,
      metric: "chrf",
      direction: "higher",
      primary: false,
      margin: 1,
      meanBaseline: 66,
      meanCandidate: 65,
      difference: overlap?.value ?? null,
      low: overlap?.low ?? null,
      high: overlap?.high ?? null,
      verdict: "inconclusive",
      mcnemar: null,
    },
  ]
  const facts: ComparisonFacts = {
    baseline: base.variant.name,
    candidate: other.variant.name,
    metrics: findings.map((finding, i) => ({
      ...finding,
      evidence: figuresOf(finding, wordedMetrics[i] as NamedMetric),
      sentence: metricSentence(finding, wordedMetrics[i] as NamedMetric, base.variant.name, other.variant.name),
    })),
    changes: [change("costUsd", base.usd, other.usd), change("e2eMs", base.e2e, other.e2e)].flat(),
    performance: {
      ttftMs: paired(base.ttft, other.ttft),
      e2eMs: paired(base.e2e, other.e2e),
      costUsd: other.usd.length === 0 ? unknown("no price is known") : paired(base.usd, other.usd),
    },
    flips: { metric: "exact_match", lost, won },
    identity: { compared: n, identical: Math.floor(n * 0.4), warning: null },
  }
  const judged = judgeCandidate(facts, { metrics: wordedMetrics, smallestGain: 0.05, candidates: 1 })
  return {
    ...facts,
    verdict: judged.verdict,
    quality: judged.quality,
    basis: judged.basis,
    sentence: judged.sentence,
    neededSamples: judged.neededSamples,
    method: judged.method,
    limits: judged.limits,
  }
}

/** The metrics as sentences need them. */
export const wordedMetrics: readonly NamedMetric[] = [
  { name: "exact_match", range: [0, 1], unit: "share" },
  { name: "chrf", range: [0, 100], unit: "score" },
]

/** A change with an interval of two per cent around it; none where one side has no figures. */
function change(figure: "costUsd" | "e2eMs", before: readonly number[], after: readonly number[]): Change[] {
  if (before.length === 0 || after.length === 0) return []
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const share = total(after) / total(before) - 1
  const facts = { figure, share, low: share - 0.02, high: share + 0.02, n: after.length, turns: 12, method: "stated" }
  return [changeFrom(facts, 0.05)]
}

function id(position: number): string {
  return `sample-${String(position).padStart(5, "0")}`
}
