import { monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks"
import type { ClientLoad } from "../../core/client-load.ts"

/** Watches the event loop of this thread from now until `stop`. */
export function monitorClient(): { stop(): ClientLoad } {
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  let gcMs = 0
  let gcCount = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      gcMs += entry.duration
      gcCount++
    }
  })
  observer.observe({ entryTypes: ["gc"] })
  delay.enable()
  const startMs = performance.now()
  const utilisation = performance.eventLoopUtilization()
  const usage = process.resourceUsage()
  return {
    stop() {
      delay.disable()
      observer.disconnect()
      const after = process.resourceUsage()
      const cpuMicroseconds = after.userCPUTime - usage.userCPUTime + after.systemCPUTime - usage.systemCPUTime
      return {
        loops: 1,
        eventLoopUtilisation: performance.eventLoopUtilization(utilisation).utilization,
        // The histogram holds the whole interval between two looks, of which `resolution` was asked for.
        eventLoopDelayMsP99: Math.max(0, delay.percentile(99) / 1e6 - delayResolutionMs),
        gcMs,
        gcCount,
        involuntaryContextSwitches:
          process.platform === "win32" ? null : after.involuntaryContextSwitches - usage.involuntaryContextSwitches,
        cpuSeconds: cpuMicroseconds / 1e6,
        durationMs: performance.now() - startMs,
      }
    },
  }
}

const delayResolutionMs = 10
