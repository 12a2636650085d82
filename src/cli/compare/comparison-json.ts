import type { JsonObject } from "../../core/json.ts"
import type { Change } from "../../core/report/change.ts"
import type { Comparison, CovariateUse, MetricComparison } from "../../core/report/comparison.ts"
import type { CriticalFinding } from "../../core/report/critical.ts"

/** What `evalkit compare --json` prints: snake case, A is the baseline and B the candidate, differences are B − A. */
export function comparisonJson(
  comparison: Comparison,
  notes: readonly string[],
  recognised?: readonly [string | null, string | null],
): JsonObject {
  const { baseline, candidate, verdict, sentence, flips, identity, performance } = comparison
  return {
    a: baseline,
    b: candidate,
    ...(recognised && { recognised: { a: recognised[0], b: recognised[1] } }),
    verdict,
    quality: comparison.quality,
    basis: comparison.basis,
    sentence,
    needed_samples: comparison.neededSamples,
    method: [...comparison.method],
    limits: comparison.limits.map((limit) => ({ ...limit })),
    changes: comparison.changes.map(changeJson),
    metrics: Object.fromEntries(comparison.metrics.map((metric) => [metric.metric, metricJson(metric)])),
    ...(comparison.reliability && { reliability: JSON.parse(JSON.stringify(comparison.reliability)) as JsonObject }),
    critical: (comparison.critical ?? []).map(criticalJson),
    breaks: (comparison.breaks ?? []).map(({ baseline: a, candidate: b, ...same }) => ({
      ...same,
      breaks_a: a,
      breaks_b: b,
    })),
    flips: flips && { lost: flips.lost, won: flips.won },
    identity: { ...identity },
    performance: Object.fromEntries(Object.entries(performance).map(([name, figure]) => [name, { ...figure }])),
    notes,
  }
}

function criticalJson(finding: CriticalFinding): JsonObject {
  const { rightBaseline, rightCandidate, brokenByFailure, atLeast, broken, ...same } = finding
  return {
    ...same,
    right_a: rightBaseline,
    right_b: rightCandidate,
    at_least: atLeast,
    broken,
    broken_by_failure: brokenByFailure,
  }
}

function changeJson({ isProven, isMaterial, tail, ...change }: Change): JsonObject {
  const p99 = tail && { share: tail.share, is_proven: tail.isProven }
  return { ...change, ...(p99 && { p99 }), is_proven: isProven, is_material: isMaterial }
}

function covariateJson(use: CovariateUse): JsonObject {
  const { runs } = use
  if (use.reason !== undefined) return { runs, reason: use.reason }
  return {
    runs,
    matched: use.matched,
    others: use.others,
    lambda: use.lambda,
    variance_ratio: use.varianceRatio,
    saved_samples: use.savedSamples,
    plain_difference: use.plainDifference,
  }
}

function metricJson(metric: MetricComparison): JsonObject {
  return {
    primary: metric.primary,
    direction: metric.direction,
    n: metric.n,
    pairs: metric.pairs,
    clusters: metric.clusters,
    mean_a: metric.meanBaseline,
    mean_b: metric.meanCandidate,
    difference: metric.difference,
    low: metric.low,
    high: metric.high,
    low_bound: metric.lowBound ?? null,
    high_bound: metric.highBound ?? null,
    bound_alpha: metric.boundAlpha ?? null,
    p: metric.p,
    ...(metric.pError !== undefined && { p_error: metric.pError }),
    p_adjusted: metric.pAdjusted,
    method: metric.method,
    mcnemar: metric.mcnemar && { ...metric.mcnemar },
    wilcoxon: metric.wilcoxon && { ...metric.wilcoxon },
    effect_size: metric.effectSize,
    ...(metric.covariate && { covariate: covariateJson(metric.covariate) }),
    margin: metric.margin,
    verdict: metric.verdict,
    design: metric.design ? { ...metric.design } : null,
    needed_n: metric.neededN,
    needed_as: metric.neededAs ?? null,
    needed_if: metric.neededIf ?? null,
    minimum_detectable_effect: metric.minimumDetectableEffect,
    missing: {
      only_a: metric.missing.onlyBaseline,
      only_b: metric.missing.onlyCandidate,
      worst_case: metric.missing.worstCase,
      best_case: metric.missing.bestCase,
      rule: metric.missing.rule,
      failed_a: metric.missing.failedBaseline,
      failed_b: metric.missing.failedCandidate,
      failed_both: metric.missing.failedBoth ?? 0,
      unmeasured_a: metric.missing.unmeasuredBaseline,
      unmeasured_b: metric.missing.unmeasuredCandidate,
      counted_as: metric.missing.countedAs,
      complete: metric.missing.complete ? { ...metric.missing.complete } : null,
    },
    sentence: metric.sentence,
  }
}
