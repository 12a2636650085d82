import { systemClock } from "../../core/clock.ts"
import { figureValue } from "../../core/figure.ts"
import type { ProviderSession } from "../../core/provider.ts"
import { type BenchLevel, type LevelProgress, measureLevel } from "../../engine/bench/measure-level.ts"
import { isSaturated, type Saturation, type SweepLevel, saturationOf, sloShare } from "../../engine/bench/saturation.ts"
import { type RateSearch, searchRate } from "../../engine/bench/search-rate.ts"
import { type ColdStart, warmUp } from "../../engine/bench/warm-up.ts"
import type { LoadPlan } from "../../perf/load-plan.ts"
import { calibrateClient } from "../../perf/self-calibration.ts"
import { openai } from "../../providers/openai.ts"
import type { CommandIo } from "../command.ts"
import type { BenchSettings } from "./settings.ts"
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
  readonly transport: string
  readonly interrupted: boolean
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
  const levels: BenchLevel[] = []
  const coldStarts = new Map<string, ColdStart>()
  const saturation = new Map<string, Saturation>()
  const searches = new Map<string, RateSearch>()

  const level = async (plan: LoadPlan, only = targets): Promise<readonly BenchLevel[]> => {
    const made = await measureLevel({
      ...shared,
      targets: only,
      plan,
      blocks: settings.blocks ?? (only.length > 1 ? 3 : 1),
      slo: settings.slo,
      calibrate: (load) => (settings.calibrate ? calibrate({ ...load, plan }) : Promise.resolve(null)),
      onProgress: (progress) => onProgress(plan, progress),
    })
    levels.push(...made)
    return made
  }
  const calibrate = async (load: { concurrency: number; chunkIntervalMs: number; plan: LoadPlan }) => {
    onProgress(load.plan, null)
    return calibrateClient({ ...shared, ...load, open: (baseUrl) => openTruth(baseUrl, open, io) })
  }

  const { mode } = settings
  if (settings.warmUp)
    for (const target of targets)
      coldStarts.set(target.name, await warmUp({ ...shared, target, concurrency: warmConnections(settings) }))

  if (mode.kind === "levels") for (const plan of mode.plans) await level(plan)
  else
    for (const target of targets) {
      if (mode.kind === "sweep") {
        const swept: SweepLevel[] = []
        for (let slots = 1; slots <= mode.maxConcurrency && !isSaturated(swept) && !io.signal.aborted; slots *= 2)
          for (const made of await level(mode.planOf(slots), [target])) swept.push(asSweepLevel(slots, made))
        saturation.set(target.name, saturationOf(swept))
      } else {
        const tryRate = async (ratePerSecond: number) => {
          const [made] = await level(mode.planOf(ratePerSecond), [target])
          return io.signal.aborted || !made ? null : (figureValue(made.goodput) ?? 0) >= sloShare
        }
        searches.set(target.name, await searchRate(tryRate, { startRate: mode.startRate }))
      }
    }
  return { levels, coldStarts, saturation, searches, transport: open.transport, interrupted: io.signal.aborted }
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
