import { figureValue } from "../core/report/figure.ts"
import type { BenchLevel } from "../perf/bench/bench-level.ts"
import type { ColdStart, RateSearch, RateTrial } from "../perf/bench/bench-result.ts"
import { isSaturated, type Saturation, type SweepLevel, saturationOf, sloShare } from "../perf/bench/saturation.ts"
import type { LoadPlan } from "../perf/load/load-plan.ts"
import type { Rival } from "./choice.ts"
import { searchRate } from "./search-rate.ts"
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
      /** Requests a second; null: by how long a request takes alone. */
      readonly startRate: number | null
      /** @param durationMs length that the search asks for; `--duration` and `--requests` overrule it */
      planOf(ratePerSecond: number, durationMs: number): LoadPlan
    }

/** What a mode measures with: the open targets, and a way to measure some of them under a load. */
export interface BenchStage {
  readonly targets: readonly LevelTarget[]
  mayGoOn(): boolean
  /** Of a search over settings: loads beyond the first that misses the objectives are left out, and rates that a rival carries are tried first. */
  readonly choice?: { rivalOf(target: LevelTarget): Rival | null }
  measure(plan: LoadPlan, targets: readonly LevelTarget[]): Promise<readonly BenchLevel[]>
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
      if (stage.choice && levels.every(missesObjectives)) break
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
      swept.get(level.variant)?.push(asSweepLevel(slots, level))
  }
  for (const [name, levels] of swept) limits.saturation.set(name, saturationOf(levels))
}

/** One variant after the other: each has rates of its own. It begins at half of what one request at a time would reach. */
async function search(
  mode: Extract<BenchMode, { readonly kind: "search" }>,
  stage: BenchStage,
  limits: Limits,
): Promise<void> {
  for (const target of stage.targets) {
    const e2eMs = limits.coldStarts.get(target.name)?.e2eMs ?? null
    const startRate = mode.startRate ?? (e2eMs === null || e2eMs <= 0 ? 1 : 500 / e2eMs)
    const found = stage.choice?.rivalOf(target)
    const rival = found && { rival: { rate: found.rate, isBeaten: () => found.isBeaten(level) } }
    let level: BenchLevel | undefined
    const tryRate = async (ratePerSecond: number, durationMs: number): Promise<RateTrial | null> => {
      ;[level] = await stage.measure(mode.planOf(ratePerSecond, durationMs), [target])
      return stage.mayGoOn() && level ? trialOf(ratePerSecond, level) : null
    }
    limits.searches.set(
      target.name,
      await searchRate(tryRate, { startRate, share: sloShare, ...(stage.choice && coarse), ...rival }),
    )
  }
}

/** Of each of many settings a rate that is known to a tenth is enough: those that may be as cheap are named. */
const coarse = { precision: 0.1, maxTrials: 12 }

function missesObjectives({ sloAttainment }: BenchLevel): boolean {
  return sloAttainment.status === "known" && (sloAttainment.high ?? 1) < sloShare
}

function trialOf(askedRate: number, { achievedRate, attainment, speed }: BenchLevel): RateTrial {
  const medianMs = figureValue(speed.e2eMs.p50)
  return { askedRate, achievedRate: figureValue(achievedRate) ?? askedRate, medianMs, attainment }
}

function asSweepLevel(concurrency: number, level: BenchLevel): SweepLevel {
  const { systemTokensPerSecond, requestsPerSecond } = level.speed
  const throughput = systemTokensPerSecond.status === "known" ? systemTokensPerSecond : requestsPerSecond
  return { concurrency, throughput, sloAttainment: level.sloAttainment }
}
