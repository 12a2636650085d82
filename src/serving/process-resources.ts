import type { ResourceUsage } from "../core/provider.ts"
import { createCpuEnergy } from "./energy/cpu-energy.ts"
import { powercapRoot } from "./energy/rapl.ts"
import { createServingWindows } from "./energy/serving-windows.ts"
import { startGpuSampler } from "./gpu.ts"
import { createTreeReader, membersOf, type TreeReader, type TreeUsage } from "./process-tree.ts"

const intervalMs = 500

/** Memory and CPU of a process tree while it serves, without the model's size and load time. */
export type ProcessUsage = Omit<ResourceUsage, "modelBytes" | "loadMs">

/** Samples a process tree until it is stopped. */
export interface ProcessSampler {
  /** The server is ready and has had no request yet: what it uses now is idle. */
  markIdle(): Promise<void>
  /** A request begins or ends: energy counts in between only. */
  begin(): void
  end(): void
  read(): Promise<ProcessUsage>
  /** Idempotent. */
  stop(): void
}

/**
 * Samples the process `pid` and its descendants twice a second: resident memory (the sum over the processes, so pages that
 * they share count more than once) and CPU time. On Linux the kernel's own high-water mark makes the peak of a single
 * process exact. GPU figures are those of the GPUs that run one of its processes, through `nvidia-smi` or `rocm-smi`; the processors' energy is that of
 * their RAPL counters, read where a time with requests begins and ends, and on a Mac what `powermetrics` reports.
 */
export function createProcessSampler(
  pid: number | null,
  environment: Readonly<Record<string, string | undefined>>,
): ProcessSampler {
  const reader: TreeReader | null = pid === null ? null : createTreeReader(pid)
  const windows = createServingWindows()
  const ownProcesses = () => (pid === null ? Promise.resolve(new Set<number>()) : membersOf(pid))
  const gpu = startGpuSampler({ environment, windows, ownProcesses })
  const root = environment.EVALKIT_POWERCAP ?? powercapRoot
  const cpu = createCpuEnergy({ root, environment, platform: process.platform })
  let first: TreeUsage | null = null
  let last: TreeUsage | null = null
  let idle: TreeUsage | null = null
  let peakBytes = 0
  let peakSinceIdleBytes = 0

  const sample = async (afresh: boolean): Promise<TreeUsage | null> => {
    const usage = (await reader?.read(afresh)) ?? null
    if (!usage) return null
    first ??= usage
    last = usage
    peakBytes = Math.max(peakBytes, usage.rssBytes, usage.highWaterBytes ?? 0)
    if (idle) peakSinceIdleBytes = Math.max(peakSinceIdleBytes, usage.rssBytes, risen(usage, idle))
    return usage
  }
  const timer = setInterval(() => {
    cpu.poll()
    void sample(false)
  }, intervalMs)
  timer.unref()

  return {
    async markIdle() {
      idle = await sample(true)
      peakSinceIdleBytes = idle?.rssBytes ?? 0
      gpu.markLoaded()
    },
    begin() {
      const nowMs = performance.now()
      if (windows.begin(nowMs)) cpu.begin(nowMs)
    },
    end() {
      const nowMs = performance.now()
      if (windows.end(nowMs)) cpu.end(nowMs)
    },
    async read() {
      await sample(true)
      const isKnown = last !== null
      const nowMs = performance.now()
      const serving = windows.figures(nowMs)
      return {
        peakRssBytes: isKnown ? peakBytes : null,
        rssOverIdleBytes: idle ? peakSinceIdleBytes - idle.rssBytes : null,
        cpuSeconds: last && first ? last.cpuSeconds : null,
        gpu: gpu.read(),
        cpuEnergy: cpu.read({ ...serving, nowMs }),
        servingMs: serving.servingMs,
        reason: isKnown ? gpu.reason() : (reader?.reason() ?? "the process could not be started"),
      }
    },
    stop() {
      clearInterval(timer)
      gpu.stop()
      cpu.stop()
    },
  }
}

/** The high-water mark, when it has moved since the process was idle. */
function risen(usage: TreeUsage, idle: TreeUsage): number {
  const mark = usage.highWaterBytes ?? 0
  return mark > (idle.highWaterBytes ?? 0) ? mark : 0
}
