import { type BenchProgress, createBenchProgress } from "../../../reports/bench/progress.ts"
import { type MeasureOptions, measureBench } from "../../bench/measure.ts"
import { systemClock } from "../../core/clock.ts"
import type { OpenContext, ProviderSession } from "../../core/provider.ts"
import type { BenchResult } from "../../perf/bench/bench-result.ts"
import { closing } from "../../platform/closing.ts"
import { openai } from "../../providers/openai.ts"
import type { Args, CommandIo } from "../command.ts"
import type { BenchKeeper } from "./keep-bench.ts"
import { openKeptSettings } from "./kept-settings.ts"
import { withProfile, withRemarks } from "./profile.ts"
import { withPromptCache } from "./prompt-cache.ts"
import { type BenchSettings, readSettings } from "./settings.ts"
import { readShardPlan } from "./shards/shard-options.ts"
import { shardRun } from "./shards/shard-run.ts"
import { checkTargetOptions } from "./target-options.ts"
import { openContext, type PlannedTargets, planTargets } from "./targets.ts"

/**
 * Puts the load on the targets; a worker's part of a shared one is written to its file.
 *
 * @param begin hears of what will be measured, before it is; not of a part
 */
export async function measureOnce(asked: Args, io: CommandIo, begin: BenchKeeper["begin"]): Promise<BenchResult> {
  const { args, remarks, settings, part } = askedSettings(asked, io)
  // Whose answers are scored is not known before all parts are together.
  return closing(await planTargets(args, io, part ? { ...settings, score: false } : settings), async (planned) => {
    const targets = withRemarks(planned.targets, remarks)
    const run = part && shardRun(part, targets, settings, io)
    if (!run) {
      const facts = targets.map(({ name, endpoint, fingerprint }) => ({ name, endpoint, fingerprint: fingerprint() }))
      begin(facts, { seed: settings.seed, ...(planned.evaluation && { evaluation: planned.evaluation }) })
    }
    const result = await withBenchProgress(io, (progress) =>
      measureTargets(
        { ...planned, targets, kept: openKeptSettings(args, io), ...run?.measure },
        settings,
        io,
        progress,
      ),
    )
    return run ? await run.finish(result) : result
  })
}

/** What the command line asks for, with what a profile and the prompt cache add; `part` of a load that workers share. */
export function askedSettings(asked: Args, io: CommandIo) {
  checkTargetOptions(asked)
  const { args: profiled, remarks } = withProfile(asked)
  const args = withPromptCache(profiled)
  const settings = readSettings(args, io.cwd)
  return { args, remarks, settings, part: readShardPlan(args, settings, io.cwd, systemClock.wall()) }
}

/** Shows live progress while `work` goes on. */
export async function withBenchProgress<T>(io: CommandIo, work: (progress: BenchProgress) => Promise<T>): Promise<T> {
  const progress = createBenchProgress(io, () => systemClock.now())
  try {
    return await work(progress)
  } finally {
    progress.done()
  }
}

/** Opens the targets, measures them and closes them again. */
export function measureTargets(
  planned: Omit<PlannedTargets, "close"> &
    Partial<Pick<MeasureOptions, "mode" | "blocks" | "begin" | "onAnswer" | "kept">>,
  settings: BenchSettings,
  io: CommandIo,
  progress: BenchProgress,
): Promise<BenchResult> {
  const { capture, calibrate } = settings
  return measureBench({
    ...settings,
    ...planned,
    openTruth: calibrate
      ? (baseUrl, httpVersion) => openTruth(baseUrl, openContext(io, { ...capture, httpVersion }))
      : null,
    clock: systemClock,
    signal: io.signal,
    onProgress: (plan, state) => progress.update(plan, state),
    onSearch: (variant, state) => progress.search(variant, state),
  })
}

/** The reference server, called over the transport that the bench uses. */
function openTruth(baseUrl: string, context: OpenContext): Promise<ProviderSession> {
  return openai({ model: "truth", baseUrl, apiKeyVariable: null }).open(context)
}
