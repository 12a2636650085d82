import { meanWaitMs } from "./erlang-c.ts"
import { meanValueAnalysis } from "./mean-value-analysis.ts"

/** Measured figures of a run over workers. Times are milliseconds an answer. */
export interface FleetFigures {
  readonly workers: number
  /** Requests in flight of each worker. */
  readonly concurrency: number
  /** How long the endpoint takes where nobody waits, and how many it answers at a time; null: as many as come. */
  readonly endpointMs: number
  readonly endpointSlots: number | null
  /** Time of a worker's main thread, standing still for an idle store included. */
  readonly threadMs: number
  /** CPU of the store, and the cores it has. */
  readonly storeCpuMs: number
  readonly storeCores: number
  /** CPU of the queue's server, which is one thread in Redis. */
  readonly queueCpuMs: number
  readonly queueCores: number
  /** Where all of it shares one machine: its cores, and the CPU of everybody. Null: workers, store and queue have their own. */
  readonly machine: { readonly cores: number; readonly cpuMs: number } | null
}

/** How busy a part of the fleet is. */
export interface StationLoad {
  readonly name: string
  /** Answers a second that it could do at most. */
  readonly mostPerSecond: number
  /** Share of that, 0 to 1. */
  readonly utilisation: number
}

/** What a fleet does. */
export interface FleetPrediction {
  readonly perSecond: number
  readonly stations: readonly StationLoad[]
  /** The station that would be full first. */
  readonly next: StationLoad
}

/**
 * Predicts the throughput of a fleet by a layered queueing model.
 *
 * Each worker is a closed network: its requests in flight go round between the endpoint (a delay) and the worker's main thread (a queue),
 * solved by exact mean value analysis. What workers share (slots of the endpoint, cores of store, queue and machine) is an M/M/c queue at
 * the throughput of all of them: its wait is added to the round, and the throughput is the one at which both agree. A worker's thread
 * stands still while the store writes, so that waiting at the store counts as work of the thread. Slices are taken ahead, so that the
 * queue delays nobody; it only has a limit. Exponential times are assumed; constant ones wait about half as long.
 */
export function predictFleet(figures: FleetFigures): FleetPrediction {
  const { workers, concurrency, endpointMs, endpointSlots, threadMs, storeCpuMs, storeCores, machine } = figures
  const limits = capacities(figures)
  const answersAt = (perMs: number): number => {
    const slotsWaitMs = endpointSlots === null ? 0 : meanWaitMs(endpointSlots, perMs, endpointMs)
    const storeWaitMs = meanWaitMs(storeCores, perMs, storeCpuMs)
    const coresWaitMs = machine === null ? 0 : meanWaitMs(machine.cores, perMs, machine.cpuMs)
    if (![slotsWaitMs, storeWaitMs, coresWaitMs].every(Number.isFinite)) return 0
    // Everybody waits for the machine's cores in proportion to what they compute.
    const stretch = machine === null ? 1 : 1 + coresWaitMs / machine.cpuMs
    return (
      workers *
      meanValueAnalysis(
        [
          { name: "endpoint", kind: "delay", demandMs: endpointMs + slotsWaitMs },
          { name: "thread", kind: "queue", demandMs: (threadMs + storeWaitMs) * stretch },
        ],
        concurrency,
      ).perMs
    )
  }
  const most = Math.min(...limits.map(({ perMs }) => perMs), (workers * concurrency) / (endpointMs + threadMs))
  const perMs = crossing((x) => answersAt(x) - x, most)
  const stations = limits.map(({ name, perMs: limit }) => ({
    name,
    mostPerSecond: 1000 * limit,
    utilisation: perMs / limit,
  }))
  const next = stations.reduce((first, second) => (second.utilisation > first.utilisation ? second : first))
  return { perSecond: 1000 * perMs, stations, next }
}

/**
 * The time that makes the model agree with a measurement, in milliseconds.
 *
 * @param figuresOf the fleet with this time, of which it answers the less the longer it is
 * @param most milliseconds
 */
export function calibrateMs(perSecond: number, figuresOf: (ms: number) => FleetFigures, most: number): number {
  return crossing((ms) => predictFleet(figuresOf(ms)).perSecond - perSecond, most)
}

function capacities(figures: FleetFigures): readonly { readonly name: string; readonly perMs: number }[] {
  const { workers, endpointMs, endpointSlots, threadMs, storeCpuMs, storeCores, queueCpuMs, queueCores } = figures
  const { concurrency, machine } = figures
  return [
    { name: "requests in flight", perMs: (workers * concurrency) / (endpointMs + threadMs) },
    { name: "worker threads", perMs: workers / threadMs },
    { name: "store", perMs: storeCores / storeCpuMs },
    { name: "queue", perMs: queueCores / queueCpuMs },
    ...(endpointSlots === null ? [] : [{ name: "endpoint", perMs: endpointSlots / endpointMs }]),
    ...(machine === null ? [] : [{ name: "machine", perMs: machine.cores / machine.cpuMs }]),
  ]
}

/** Where a falling function is 0 between 0 and `most`, by bisection. */
function crossing(value: (x: number) => number, most: number): number {
  let [low, high] = [0, most]
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2
    if (value(middle) > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}
