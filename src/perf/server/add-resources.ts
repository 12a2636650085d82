import type { ResourceUsage } from "../../core/provider.ts"
import { serverReasons } from "../../words/perf/server.ts"
import { sum } from "./server-timings.ts"

type Gpu = NonNullable<ResourceUsage["gpu"]>

/**
 * Resources of a run that several servers served one after the other (a resumed run, a server that was started again): peaks are
 * the highest, processor time and energy add up, and a sum of which a part is not known is not known. The rest is the later one's.
 */
export function addResources(before: ResourceUsage | null, now: ResourceUsage): ResourceUsage {
  if (!before) return now
  return {
    ...now,
    peakRssBytes: highest(before.peakRssBytes, now.peakRssBytes),
    rssOverIdleBytes: highest(before.rssOverIdleBytes, now.rssOverIdleBytes),
    cpuSeconds: sum(before.cpuSeconds, now.cpuSeconds),
    gpu: addGpu(before.gpu, now.gpu),
    ...addCpu(before, now),
  }
}

/** Both are absent in records of older versions. */
function addCpu(before: ResourceUsage, now: ResourceUsage): Pick<ResourceUsage, "cpuEnergy" | "servingMs"> {
  if (!now.cpuEnergy || now.servingMs === undefined) return {}
  const earlier: NonNullable<ResourceUsage["cpuEnergy"]> = before.cpuEnergy ?? {
    joules: null,
    errorJoules: null,
    reason: null,
  }
  const source = now.cpuEnergy.source ?? earlier.source
  return {
    cpuEnergy: {
      ...(source !== undefined && { source }),
      joules: sum(earlier.joules, now.cpuEnergy.joules),
      errorJoules: sum(earlier.errorJoules, now.cpuEnergy.errorJoules),
      reason: earlier.reason ?? now.cpuEnergy.reason,
    },
    servingMs: (before.servingMs ?? 0) + now.servingMs,
  }
}

function addGpu(before: Gpu | null, now: Gpu | null): Gpu | null {
  if (!before || !now) {
    const totals = before ?? now
    const energyReason = totals?.energyReason ?? serverReasons.gpuPartlyRead
    return totals && { ...totals, energyJoules: null, energyIsValid: false, energyReason, meanPowerWatts: null }
  }
  const energyJoules = sum(before.energyJoules, now.energyJoules)
  const [secondsBefore, secondsNow] = [secondsOf(before), secondsOf(now)]
  const seconds = sum(secondsBefore, secondsNow)
  const weight = seconds === null || secondsNow === null ? 0.5 : secondsNow / seconds
  const mean = (a: number | null, b: number | null) => (a === null || b === null ? null : a * (1 - weight) + b * weight)
  const energyReason = before.energyReason ?? now.energyReason
  return {
    ...now,
    ...(energyReason !== undefined && { energyReason }),
    peakMemoryBytes: highest(before.peakMemoryBytes, now.peakMemoryBytes),
    ...(before.count !== undefined && now.count !== undefined && { count: Math.max(before.count, now.count) }),
    meanUtilisation: mean(before.meanUtilisation, now.meanUtilisation),
    energyJoules,
    energyErrorJoules: sum(before.energyErrorJoules ?? null, now.energyErrorJoules ?? null),
    ...(before.slowedByHeat !== undefined &&
      now.slowedByHeat !== undefined && { slowedByHeat: mean(before.slowedByHeat, now.slowedByHeat) ?? 0 }),
    ...(before.slowedByPowerLimit !== undefined &&
      now.slowedByPowerLimit !== undefined && {
        slowedByPowerLimit: mean(before.slowedByPowerLimit, now.slowedByPowerLimit) ?? 0,
      }),
    ...((before.peakTemperatureCelsius ?? now.peakTemperatureCelsius) != null && {
      peakTemperatureCelsius: highest(before.peakTemperatureCelsius ?? null, now.peakTemperatureCelsius ?? null),
    }),
    powerIsMean: before.powerIsMean === true || now.powerIsMean === true,
    sharedWith: Math.max(before.sharedWith ?? 0, now.sharedWith ?? 0),
    energyIsValid: energyJoules !== null && before.energyIsValid === true && now.energyIsValid === true,
    meanPowerWatts: energyJoules === null || seconds === null ? null : energyJoules / seconds,
  }
}

/** How long the power was read; null where it was not. */
function secondsOf({ energyJoules, meanPowerWatts }: Gpu): number | null {
  return energyJoules !== null && meanPowerWatts ? energyJoules / meanPowerWatts : null
}

function highest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b)
}
