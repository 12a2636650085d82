import type { Comparison, Verdict } from "../../src/core/comparison.ts"
import type { Price } from "../../src/core/cost.ts"
import type { Figure } from "../../src/core/figure.ts"
import { unknown } from "../../src/core/figure.ts"
import type { Outcome } from "../../src/core/outcome.ts"
import type { Distribution, ReportInput, ReportSample, RunReport, VariantReport } from "../../src/core/report.ts"
import { type SyntheticVariant, syntheticSample, syntheticVariants } from "./synthetic-answers.ts"
import { syntheticFrontier, syntheticRouter } from "./synthetic-frontier.ts"
import { syntheticSections } from "./synthetic-sections.ts"

/** How large a synthetic run is. */
export interface SyntheticOptions {
  readonly samples: number
  readonly seed?: number
  readonly variants?: readonly SyntheticVariant[]
  /** Log-probabilities with every answer; true below 2,000 samples. */
  readonly detail?: boolean
}

/** Everything that the aggregates need of one variant. */
export interface Tally {
  readonly one: SyntheticVariant
  readonly exact: number[]
  readonly chrf: number[]
  readonly ttft: number[]
  readonly e2e: number[]
  readonly tpot: number[]
  readonly usd: number[]
  readonly groups: Map<string, number[]>
  readonly outcomes: Map<Outcome, number>
  readonly overTime: Map<number, { started: number; ended: number; tokens: number; failed: number }>
}

/** A run that looks real and is the same for the same options: aggregates belong to its rows. Tests of reports use nothing else. */
export function syntheticInput(options: SyntheticOptions): ReportInput {
  const { samples: size, seed = 42, variants = syntheticVariants } = options
  const detail = options.detail ?? size < 2000
  const tallies = variants.map(emptyTally)
  for (let position = 0; position < size; position++)
    tallySample(tallies, syntheticSample(seed, position, variants, false))
  return {
    report: assemble(tallies, size, seed),
    async *samples() {
      for (let position = 0; position < size; position++) yield syntheticSample(seed, position, variants, detail)
    },
  }
}

function emptyTally(one: SyntheticVariant): Tally {
  return {
    one,
    exact: [],
    chrf: [],
    ttft: [],
    e2e: [],
    tpot: [],
    usd: [],
    groups: new Map(),
    outcomes: new Map(),
    overTime: new Map(),
  }
}

function tallySample(tallies: readonly Tally[], { sample, answers }: ReportSample): void {
  answers.forEach(({ generation, values }, index) => {
    const tally = tallies[index] as Tally
    const { log, outcome, cost } = generation
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1)
    tally.exact.push(values.exact_match as number)
    if (values.chrf != null) tally.chrf.push(values.chrf)
    const group = tally.groups.get(sample.group as string) ?? []
    group.push(values.exact_match as number)
    tally.groups.set(sample.group as string, group)
    if (cost.status === "known") tally.usd.push(cost.usd)
    const second = Math.floor(log.sendMs / 1000)
    const slot = tally.overTime.get(second) ?? { started: 0, ended: 0, tokens: 0, failed: 0 }
    slot.started++
    slot.ended++
    slot.tokens += generation.usage.completionTokens ?? 0
    if (outcome !== "ok") slot.failed++
    tally.overTime.set(second, slot)
    if (outcome !== "ok") return
    const tokens = generation.usage.completionTokens as number
    const first = (log.events[0]?.atMs as number) - log.sendMs
    tally.ttft.push(first)
    tally.e2e.push(log.endMs - log.sendMs)
    if (tokens > 1) tally.tpot.push((log.endMs - log.sendMs - first) / (tokens - 1))
  })
}

function mean(values: readonly number[], unit = "mean, Student t 95 %"): Figure {
  if (values.length === 0) return unknown("nothing was measured")
  const n = values.length
  const value = values.reduce((sum, one) => sum + one, 0) / n
  const variance = values.reduce((sum, one) => sum + (one - value) ** 2, 0) / Math.max(1, n - 1)
  const half = 1.96 * Math.sqrt(variance / n)
  return { status: "known", value, low: value - half, high: value + half, n, method: unit }
}

function rate(values: readonly number[]): Figure {
  if (values.length === 0) return unknown("nothing was scored")
  const n = values.length
  const p = values.reduce((sum, one) => sum + one, 0) / n
  const z2 = 1.96 ** 2
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n)
  const half = (1.96 * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n)
  return { status: "known", value: p, low: centre - half, high: centre + half, n, method: "rate, Wilson 95 %" }
}

function distribution(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number
  const n = sorted.length
  const figure = (share: number): Figure =>
    n === 0
      ? unknown("nothing was measured")
      : {
          status: "known",
          value: at(share),
          low: at(share * 0.985),
          high: at(Math.min(1, share * 1.004)),
          n,
          method: "order statistics 95 %",
        }
  return {
    mean: mean(values),
    p50: figure(0.5),
    p90: figure(0.9),
    p95: figure(0.95),
    p99: n >= 100 ? figure(0.99) : unknown("n too small: p99 needs 459"),
    percentiles: n === 0 ? [] : Array.from({ length: 101 }, (_, index) => at(index / 100)),
  }
}

const hourlyPrice: Price = {
  kind: "hourly",
  usdPerHour: 0.2,
  instances: 1,
  utilisation: 0.5,
  source: "hardware at $0.20 per hour",
  date: "2026-11-01",
}

function variantReport(tally: Tally, size: number, baseline: boolean): VariantReport {
  const { one } = tally
  const exact = (value: number, method: string): Figure => ({ status: "known", value, n: 1, method })
  const hosted = one.quantization === null
  const cost = mean(tally.usd)
  const scale = (figure: Figure, factor: number): Figure =>
    figure.status === "unknown"
      ? unknown("no price is known")
      : {
          ...figure,
          value: figure.value * factor,
          low: (figure.low as number) * factor,
          high: (figure.high as number) * factor,
        }
  const perSecond = tally.tpot.map((value) => 1000 / value)
  const accuracy = rate(tally.exact)
  const answered = tally.outcomes.get("ok") ?? 0
  const completionTokens = tally.exact.reduce((sum, _, index) => sum + 5 + (index % 4), 0)
  return {
    name: one.name,
    model: one.model,
    provider: hosted ? "https://api.example.com/v1" : "local GGUF",
    quantization: one.quantization,
    baseline,
    fingerprint: `f1-${one.name}`,
    planned: size,
    finished: size,
    outcomes: Object.fromEntries(tally.outcomes),
    retries: hosted ? 7 : 0,
    availability: rate(tally.exact.map((_, index) => Number(index < answered))),
    quality: [
      {
        metric: "exact_match",
        figure: accuracy,
        scored: size,
        total: size,
        unscored: {},
        details: null,
        groups: Object.fromEntries([...tally.groups].map(([name, values]) => [name, rate(values)])),
      },
      {
        metric: "chrf",
        figure: mean(tally.chrf),
        scored: tally.chrf.length,
        total: size,
        unscored: tally.chrf.length < size ? { empty_output: size - tally.chrf.length } : {},
        details: null,
        groups: {},
      },
      {
        metric: "expected_calibration_error",
        figure: hosted
          ? unknown("the endpoint gives no log-probabilities")
          : {
              status: "known",
              value: 0.21 - one.accuracy / 5,
              low: 0.18 - one.accuracy / 5,
              high: 0.24 - one.accuracy / 5,
              n: size,
              method: "15 equal-mass bins, bootstrap 95 %",
            },
        scored: hosted ? 0 : size,
        total: size,
        unscored: hosted ? { no_logprobs: size } : {},
        details: null,
        groups: {},
      },
    ],
    speed: {
      measured: answered,
      replayed: 0,
      ttftMs: distribution(tally.ttft),
      ttftFromIntentMs: distribution(tally.ttft.map((value) => value + 0.3)),
      e2eMs: distribution(tally.e2e),
      tpotMs: distribution(tally.tpot),
      itlMs: distribution(tally.tpot),
      queueWaitMs: distribution(tally.ttft.map(() => 0.3)),
      outputTokensPerSecond: distribution(perSecond),
      systemTokensPerSecond: mean(perSecond),
      requestsPerSecond: exact(size / (size * 0.0031), "requests over the window"),
      overTime: [...tally.overTime].map(([second, slot]) => ({ second, ...slot })),
    },
    cost: {
      totalUsd: scale(cost, size),
      perQueryUsd: scale(cost, 1),
      perThousandUsd: scale(cost, 1000),
      perCorrectUsd: scale(cost, accuracy.status === "known" ? 1 / accuracy.value : 1),
      failedUsd: cost.status === "known" ? exact(0, "sum") : unknown("no price is known"),
      judgeUsd: exact(0, "sum"),
      priceSource: hosted ? null : "hardware at $0.20 per hour, read 2026-11-01",
      ...(cost.status === "known" && { parts: { hardware: cost.value * size }, price: hourlyPrice }),
    },
    tokens: {
      prompt: exact(24 * size, "sum of reported usage"),
      completion: { status: "known", value: completionTokens, n: size, method: "sum of reported usage" },
      cachedPrompt: unknown("not reported"),
      reasoning: unknown("not reported"),
    },
    resources: {
      modelBytes: hosted ? unknown("a hosted model shows no file") : exact(one.sizeBytes, "file size"),
      peakRssBytes: hosted ? unknown("not on this machine") : exact(one.sizeBytes * 3 + 61e6, "peak of the process"),
      rssOverIdleBytes: hosted ? unknown("not on this machine") : exact(one.sizeBytes * 3, "peak less idle"),
      loadMs: hosted ? unknown("not on this machine") : exact(41, "once"),
      cpuSeconds: hosted ? unknown("not on this machine") : exact(size * 0.01, "user + system"),
      energyJoules: unknown("this machine gives no energy counter"),
    },
    notes: hosted ? ["no log-probabilities"] : [],
    failure: null,
  }
}

function assemble(tallies: readonly Tally[], size: number, seed: number): RunReport {
  const variants = tallies.map((tally, index) => variantReport(tally, size, index === 0))
  const comparisons = tallies.slice(1).map((tally) => comparison(tallies[0] as Tally, tally))
  const best = comparisons.find((one) => one.verdict === "swap") ?? null
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
    decision: {
      baseline: variants[0]?.name as string,
      choice: best?.candidate ?? null,
      verdict: best ? "swap" : "keep",
      sentence: best
        ? `${best.candidate} is as good as ${best.baseline} and costs 15 % less.`
        : "Nothing is as good as the baseline.",
      candidates: comparisons.map((one) => ({
        candidate: one.candidate,
        verdict: one.verdict,
        reasons: [one.sentence],
        neededSamples: null,
        neededCostUsd: null,
      })),
    },
    gate: [
      {
        rule: "exact_match not worse than the baseline by 0.01",
        variant: "m-q8_0",
        status: "passed",
        message: "lower bound −0.009 is above −0.01",
      },
      { rule: "availability at least 0.99", variant: "hosted-70b", status: "failed", message: "0.979 is below 0.99" },
    ],
    checks: [
      { name: "client error", status: "passed", message: "TTFT ±0.1 ms, loop busy 18 %" },
      { name: "clock", status: "passed", message: "monotonic, resolution 1 µs" },
      { name: "energy", status: "unknown", message: "this machine gives no energy counter" },
    ],
    sections: syntheticSections(variants),
  }
}

function comparison(base: Tally, other: Tally): Comparison {
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
