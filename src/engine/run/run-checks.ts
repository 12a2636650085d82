import type { Comparison } from "../../core/report/comparison.ts"
import type { Check, VariantReport } from "../../core/report/report.ts"

/** Checks that a run makes of itself; a failed one is a line of doubt under the verdict. */
export function runChecks(variants: readonly VariantReport[], comparisons: readonly Comparison[]): readonly Check[] {
  return [everythingAnswered(variants), nothingReplayed(variants), notOneEndpoint(comparisons)]
}

function everythingAnswered(variants: readonly VariantReport[]): Check {
  const short = variants.filter((variant) => variant.finished < variant.planned || variant.failure !== null)
  return {
    name: "every planned call has an answer or a failure on record",
    status: short.length === 0 ? "passed" : "failed",
    message:
      short.length === 0
        ? "nothing is missing"
        : short
            .map(
              ({ name, finished, planned, failure }) =>
                `${name}: ${finished} of ${planned}${failure ? ` (${failure})` : ""}`,
            )
            .join(" · "),
  }
}

function nothingReplayed(variants: readonly VariantReport[]): Check {
  const replayed = variants.reduce((sum, { speed }) => sum + speed.replayed, 0)
  return {
    name: "latencies come from calls of this run",
    status: "passed",
    message:
      replayed === 0
        ? "nothing was cached"
        : `${replayed} answers came from the cache and are left out of every latency figure`,
  }
}

function notOneEndpoint(comparisons: readonly Comparison[]): Check {
  const alike = comparisons.flatMap(({ identity }) => identity.warning ?? [])
  return {
    name: "variants differ from the baseline",
    status: alike.length === 0 ? "passed" : "failed",
    message: alike.length === 0 ? "no two variants look like one endpoint" : alike.join(" · "),
  }
}
