import { systemClock } from "../../core/clock.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { ProviderSession, ResourceUsage } from "../../core/provider.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { BudgetTracker } from "../../cost/budget.ts"
import {
  type BenchLevel,
  type BenchTarget,
  type LevelProgress,
  measureLevel,
} from "../../engine/bench/measure-level.ts"
import { isSaturated, type Saturation, type SweepLevel, saturationOf, sloShare } from "../../engine/bench/saturation.ts"
import { type RateSearch, searchRate } from "../../engine/bench/search-rate.ts"
import type { Slo } from "../../engine/bench/slo.ts"
import { type ColdStart, coldStart, warmConnections } from "../../engine/bench/warm-up.ts"
import { calibrateClient } from "../../perf/client/self-calibration.ts"
import type { LoadPlan } from "../../perf/load/load-plan.ts"
import { openai } from "../../providers/openai.ts"
import type { CommandIo } from "../command.ts"
import type { BenchMode } from "./mode.ts"
import type { BenchSettings } from "./settings.ts"
import { type LevelTarget, openContext, type PlannedTarget, type PlannedTargets } from "./targets.ts"

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
  /** Traffic to project a bill for; null: none. */
  readonly queriesPerMonth: number | null
  /** Objectives of a good request. */
  readonly slo: readonly Slo[]
  /** Share of requests that must be answered. */
  readonly availabilityTarget: number
  readonly interrupted: boolean
  /** Why the budget ended it; null when it did not. */
  readonly budgetSpent: string | null
}

/**
 * Runs what the settings ask for: levels, a sweep or a search, after a warm-up. Variants take turns; one whose server must
 * run alone has its own turn, and is stopped before the next begins.
 */
export async function measureBench(
  settings: BenchSettings,
  planned: PlannedTargets,
  io: CommandIo,
  onProgress: (plan: LoadPlan, progress: LevelProgress | null) => void,
): Promise<BenchResult> {
  const { budget } = planned
  const found: Found = {
    levels: [],
    coldStarts: new Map(),
    saturation: new Map(),
    searches: new Map(),
    resources: new Map(),
  }
  const bench: Bench = { settings, planned, io, budget, found, onProgress }
  const together = planned.targets.filter(({ exclusive }) => !exclusive)
  const alone = planned.targets.filter(({ exclusive }) => exclusive).map((target) => [target])
  for (const group of [together, ...alone]) if (group.length > 0) await measureGroup(bench, group)
  return {
    ...found,
    queriesPerMonth: settings.queriesPerMonth,
    slo: settings.slo,
    availabilityTarget: settings.availabilityTarget,
    interrupted: io.signal.aborted,
    budgetSpent: budget?.exceeded() ?? null,
  }
}

/** What is filled in as the bench goes on. */
interface Found {
  readonly levels: BenchLevel[]
  readonly coldStarts: Map<string, ColdStart>
  readonly saturation: Map<string, Saturation>
  readonly searches: Map<string, RateSearch>
  readonly resources: Map<string, ResourceUsage>
}

interface Bench {
  readonly settings: BenchSettings
  readonly planned: PlannedTargets
  readonly io: CommandIo
  readonly budget: BudgetTracker | null
  readonly found: Found
  readonly onProgress: (plan: LoadPlan, progress: LevelProgress | null) => void
}

/** Opens variants, measures them in turn and closes them again. */
async function measureGroup(bench: Bench, group: readonly PlannedTarget[]): Promise<void> {
  const { settings, found } = bench
  const targets: LevelTarget[] = []
  try {
    for (const target of group) targets.push(await target.open())
    const stage = stageOf(bench, targets)
    const { mode } = settings
    if (settings.warmUp)
      for (const target of targets) found.coldStarts.set(target.name, await coldStart({ ...sharedBy(bench), target }))
    if (mode.kind === "sweep") await sweep(mode, stage, found)
    else if (mode.kind === "search") await search(mode, stage, found)
    else for (const plan of mode.plans) if (stage.mayGoOn()) await stage.measure(plan, targets)
    for (const { name, session } of targets) found.resources.set(name, await session.resources())
  } finally {
    await Promise.all(targets.map(({ session }) => session.close()))
  }
}

function stageOf(bench: Bench, targets: readonly LevelTarget[]): Stage {
  const { settings, io, budget, found, onProgress } = bench
  const warmed = new Map(targets.map(({ name }) => [name, 1]))
  let loads = 0
  const warm = async (plan: LoadPlan, target: BenchTarget) => {
    const open = warmed.get(target.name) ?? 1
    const wanted = connectionsOf(plan)
    // A dead endpoint needs no more warming, and one whose connections are open has them already.
    if (!settings.warmUp || wanted <= open || !isUp(found.coldStarts.get(target.name))) return
    await warmConnections({ ...sharedBy(bench), target }, wanted, open)
    warmed.set(target.name, open + wanted)
  }
  return {
    targets,
    mayGoOn: () => !io.signal.aborted && !budget?.exceeded(),
    async measure(plan, only) {
      for (const target of only) await warm(plan, target)
      const load = loads++
      const levels = await measureLevel({
        ...sharedBy(bench),
        targets: only.map((target) => ({ ...target, requestOf: target.requestsOf?.(load) ?? target.requestOf })),
        plan,
        blocks: settings.blocks ?? (only.length > 1 ? 3 : 1),
        slo: settings.slo,
        ...(budget ? { budget } : {}),
        async calibrate(wanted) {
          if (!settings.calibrate) return null
          onProgress(plan, null)
          return calibrateClient({ ...sharedBy(bench), ...wanted, open: (baseUrl) => openTruth(baseUrl, settings, io) })
        },
        onProgress: (progress) => onProgress(plan, progress),
      })
      found.levels.push(...levels)
      return levels
    },
  }
}

function sharedBy({ planned, io }: Bench) {
  return { clock: systemClock, timeouts: planned.timeouts, signal: io.signal }
}

/** What a sweep and a search measure with. */
interface Stage {
  readonly targets: readonly LevelTarget[]
  mayGoOn(): boolean
  measure(plan: LoadPlan, targets: readonly LevelTarget[]): Promise<readonly BenchLevel[]>
}

/** All variants in turn at 1, 2, 4 … in flight; each leaves the sweep when it is saturated. */
async function sweep(mode: Extract<BenchMode, { readonly kind: "sweep" }>, stage: Stage, found: Found): Promise<void> {
  const swept = new Map<string, SweepLevel[]>(stage.targets.map(({ name }) => [name, []]))
  for (let slots = 1; slots <= mode.maxConcurrency && stage.mayGoOn(); slots *= 2) {
    const going = stage.targets.filter(({ name }) => !isSaturated(swept.get(name) ?? []))
    if (going.length === 0) break
    for (const level of await stage.measure(mode.planOf(slots), going))
      swept.get(level.variant)?.push(asSweepLevel(slots, level))
  }
  for (const [name, levels] of swept) found.saturation.set(name, saturationOf(levels))
}

/** One variant after the other: each has rates of its own. */
async function search(
  mode: Extract<BenchMode, { readonly kind: "search" }>,
  stage: Stage,
  found: Found,
): Promise<void> {
  for (const target of stage.targets) {
    const tryRate = async (ratePerSecond: number) => {
      const [level] = await stage.measure(mode.planOf(ratePerSecond), [target])
      return stage.mayGoOn() && level ? (figureValue(level.goodput) ?? 0) >= sloShare : null
    }
    found.searches.set(target.name, await searchRate(tryRate, { startRate: mode.startRate }))
  }
}

function asSweepLevel(concurrency: number, level: BenchLevel): SweepLevel {
  const { systemTokensPerSecond, requestsPerSecond } = level.speed
  const throughput = systemTokensPerSecond.status === "known" ? systemTokensPerSecond : requestsPerSecond
  return { concurrency, throughput, goodput: level.goodput }
}

function openTruth(baseUrl: string, { capture }: BenchSettings, io: CommandIo): Promise<ProviderSession> {
  return openai({ model: "truth", baseUrl, apiKeyVariable: null }).open(openContext(io, capture))
}

function isUp(cold: ColdStart | undefined): boolean {
  return cold !== undefined && isAnswered(cold.outcome)
}

/** Connections that a load uses: the slots of a closed loop; a few for an open one, which opens more as it needs them. */
function connectionsOf(plan: LoadPlan): number {
  return plan.kind === "closed" ? Math.min(plan.concurrency, 1024) : 8
}
