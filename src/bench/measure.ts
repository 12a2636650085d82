import type { Clock } from "../core/clock.ts"
import { EvalkitError, UsageError } from "../core/errors.ts"
import { isAnswered } from "../core/outcome.ts"
import type { HttpVersion, ProviderSession, ResourceUsage, Timeouts } from "../core/provider.ts"
import type { BudgetTracker } from "../cost/budget.ts"
import type { BenchLevel, LevelProgress } from "../perf/bench/bench-level.ts"
import type { BenchResult, ColdStart } from "../perf/bench/bench-result.ts"
import type { Slo } from "../perf/bench/slo.ts"
import { calibrateClient } from "../perf/client/self-calibration.ts"
import type { LoadPlan } from "../perf/load/load-plan.ts"
import { minLoopRequests } from "../perf/load/load-units.ts"
import { type BenchMode, type BenchStage, type Limits, runMode } from "./bench-mode.ts"
import { benchResult } from "./bench-result.ts"
import { chooseSetting, rivalOf } from "./choice.ts"
import { type BenchTarget, type LevelOptions, measureLevel } from "./measure-level.ts"
import type { LevelTarget, PlannedTarget } from "./targets.ts"
import { coldStart, connectionsUnderWay, openLoopConnections, warmConnections } from "./warm-up.ts"

/** What a bench measures, and how. */
export interface MeasureOptions {
  readonly targets: readonly PlannedTarget[]
  readonly mode: BenchMode
  readonly slo: readonly Slo[]
  /** Make a cold first request and warm the connections before a load; neither is in the figures. */
  readonly warmUp: boolean
  /** Opens a session to the reference server; null: the client's own error is not measured. */
  readonly openTruth: ((baseUrl: string, httpVersion: HttpVersion) => Promise<ProviderSession>) | null
  /** Search over settings: each target alone, what is beaten is left early, and a choice is made. Default false. */
  readonly chooses?: boolean
  /** Of a search over settings: what earlier calls found, and where what is found is kept. Default: nowhere. */
  readonly kept?: KeptSettings | undefined
  /** Parts in which variants take turns; null: three where several are measured together. */
  readonly blocks: number | null
  /** Traffic to project a bill for; null: none. */
  readonly queriesPerMonth: number | null
  /** Share of requests that must be answered: what the error budget is counted against. */
  readonly availabilityTarget: number
  /** What variants and judges may spend together; null when there is no limit. */
  readonly budget: BudgetTracker | null
  readonly timeouts: Timeouts
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Where several workers share a load: waits for the start of all; see {@link LevelOptions.begin}. */
  readonly begin?: LevelOptions["begin"]
  /** Hears of every measured answer; see {@link LevelOptions.onAnswer}. */
  readonly onAnswer?: LevelOptions["onAnswer"]
  /** `null`: the load has ended and the client's own error is being measured. */
  onProgress(plan: LoadPlan, progress: LevelProgress | null): void
  /** Hears how far the search for a variant's highest rate is. */
  onSearch?: BenchStage["onSearch"]
}

/**
 * Measures levels, a sweep or a search, after a warm-up. Variants take turns; one whose server must run alone has its own
 * turn, and is stopped before the next begins. Where such a server does not start, the others are measured all the same.
 */
export async function measureBench(options: MeasureOptions): Promise<BenchResult> {
  const { targets, queriesPerMonth, slo, availabilityTarget, signal, budget } = options
  const results: Found = {
    levels: [],
    coldStarts: new Map(),
    saturation: new Map(),
    searches: new Map(),
    resources: new Map(),
    failedStarts: new Map(),
  }
  const isAlone = ({ exclusive }: PlannedTarget) => exclusive || options.chooses === true
  const together = targets.filter((target) => !isAlone(target))
  const alone = targets.filter(isAlone).map((target) => [target])
  for (const group of [together, ...alone])
    if (group.length > 0 && !(options.chooses && signal.aborted)) await takeOrMeasure(options, group, results)
  const { failedStarts, ...measured } = results
  return benchResult({
    ...measured,
    ...(failedStarts.size > 0 && { failedStarts }),
    ...(options.chooses && { choice: chooseSetting({ ...results, slo }) }),
    queriesPerMonth,
    slo,
    availabilityTarget,
    interrupted: signal.aborted,
    budgetSpent: budget?.exceeded() ?? null,
  })
}

/** What is filled in as the bench goes on. */
interface Found extends Limits {
  readonly levels: BenchLevel[]
  readonly coldStarts: Map<string, ColdStart>
  readonly resources: Map<string, ResourceUsage>
  readonly failedStarts: Map<string, string>
}

/** What was found of one setting, once it was over. */
export type FoundOfSetting = { readonly [Part in keyof Found]: Found[Part] }

/** Where a search over settings keeps what it found of each, so that it can be resumed. */
export interface KeptSettings {
  /** What an earlier call found; null: nothing, or of another setting, load or data set with this name. */
  take(target: PlannedTarget): FoundOfSetting | null
  keep(target: PlannedTarget, result: FoundOfSetting): void
}

/** Measures a group, or takes it as an earlier call left it. What an interruption or the budget cut short is not kept. */
async function takeOrMeasure(options: MeasureOptions, group: readonly PlannedTarget[], results: Found): Promise<void> {
  const { kept, signal, budget } = options
  const [target] = group
  if (!kept || !target || group.length > 1) return measureGroup(options, group, results)
  const earlier = kept.take(target)
  if (earlier) return addTo(results, earlier)
  await measureGroup(options, group, results)
  if (!signal.aborted && !budget?.exceeded()) kept.keep(target, ofVariant(results, target.name))
}

const maps = ["coldStarts", "saturation", "searches", "resources", "failedStarts"] as const

function addTo(results: Found, own: FoundOfSetting): void {
  results.levels.push(...own.levels)
  for (const key of maps) for (const [name, value] of own[key]) (results[key] as Map<string, unknown>).set(name, value)
}

function ofVariant(results: Found, name: string): FoundOfSetting {
  const own = <Value>(all: ReadonlyMap<string, Value>) => new Map([...all].filter(([variant]) => variant === name))
  return {
    levels: results.levels.filter(({ variant }) => variant === name),
    coldStarts: own(results.coldStarts),
    saturation: own(results.saturation),
    searches: own(results.searches),
    resources: own(results.resources),
    failedStarts: own(results.failedStarts),
  }
}

/** Opens variants, measures them in turn and closes them again. */
async function measureGroup(options: MeasureOptions, group: readonly PlannedTarget[], results: Found): Promise<void> {
  const { clock, timeouts, signal } = options
  const targets: LevelTarget[] = []
  try {
    for (const target of group) {
      try {
        targets.push(await target.open())
      } catch (error) {
        if (signal.aborted && results.levels.length > 0) return
        if (group.length > 1 || options.targets.length === 1 || signal.aborted || !isFailedStart(error)) throw error
        results.failedStarts.set(target.name, error.message)
        return
      }
    }
    if (options.warmUp)
      for (const target of targets)
        results.coldStarts.set(target.name, await coldStart({ clock, timeouts, signal, target }))
    await runMode(options.mode, stageOf(options, targets, results), results)
    for (const { name, session } of targets) results.resources.set(name, await session.resources())
  } finally {
    await Promise.all(targets.map(({ session }) => session.close()))
  }
}

/** What a server does, not what is wrong with the command or the config. */
function isFailedStart(error: unknown): error is EvalkitError {
  return error instanceof EvalkitError && !(error instanceof UsageError)
}

/** Three, or as many as a closed loop is long enough for: each begins with slots that must turn over first. */
function defaultBlocks(plan: LoadPlan): number {
  if (plan.kind !== "closed" || plan.requests === undefined) return 3
  const { requests, concurrency } = plan
  return [3, 2].find((blocks) => requests >= minLoopRequests(concurrency, blocks)) ?? 1
}

function stageOf(options: MeasureOptions, targets: readonly LevelTarget[], results: Found): BenchStage {
  const { clock, timeouts, signal, budget, openTruth, onProgress } = options
  const shared = { clock, timeouts, signal }
  const warm = warmerOf(options, targets, results)
  let loads = 0
  const measureLoad = async (
    plan: LoadPlan,
    only: readonly LevelTarget[],
    heard: Pick<LevelOptions, "calibrate" | "onTimed">,
  ) => {
    for (const target of only) await warm(plan, target)
    const load = loads++
    return measureLevel({
      ...shared,
      targets: only.map((target) => ({ ...target, requestOf: target.requestsOf?.(load) ?? target.requestOf })),
      plan,
      blocks: options.blocks ?? (only.length > 1 ? defaultBlocks(plan) : 1),
      slo: options.slo,
      ...(budget ? { budget } : {}),
      ...(options.begin && { begin: options.begin }),
      ...(options.onAnswer && { onAnswer: options.onAnswer }),
      ...heard,
      onProgress: (progress) => onProgress(plan, progress),
    })
  }
  return {
    targets,
    slo: options.slo,
    ...(options.onSearch && { onSearch: options.onSearch }),
    ...(options.chooses && { choice: { rivalOf: ({ price }) => rivalOf({ ...results, slo: options.slo }, price) } }),
    mayGoOn: () => !signal.aborted && !budget?.exceeded(),
    async probe(plan, target) {
      const [level] = await measureLoad(plan, [{ ...target, metrics: [], score: undefined }], {
        calibrate: async () => null,
      })
      return level
    },
    async measure(plan, only, onTimed) {
      const calibrate: LevelOptions["calibrate"] = async (load, { spokeHttp2 }) => {
        if (!openTruth) return null
        onProgress(plan, null)
        const version = spokeHttp2?.() ? "2" : "1.1"
        return calibrateClient({ ...shared, ...load, open: (baseUrl) => openTruth(baseUrl, version) })
      }
      const levels = await measureLoad(plan, only, { calibrate, ...(onTimed && { onTimed }) })
      results.levels.push(...levels)
      return levels
    },
  }
}

/** Opens the connections that a load will use; a dead endpoint needs no more warming, open connections need none. */
function warmerOf(options: MeasureOptions, targets: readonly LevelTarget[], results: Found) {
  const { clock, timeouts, signal, warmUp } = options
  const warmed = new Map(targets.map(({ name }) => [name, 1]))
  return async (plan: LoadPlan, target: BenchTarget) => {
    const open = warmed.get(target.name) ?? 1
    const count = connectionsOf(plan)
    const cold = results.coldStarts.get(target.name)
    if (!warmUp || !isUp(cold)) return
    if (count > open) {
      await warmConnections({ clock, timeouts, signal, target }, count, open)
      warmed.set(target.name, open + count)
    }
    // Capture threads open connections without a request on each.
    const { session } = target
    if (plan.kind === "open" && session.holdsRequests)
      await session.warm?.(connectionsUnderWay(plan, cold?.e2eMs ?? null), signal)
  }
}

function isUp(cold: ColdStart | undefined): boolean {
  return cold !== undefined && isAnswered(cold.outcome)
}

/** Connections that a load uses: the slots of a closed loop; a few for an open one, which opens more as it needs them. */
function connectionsOf(plan: LoadPlan): number {
  return plan.kind === "closed" ? Math.min(plan.concurrency, 1024) : openLoopConnections
}
