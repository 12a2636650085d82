import { systemClock } from "../../core/clock.ts"
import { figureValue } from "../../core/figure.ts"
import type { ProviderSession, ResourceUsage } from "../../core/provider.ts"
import { createBudget } from "../../cost/budget.ts"
import {
  type BenchLevel,
  type BenchTarget,
  type LevelProgress,
  measureLevel,
} from "../../engine/bench/measure-level.ts"
import { isSaturated, type Saturation, type SweepLevel, saturationOf, sloShare } from "../../engine/bench/saturation.ts"
import { type RateSearch, searchRate } from "../../engine/bench/search-rate.ts"
import { type ColdStart, warmUp } from "../../engine/bench/warm-up.ts"
import type { LoadPlan } from "../../perf/load-plan.ts"
import { calibrateClient } from "../../perf/self-calibration.ts"
import { openai } from "../../providers/openai.ts"
import type { CommandIo } from "../command.ts"
import type { BenchMode, BenchSettings } from "./settings.ts"
import { type OpenTargets, openContext } from "./targets.ts"

/** Everything that a bench found. */
export interface BenchResult {
  readonly levels: readonly BenchLevel[]
  /** By variant; empty without a warm-up. */
  readonly coldStarts: ReadonlyMap<string, ColdStart>
  /** By variant, of a sweep. */
  readonly saturation: ReadonlyMap<string, Saturation>
  /** By variant, of a search. */
  readonly searches: ReadonlyMap<string, RateSearch>
  /** What each variant's serving process used, by variant. */
  readonly resources: ReadonlyMap<string, ResourceUsage>
  /** Share of requests that must be answered. */
  readonly availabilityTarget: number
  readonly transport: string
  readonly interrupted: boolean
  /** Why the budget ended it; null when it did not. */
  readonly budgetSpent: string | null
}

/** Runs what the settings ask for: levels, a sweep or a search, after a warm-up. */
export async function measureBench(
  settings: BenchSettings,
  open: OpenTargets,
  io: CommandIo,
  onProgress: (plan: LoadPlan, progress: LevelProgress | null) => void,
): Promise<BenchResult> {
  const { targets, timeouts } = open
  const shared = { clock: systemClock, timeouts, signal: io.signal }
  const startMs = systemClock.now()
  const budget = settings.budget
    ? createBudget(settings.budget, {
        prices: new Map(targets.map(({ name, price }) => [name, price])),
        elapsedMs: () => systemClock.now() - startMs,
      })
    : null
  const levels: BenchLevel[] = []
  const stage: Stage = {
    targets,
    mayGoOn: () => !io.signal.aborted && !budget?.exceeded(),
    async measure(plan, only) {
      const made = await measureLevel({
        ...shared,
        targets: only,
        plan,
        blocks: settings.blocks ?? (only.length > 1 ? 3 : 1),
        slo: settings.slo,
        ...(budget ? { budget } : {}),
        async calibrate(load) {
          if (!settings.calibrate) return null
          onProgress(plan, null)
          return calibrateClient({ ...shared, ...load, open: (baseUrl) => openTruth(baseUrl, open, io) })
        },
        onProgress: (progress) => onProgress(plan, progress),
      })
      levels.push(...made)
      return made
    },
  }

  const { mode } = settings
  const coldStarts = new Map<string, ColdStart>()
  if (settings.warmUp)
    for (const target of targets)
      coldStarts.set(target.name, await warmUp({ ...shared, target, concurrency: warmConnections(settings) }))
  if (mode.kind === "levels") for (const plan of mode.plans) if (stage.mayGoOn()) await stage.measure(plan, targets)
  const saturation = mode.kind === "sweep" ? await sweep(mode, stage) : new Map<string, Saturation>()
  const searches = mode.kind === "search" ? await search(mode, stage) : new Map<string, RateSearch>()
  const resources = new Map<string, ResourceUsage>()
  for (const { name, session } of targets) resources.set(name, await session.resources())
  return {
    levels,
    coldStarts,
    saturation,
    searches,
    resources,
    availabilityTarget: settings.availabilityTarget,
    transport: open.transport,
    interrupted: io.signal.aborted,
    budgetSpent: budget?.exceeded() ?? null,
  }
}

/** What a sweep and a search measure with. */
interface Stage {
  readonly targets: readonly BenchTarget[]
  mayGoOn(): boolean
  measure(plan: LoadPlan, targets: readonly BenchTarget[]): Promise<readonly BenchLevel[]>
}

/** All variants in turn at 1, 2, 4 … in flight; each leaves the sweep when it is saturated. */
async function sweep(
  mode: Extract<BenchMode, { readonly kind: "sweep" }>,
  stage: Stage,
): Promise<ReadonlyMap<string, Saturation>> {
  const swept = new Map<string, SweepLevel[]>(stage.targets.map(({ name }) => [name, []]))
  for (let slots = 1; slots <= mode.maxConcurrency && stage.mayGoOn(); slots *= 2) {
    const going = stage.targets.filter(({ name }) => !isSaturated(swept.get(name) ?? []))
    if (going.length === 0) break
    for (const level of await stage.measure(mode.planOf(slots), going))
      swept.get(level.variant)?.push(asSweepLevel(slots, level))
  }
  return new Map([...swept].map(([name, levels]) => [name, saturationOf(levels)]))
}

/** One variant after the other: each has rates of its own. */
async function search(
  mode: Extract<BenchMode, { readonly kind: "search" }>,
  stage: Stage,
): Promise<ReadonlyMap<string, RateSearch>> {
  const found = new Map<string, RateSearch>()
  for (const target of stage.targets) {
    const tryRate = async (ratePerSecond: number) => {
      const [level] = await stage.measure(mode.planOf(ratePerSecond), [target])
      return stage.mayGoOn() && level ? (figureValue(level.goodput) ?? 0) >= sloShare : null
    }
    found.set(target.name, await searchRate(tryRate, { startRate: mode.startRate }))
  }
  return found
}

function asSweepLevel(concurrency: number, level: BenchLevel): SweepLevel {
  const { systemTokensPerSecond, requestsPerSecond } = level.speed
  const throughput = systemTokensPerSecond.status === "known" ? systemTokensPerSecond : requestsPerSecond
  return { concurrency, throughput, goodput: level.goodput }
}

function openTruth(baseUrl: string, { transport }: OpenTargets, io: CommandIo): Promise<ProviderSession> {
  return openai({ model: "truth", baseUrl, apiKeyVariable: null, transport }).open(openContext(io))
}

/** Connections to open before the first level: as many as its closed loop has slots, else a few. */
function warmConnections({ mode }: BenchSettings): number {
  const first = mode.kind === "levels" ? mode.plans[0] : mode.kind === "sweep" ? mode.planOf(1) : null
  return first?.kind === "closed" ? Math.min(first.concurrency, 256) : 8
}
