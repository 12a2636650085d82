import type { ClientLoad } from "../../core/client-load.ts"

/** Loads of loops that ran at the same time in one process: the busiest share, the worst delay, all collections. */
export function parallelLoads(loads: readonly ClientLoad[]): ClientLoad {
  const max = (pick: (load: ClientLoad) => number) => Math.max(0, ...loads.map(pick))
  return {
    ...added(loads),
    loops: loads.length,
    eventLoopUtilisation: max((load) => load.eventLoopUtilisation),
    // The system counts these for the whole process: every loop has seen them all.
    involuntaryContextSwitches: switchesOf(loads, (counts) => Math.max(0, ...counts)),
    cpuSeconds: max((load) => load.cpuSeconds),
    durationMs: max((load) => load.durationMs),
  }
}

/** Loads of one arrangement at different times: shares weighted by their time, the worst delay, sums of the rest. */
export function successiveLoads(loads: readonly ClientLoad[]): ClientLoad {
  const durationMs = loads.reduce((sum, load) => sum + load.durationMs, 0)
  const busyMs = loads.reduce((sum, load) => sum + load.eventLoopUtilisation * load.durationMs, 0)
  return {
    ...added(loads),
    loops: Math.max(1, ...loads.map((load) => load.loops)),
    eventLoopUtilisation: durationMs === 0 ? 0 : busyMs / durationMs,
    involuntaryContextSwitches: switchesOf(loads, (counts) => counts.reduce((sum, count) => sum + count, 0)),
    cpuSeconds: loads.reduce((sum, load) => sum + load.cpuSeconds, 0),
    durationMs,
  }
}

function added(loads: readonly ClientLoad[]) {
  return {
    eventLoopDelayMsP99: Math.max(0, ...loads.map((load) => load.eventLoopDelayMsP99)),
    gcMs: loads.reduce((sum, load) => sum + load.gcMs, 0),
    gcCount: loads.reduce((sum, load) => sum + load.gcCount, 0),
  }
}

function switchesOf(loads: readonly ClientLoad[], join: (counts: readonly number[]) => number): number | null {
  const counts = loads.flatMap((load) => load.involuntaryContextSwitches ?? [])
  return counts.length < loads.length ? null : join(counts)
}
