import type { ClientLoad } from "../../core/client-load.ts"
import { UsageError } from "../../core/errors.ts"
import { contentHash } from "../../core/json.ts"
import type { BenchLevel } from "../../perf/bench/bench-level.ts"
import type { BenchResult } from "../../perf/bench/bench-result.ts"
import { loadWorker } from "../../perf/bench/load-worker.ts"
import { doubtfulFigures } from "../../perf/client/client-error-check.ts"
import { parallelLoads } from "../../perf/client/client-loads.ts"
import type { ClientError } from "../../perf/client/self-calibration.ts"
import type { Arrivals } from "../../perf/load/arrivals.ts"
import { offeredRate } from "../../perf/load/load-plan.ts"
import { joinedArrivals, placeInPlan, workerGapMs } from "../../perf/load/load-shard.ts"
import { peakInFlight } from "../../perf/load/peak-in-flight.ts"
import { sum } from "../../stats/sum.ts"
import { benchResult } from "../bench-result.ts"
import { collectLevel } from "../level-collector.ts"
import type { ShardRecord, ShardRequest, SharedSettings } from "./shard-record.ts"

/** A worker's record and the file that it came from. */
export interface ShardFile {
  readonly path: string
  readonly record: ShardRecord
}

/**
 * Joins what several workers measured of one load: all figures are made of all requests, in the order in which they ended, as one process
 * would have made them.
 *
 * @throws UsageError with the difference where parts are missing, come twice, are incomplete or belong to different loads
 */
export function mergeShards(files: readonly ShardFile[], queriesPerMonth: number | null): BenchResult {
  const records = inOrder(files)
  const arrivals = checkedArrivals(files, records)
  const [{ settings, contextWindow }] = records
  const { variant, price, slo, fixedLength } = settings
  const requests = records.flatMap((record) => record.requests).sort(byEnd)
  const collector = collectLevel({
    variant,
    price,
    slo,
    fixedLength,
    contextWindow,
    metrics: [],
    primary: undefined,
    slots: null,
  })
  for (const { answer, askedTokens } of requests) collector.add(answer, 0, null, askedTokens)
  const durationMs = Math.max(...records.map((record) => record.durationMs))
  const figures = collector.figures(durationMs)
  const clientLoad = loadOfMachines(records.map((record) => record.clientLoad))
  const clientError = worstError(records, clientLoad)
  const level: BenchLevel = {
    ...figures,
    variant,
    price,
    durationMs,
    clientError,
    clientLoad,
    plan: { kind: "open", arrivals, description: settings.arrivals },
    offeredRate: offeredRate(arrivals),
    peakInFlight: peakOf(requests),
    transport: [...new Set(records.map(({ transport }) => transport ?? "unknown"))].join(" and "),
    doubtful: clientError ? doubtfulFigures(figures.speed, clientError, slo) : [],
    workers: records.map((record) => workerOf(record, arrivals)),
    serverWindow: null,
    remarks: [...new Set(records.flatMap(({ remarks }) => remarks))],
  }
  return benchResult({
    levels: [level],
    coldStarts: new Map(),
    saturation: new Map(),
    searches: new Map(),
    resources: new Map(),
    queriesPerMonth,
    slo,
    availabilityTarget: settings.availabilityTarget,
    interrupted: false,
    budgetSpent: null,
  })
}

type Records = readonly [ShardRecord, ...ShardRecord[]]

/** The records by their numbers: each once, all of them, all of one load. */
function inOrder(files: readonly ShardFile[]): Records {
  const [first, ...rest] = files
  if (!first) throw new UsageError("there is nothing to merge", {})
  for (const { path, record } of rest) {
    const differences = differencesOf(first.record.settings, record.settings)
    if (differences.length > 0)
      throw new UsageError("these parts belong to different loads", {
        where: `${first.path} and ${path}: ${differences.join("; ")}`,
        hint: "merge what workers measured with the same options, config and version, and one seed and start",
      })
  }
  const byNumber = new Map<number, string>()
  for (const { path, record } of files) {
    const other = byNumber.get(record.shard.number)
    if (other !== undefined)
      throw new UsageError("a part comes twice", { where: `${shardName(record)}: ${other} and ${path}` })
    byNumber.set(record.shard.number, path)
  }
  const { workers } = first.record.settings
  const missing = Array.from({ length: workers }, (_, i) => i + 1).filter((number) => !byNumber.has(number))
  if (missing.length > 0)
    throw new UsageError("parts of the load are missing", {
      where: missing
        .slice(0, 20)
        .map((number) => `${number}/${workers}`)
        .join(", "),
      hint: "a load that was not sent as a whole says nothing of its rate: repeat it with all workers",
    })
  const records = files.map(({ record }) => record).sort((a, b) => a.shard.number - b.shard.number)
  return records as unknown as Records
}

/** The stream of all parts, which is the one that they were cut from; every request of it was made, once. */
function checkedArrivals(files: readonly ShardFile[], records: Records): Arrivals {
  for (const { path, record } of files) {
    const { requests, shard, settings } = record
    const planned = Math.ceil((settings.requests - shard.number + 1) / shard.of)
    const positions = requests.map(({ place }) => place).sort((a, b) => a - b)
    if (positions.length !== planned || positions.some((position, index) => position !== placeInPlan(shard, index)))
      throw new UsageError("a part does not hold every request of its plan once", {
        where: `${path}: ${positions.length} requests, ${planned} planned`,
      })
  }
  const { settings } = records[0]
  const arrivals = joinedArrivals(records.map(dueMoments))
  if (!arrivals || arrivals.length !== settings.requests || scheduleHash(arrivals) !== settings.schedule)
    throw new UsageError("the parts do not add up to the planned load", {
      where: files.map(({ path }) => path).join(", "),
    })
  return arrivals
}

function dueMoments({ requests }: ShardRecord): readonly number[] {
  return requests.toSorted((a, b) => a.place - b.place).map(({ dueMs }) => dueMs)
}

/** Fingerprint of when requests are due. */
export function scheduleHash(arrivals: Arrivals): string {
  return contentHash([...arrivals])
}

/** `seed: 7 and 8` for each setting in which two differ. */
function differencesOf(first: SharedSettings, second: SharedSettings): readonly string[] {
  return (Object.keys(first) as (keyof SharedSettings)[]).flatMap((name) => {
    const [a, b] = [first[name], second[name]].map((value) => JSON.stringify(value))
    return a === b ? [] : [`${name}: ${a?.slice(0, 120)} and ${b?.slice(0, 120)}`]
  })
}

function shardName({ shard }: ShardRecord): string {
  return `${shard.number}/${shard.of}`
}

function byEnd(a: ShardRequest, b: ShardRequest): number {
  return a.answer.log.endMs - b.answer.log.endMs || a.place - b.place
}

/** Most requests that were under way at once, over all workers. */
function peakOf(requests: readonly ShardRequest[]): number {
  return peakInFlight(
    Float64Array.from(requests, ({ answer }) => answer.log.sendMs).sort(),
    Float64Array.from(requests, ({ answer }) => answer.log.endMs).sort(),
  )
}

function workerOf(record: ShardRecord, arrivals: Arrivals) {
  const { host, clock, requests, shard } = record
  const gapMs = workerGapMs(arrivals, shard.of) as number
  const lags = requests.map(({ answer: { log } }) => log.sendMs - log.scheduledMs)
  return loadWorker({ shard: shardName(record), host, gapMs, clock }, lags)
}

/** What {@link parallelLoads} says of one process, for several. */
function loadOfMachines(loads: readonly ClientLoad[]): ClientLoad {
  const switches = loads.flatMap((load) => load.involuntaryContextSwitches ?? [])
  return {
    ...parallelLoads(loads),
    loops: sum(loads.map((load) => load.loops)),
    involuntaryContextSwitches: switches.length < loads.length ? null : sum(switches),
    cpuSeconds: sum(loads.map((load) => load.cpuSeconds)),
  }
}

/** The largest error of any worker, figure by figure; null where one did not measure its own. */
function worstError(records: Records, load: ClientError["load"]): ClientError | null {
  const errors = records.flatMap(({ clientError }) => clientError ?? [])
  if (errors.length < records.length) return null
  const worst = (pick: (error: (typeof errors)[number]) => number) => Math.max(...errors.map(pick))
  return {
    ttftMsP50: worst((error) => error.ttftMsP50),
    ttftMsP99: worst((error) => error.ttftMsP99),
    itlMsP50: worst((error) => error.itlMsP50),
    itlMsP99: worst((error) => error.itlMsP99),
    requests: worst((error) => error.requests),
    chunks: worst((error) => error.chunks),
    chunksPerSecond: worst((error) => error.chunksPerSecond),
    concurrency: worst((error) => error.concurrency),
    load,
  }
}
