import type { Comparison, Verdict } from "../../../src/core/report/comparison.ts"
import { unknown } from "../../../src/core/report/figure.ts"
import { mean } from "./figures.ts"
import type { Tally } from "./tally.ts"

/** Two variants, paired by sample. */
export function comparison(base: Tally, other: Tally): Comparison {
  const n = base.exact.length
  const differences = other.exact.map((value, index) => value - (base.exact[index] as number))
  const figure = mean(differences)
  const known = figure.status === "known" ? figure : null
  const lost = differences.flatMap((value, index) => (value < 0 ? [id(index)] : []))
  const won = differences.flatMap((value, index) => (value > 0 ? [id(index)] : []))
  const low = known?.low as number
  const high = known?.high as number
  const verdict: Verdict = low > -0.02 ? "swap" : high < -0.01 ? "keep" : "inconclusive"
  const value = known?.value as number
  const words = (share: number) => `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(1)}`
  const sentence =
    verdict === "swap"
      ? `not worse than 1 point (${words(value)} points, between ${words(low)} and ${words(high)}, ${n} pairs)`
      : verdict === "keep"
        ? `loses ${Math.abs(value * 100).toFixed(1)} points: ${lost.length} answers went wrong, ${won.length} went right`
        : `not settled by ${n} pairs (${words(value)} points, between ${words(low)} and ${words(high)}): 1,200 more would`
  const paired = (a: readonly number[], b: readonly number[]) =>
    mean(b.slice(0, Math.min(a.length, b.length)).map((one, index) => one - (a[index] as number)))
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
    neededN: verdict === "inconclusive" ? 1200 : null,
    minimumDetectableEffect: 0.012,
    effectSize: -0.04,
    wilcoxon: null,
    missing: { onlyBaseline: 0, onlyCandidate: 0, worstCase: value, bestCase: value },
    sentence,
  }
  const chrf = paired(base.chrf, other.chrf)
  const overlap = chrf.status === "known" ? chrf : null
  return {
    baseline: base.one.name,
    candidate: other.one.name,
    metrics: [
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
    ],
    performance: {
      ttftMs: paired(base.ttft, other.ttft),
      e2eMs: paired(base.e2e, other.e2e),
      costUsd: other.usd.length === 0 ? unknown("no price is known") : paired(base.usd, other.usd),
    },
    flips: { lost, won },
    identity: { compared: n, identical: Math.floor(n * 0.4), warning: null },
    divergence: {},
    verdict,
    sentence,
  }
}

function id(position: number): string {
  return `sample-${String(position).padStart(5, "0")}`
}
