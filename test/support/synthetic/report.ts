import { decide } from "../../../src/analyse/decide/decide.ts"
import { limitFindings } from "../../../src/analyse/decide/limit-findings.ts"
import type { ReportInput, RunReport } from "../../../src/core/report/report.ts"
import { clientErrorCheckName } from "../../../src/words/perf/client-error.ts"
import { type SyntheticVariant, syntheticSample, syntheticVariants } from "./answers.ts"
import { comparison, wordedMetrics } from "./comparison.ts"
import { syntheticFrontier, syntheticRouter } from "./frontier.ts"
import { syntheticSections } from "./sections.ts"
import { emptyTally, type Tally, tallySample } from "./tally.ts"
import { variantReport } from "./variant.ts"

/** How large a synthetic run is. */
export interface SyntheticOptions {
  readonly samples: number
  readonly seed?: number
  readonly variants?: readonly SyntheticVariant[]
  /** Log-probabilities with every answer; true below 2,000 samples. */
  readonly detail?: boolean
  /** Limits of the run; none by default. */
  readonly constraints?: readonly string[]
}

/** A run that looks real and is the same for the same options: aggregates belong to its rows. Tests of reports use nothing else. */
export function syntheticInput(options: SyntheticOptions): ReportInput {
  const { samples: size, seed = 42, variants = syntheticVariants, constraints = [] } = options
  const detail = options.detail ?? size < 2000
  const tallies = variants.map(emptyTally)
  for (let position = 0; position < size; position++)
    tallySample(tallies, syntheticSample(seed, position, variants, false))
  return {
    report: assemble(tallies, size, seed, constraints),
    async *samples(filter = () => true) {
      for (let position = 0; position < size; position++)
        if (filter(position)) yield syntheticSample(seed, position, variants, detail)
    },
  }
}

function assemble(tallies: readonly Tally[], size: number, seed: number, constraints: readonly string[]): RunReport {
  const variants = tallies.map((tally, index) => {
    const report = variantReport(tally, size, index === 0)
    const limits = limitFindings(report, constraints, "exact_match")
    return limits.length === 0 ? report : { ...report, limits }
  })
  const compared = tallies.slice(1).map((tally) => comparison(tallies[0] as Tally, tally))
  const baseline = variants[0]?.name as string
  const { decision, comparisons } = decide({
    baseline,
    comparisons: compared,
    variants,
    metrics: wordedMetrics,
    constraints,
  })
  return {
    schema: "evalkit.report/1",
    run: {
      id: "7f3a9c21",
      name: "tiny-tasks",
      startedAt: "2026-11-21T00:40:00.000Z",
      finishedAt: "2026-11-21T00:41:52.000Z",
      durationMs: 112_000,
      status: "finished",
      seed,
      repeats: 1,
      versions: { evalkit: "0.1.0", node: "v20.20.2" },
      config: { name: "tiny-tasks", concurrency: 4 },
    },
    dataset: {
      name: "tiny-tasks",
      source: "datasets/data/tiny-tasks.jsonl",
      fingerprint: "9d1f04aa",
      samples: size,
      skipped: [],
    },
    metrics: [
      {
        name: "exact_match",
        signature: "exact_match|case:mixed|v1",
        direction: "higher",
        range: [0, 1],
        unit: "share",
        primary: true,
      },
      {
        name: "chrf",
        signature: "chrF2|nc:6|nw:0|v1",
        direction: "higher",
        range: [0, 100],
        unit: null,
        primary: false,
      },
      {
        name: "expected_calibration_error",
        signature: "ece|bins:15|mass|v1",
        direction: "lower",
        range: [0, 1],
        unit: null,
        primary: false,
      },
    ],
    variants,
    comparisons,
    frontier: syntheticFrontier(variants),
    routers: [syntheticRouter(tallies)],
    decision,
    gate: [
      {
        rule: "exact_match not worse than the baseline by 0.01",
        figure: "exact_match",
        variant: "m-q8_0",
        status: "passed",
        message: "lower bound −0.009 is above −0.01",
      },
      {
        rule: "availability at least 0.99",
        figure: "availability",
        variant: "hosted-70b",
        status: "failed",
        message: "0.979 is below 0.99",
      },
    ],
    checks: [
      { name: clientErrorCheckName, status: "passed", message: "TTFT ±0.1 ms, event loop busy 18 %" },
      { name: "clock", status: "passed", message: "monotonic, resolution 1 µs" },
      { name: "energy", status: "unknown", message: "this machine gives no energy counter" },
    ],
    sections: syntheticSections(variants),
  }
}
