import { hostname } from "node:os"
import type { MeasureOptions } from "../../../bench/measure.ts"
import { type Start, waitForStart } from "../../../bench/shards/barrier.ts"
import { scheduleHash } from "../../../bench/shards/merge-shards.ts"
import { type ShardRequest, withoutTexts } from "../../../bench/shards/shard-record.ts"
import { promptsHash, shardTarget } from "../../../bench/shards/shard-target.ts"
import type { LevelTarget, PlannedTarget } from "../../../bench/targets.ts"
import { openLoopConnections } from "../../../bench/warm-up.ts"
import { systemClock } from "../../../core/clock.ts"
import { UsageError } from "../../../core/errors.ts"
import type { BenchResult } from "../../../perf/bench/bench-result.ts"
import { loadWorker } from "../../../perf/bench/load-worker.ts"
import { placeInPlan, workerGapMs } from "../../../perf/load/load-shard.ts"
import { requestInTime } from "../../../platform/request-in-time.ts"
import { packageVersion } from "../../../platform/version.ts"
import { counted } from "../../../words/number.ts"
import type { CommandIo } from "../../command.ts"
import type { BenchSettings } from "../settings.ts"
import { writeShard } from "./shard-file.ts"
import type { ShardPlan } from "./shard-options.ts"

/** A worker's part of a load: how it is measured, and what becomes of it. */
export interface ShardRun {
  readonly measure: Pick<MeasureOptions, "targets" | "mode" | "blocks" | "begin" | "onAnswer">
  /** Writes the part where all of it was sent; the result with this worker's schedule. */
  finish(result: BenchResult): Promise<BenchResult>
}

/** @throws UsageError where more than one variant would be measured, or one whose server is on this machine alone */
export function shardRun(
  plan: ShardPlan,
  targets: readonly PlannedTarget[],
  settings: BenchSettings,
  io: CommandIo,
): ShardRun {
  const target = onlyTarget(targets)
  const { shard, whole, part, startAtMs } = plan
  const requests: ShardRequest[] = []
  let opened: Pick<LevelTarget, "fixedLength" | "contextWindow"> & { readonly prompts: string }
  let start: Start
  return {
    measure: {
      targets: [
        shardTarget(target, shard, (levelTarget) => {
          const { fixedLength = false, contextWindow = null } = levelTarget
          opened = { fixedLength, contextWindow, prompts: promptsHash(levelTarget, whole.arrivals.length) }
        }),
      ],
      mode: { kind: "levels", plans: [part] },
      blocks: 1,
      async begin(session) {
        const server = serverClock(plan.clockUrl ?? target.baseUrl?.href ?? "", io.signal)
        const connect = async (signal: AbortSignal) => session.warm?.(openLoopConnections, signal)
        start = await waitForStart({ startAtMs, server, connect, clock: systemClock, signal: io.signal })
        return start.atMs
      },
      onAnswer(answer, index, askedTokens) {
        const position = placeInPlan(shard, index)
        requests.push({
          place: position,
          dueMs: whole.arrivals[position] as number,
          askedTokens,
          answer: withoutTexts(answer),
        })
      },
    },
    async finish(result) {
      const [level] = result.levels
      if (!level || !start) return result
      const gapMs = workerGapMs(whole.arrivals, shard.of) as number
      const host = hostname()
      const lags = requests.map(({ answer: { log } }) => log.sendMs - log.scheduledMs)
      const worker = loadWorker({ shard: `${shard.number}/${shard.of}`, host, gapMs, clock: start.clock }, lags)
      const own = { ...result, levels: [{ ...level, workers: [worker] }] }
      if (result.interrupted || requests.length < part.arrivals.length) {
        io.err(
          `evalkit: ${plan.outPath} was not written: ${requests.length} of ${counted(part.arrivals.length, "request")} were sent, and the load of all workers is only known as a whole\n`,
        )
        return own
      }
      const { load: _, ...clientError } = level.clientError ?? { load: null }
      await writeShard(plan.outPath, {
        shard,
        settings: {
          evalkit: packageVersion(),
          variant: target.name,
          endpoint: target.endpoint,
          price: target.price,
          slo: settings.slo,
          availabilityTarget: settings.availabilityTarget,
          fixedLength: opened.fixedLength === true,
          arrivals: whole.description,
          seed: settings.seed,
          requests: whole.arrivals.length,
          schedule: scheduleHash(whole.arrivals),
          prompts: opened.prompts,
          workers: shard.of,
          startAt: new Date(startAtMs).toISOString(),
        },
        host,
        contextWindow: opened.contextWindow ?? null,
        clock: start.clock,
        durationMs: level.durationMs,
        clientError: level.clientError && (clientError as Omit<typeof level.clientError, "load">),
        clientLoad: level.clientLoad,
        transport: level.transport,
        remarks: level.remarks,
        requests,
      })
      return own
    },
  }
}

function onlyTarget(targets: readonly PlannedTarget[]): PlannedTarget {
  const [target, ...others] = targets
  if (!target || others.length > 0)
    throw new UsageError("workers share one level of one variant", {
      where: targets
        .map(({ name }) => name)
        .join(", ")
        .slice(0, 200),
      hint: "name it with --variant",
    })
  if (target.exclusive)
    throw new UsageError("workers share one server, and this variant starts one of its own", {
      where: `variant ${target.name}`,
      hint: "start the server once, at an address that every worker reaches",
    })
  return target
}

/** The clock of the server at an address; null where it is none. */
function serverClock(address: string, signal: AbortSignal) {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return {
    address: url.origin,
    async date() {
      const request = {
        method: "HEAD",
        redirect: "manual",
        headers: { "cache-control": "no-cache" },
        signal,
        timeoutMs: 5000,
      } as const
      const date = await requestInTime(url.origin, request, ({ headers }) => Date.parse(headers.get("date") ?? ""))
      return Number.isNaN(date) ? null : date
    },
  }
}
