import { figureValue, unknown } from "../core/report/figure.ts"
import type { TimedRequest } from "../perf/bench/attainment.ts"
import type { BenchLevel } from "../perf/bench/bench-level.ts"
import type { ColdStart, RateSearch } from "../perf/bench/bench-result.ts"
import { isSaturated, type Saturation, type SweepLevel, saturationOf } from "../perf/bench/saturation.ts"
import { type Slo, sloShare } from "../perf/bench/slo.ts"
import type { Arrivals } from "../perf/load/arrivals.ts"
import type { LoadPlan } from "../perf/load/load-plan.ts"
import { minLoopRequests } from "../perf/load/load-units.ts"
import { benchReasons } from "../words/reasons/bench.ts"
import type { Rival } from "./choice.ts"
import type { MeasuredRate } from "./crossing-rate.ts"
import { type SearchProgress, searchRate } from "./search-rate.ts"
import type { LevelTarget } from "./targets.ts"

/**
 * - `levels`: these loads, in this order;
 * - `sweep`: closed loops of 1, 2, 4 … slots until throughput stops growing or the SLO breaks;
 * - `search`: the highest rate that still meets the SLO.
 */
export type BenchMode =
  | { readonly kind: "levels"; readonly plans: readonly LoadPlan[] }
  | { readonly kind: "sweep"; readonly maxConcurrency: number; planOf(concurrency: number): LoadPlan }
  | {
      readonly kind: "search"
      /** Requests a second; null: by what a short sweep finds. */
      readonly startRate: number | null
      /** A rate that is known to a tenth is enough. */
      readonly isQuick?: boolean
      /** @param level its number in the search, from 0: each has arrivals of its own, or the luck of one draw would be in all of them */
      planOf(load: SearchedLoad, level: number): LoadPlan
      /** So many arrivals at one a second, as those of its levels are drawn: what a queue does with them in the long run is computed. */
      unitArrivals(count: number): Arrivals
    }

/** A load that a search asks for. */
export interface SearchedLoad {
  readonly ratePerSecond: number
  /** `--duration` and `--requests` overrule it. */
  readonly durationMs: number
}

/** What a mode measures with: the open targets, and a way to measure some of them under a load. */
export interface BenchStage {
  readonly targets: readonly LevelTarget[]
  readonly slo: readonly Slo[]
  mayGoOn(): boolean
  /** Of a search over settings: loads beyond the first that misses the objectives are left out, and rates that a rival carries are tried first. */
  readonly choice?: { rivalOf(target: LevelTarget): Rival | null }
  measure(
    plan: LoadPlan,
    targets: readonly LevelTarget[],
    onTimed?: (requests: readonly TimedRequest[]) => void,
  ): Promise<readonly BenchLevel[]>
  /** Looks at one target with a load that is too short for figures: it is in no result. */
  probe(plan: LoadPlan, target: LevelTarget): Promise<BenchLevel | undefined>
  /** Hears how far a search is. */
  onSearch?(variant: string, progress: SearchProgress): void
}

/** What a mode found beside its levels, by variant. */
export interface Limits {
  readonly saturation: Map<string, Saturation>
  readonly searches: Map<string, RateSearch>
  /** The first request of each variant, where one was made to warm up. */
  readonly coldStarts: ReadonlyMap<string, ColdStart>
}

/** Measures the targets under the loads of a mode, and notes where a sweep or a search found their limits. */
export async function runMode(mode: BenchMode, stage: BenchStage, limits: Limits): Promise<void> {
  if (mode.kind === "sweep") await sweep(mode, stage, limits)
  else if (mode.kind === "search") await search(mode, stage, limits)
  else
    for (const plan of mode.plans) {
      if (!stage.mayGoOn()) break
      const levels = await stage.measure(plan, stage.targets)
      if (stage.choice && levels.every((level) => missesObjectives(level, sloShare(stage.slo)))) break
    }
}

/** All variants in turn at 1, 2, 4 … in flight; each leaves the sweep when it is saturated. */
async function sweep(
  mode: Extract<BenchMode, { readonly kind: "sweep" }>,
  stage: BenchStage,
  limits: Limits,
): Promise<void> {
  const swept = new Map<string, SweepLevel[]>(stage.targets.map(({ name }) => [name, []]))
  for (let slots = 1; slots <= mode.maxConcurrency && stage.mayGoOn(); slots *= 2) {
    const going = stage.targets.filter(({ name }) => !isSaturated(swept.get(name) ?? []))
    if (going.length === 0) break
    for (const level of await stage.measure(mode.planOf(slots), going))
      swept.get(level.variant)?.push(asSweepLevel(slots, level, stage))
  }
  for (const [name, levels] of swept) limits.saturation.set(name, saturationOf(levels))
}

/** One variant after the other: each has rates of its own. */
async function search(
  mode: Extract<BenchMode, { readonly kind: "search" }>,
  stage: BenchStage,
  limits: Limits,
): Promise<void> {
  const unit = mode.unitArrivals(longRunArrivals)
  for (const target of stage.targets) {
    const { server, startRate } = await firstLook(target, stage)
    const share = sloShare(stage.slo)
    let trials = 0
    const contender = stage.choice?.rivalOf(target)
    const rival = contender && { rival: { rate: contender.rate, isBeaten: () => contender.isBeaten(level) } }
    let level: BenchLevel | undefined
    const tryRate = async (ratePerSecond: number, durationMs: number): Promise<MeasuredRate | null> => {
      let requests: readonly TimedRequest[] = []
      const plan = mode.planOf({ ratePerSecond, durationMs }, trials++)
      ;[level] = await stage.measure(plan, [target], (timed) => (requests = timed))
      return stage.mayGoOn() && level ? trialOf(ratePerSecond, level, requests) : null
    }
    limits.searches.set(
      target.name,
      await searchRate(tryRate, {
        startRate: mode.startRate ?? startRate,
        share,
        server,
        unit,
        ...((stage.choice || mode.isQuick) && coarse),
        ...rival,
        onProgress: (progress) => stage.onSearch?.(target.name, progress),
      }),
    )
  }
}

/** Arrivals of a long run: their own luck is a few thousandths of the rate. */
const longRunArrivals = 200_000

/** A rate that is known to a tenth: of each of many settings that is enough, since those that may be as cheap are named. */
const coarse = { precision: 0.1, maxTrials: 14, minLevels: 5 }

/** Slots of a first look at most, and the share of what it found at which a search begins. */
const [maxSlots, beginAt] = [256, 0.8]

/**
 * What the server is like, by a short closed loop at 1, 2, 4 … in flight until throughput stops growing or the objectives are missed: how long
 * a request takes that is alone, and how many are served at once (Little's law). The search begins near the throughput of the last load that
 * kept the objectives.
 */
async function firstLook(target: LevelTarget, stage: BenchStage) {
  const share = sloShare(stage.slo)
  const sweep: SweepLevel[] = []
  const rates: number[] = []
  let kept = 0
  let serviceMs: number | null = null
  for (let slots = 1; slots <= maxSlots && stage.mayGoOn() && !isSaturated(sweep); slots *= 2) {
    const level = await stage.probe({ kind: "closed", concurrency: slots, requests: minLoopRequests(slots) }, target)
    if (!level || level.answered === 0) break
    serviceMs ??= figureValue(level.speed.e2eMs.p50)
    rates.push(figureValue(level.speed.requestsPerSecond) ?? (1000 * level.answered) / level.durationMs)
    // So few requests only show an objective that is clearly missed.
    if (missesObjectives(level, share)) break
    kept = rates.length
    sweep.push({ ...asSweepLevel(slots, level, stage), sloAttainment: unknown(benchReasons.tooFewRequests) })
  }
  const startRate = beginAt * (kept > 0 ? Math.max(...rates.slice(0, kept)) : (rates[0] ?? 1) / 4)
  if (serviceMs === null || !(serviceMs > 0)) return { startRate, server: { serviceMs: 1000, slots: 1 } }
  const capacity = Math.max(...rates) / 1000
  const slots = Math.max(1, Math.round(capacity * serviceMs))
  return { startRate, server: { slots, serviceMs: slots / capacity } }
}

function missesObjectives({ sloAttainment }: BenchLevel, share: number): boolean {
  return sloAttainment.status === "known" && (sloAttainment.high ?? 1) < share
}

function trialOf(
  askedRate: number,
  { achievedRate, attainment }: BenchLevel,
  requests: readonly TimedRequest[],
): MeasuredRate {
  return { askedRate, achievedRate: figureValue(achievedRate) ?? askedRate, attainment, requests }
}

function asSweepLevel(concurrency: number, level: BenchLevel, { slo }: BenchStage): SweepLevel {
  const { systemTokensPerSecond, requestsPerSecond } = level.speed
  const throughput = systemTokensPerSecond.status === "known" ? systemTokensPerSecond : requestsPerSecond
  return { concurrency, throughput, sloAttainment: level.sloAttainment, sloShare: sloShare(slo) }
}
