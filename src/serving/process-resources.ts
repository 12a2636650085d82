import type { ResourceUsage } from "../core/provider.ts"
import { startGpuSampler } from "./gpu.ts"
import { createTreeReader, type TreeReader, type TreeUsage } from "./process-tree.ts"

const intervalMs = 500

/** Memory and CPU of a process tree while it serves, without the model's size and load time. */
export type ProcessUsage = Omit<ResourceUsage, "modelBytes" | "loadMs">

/** Samples a process tree until it is stopped. */
export interface ProcessSampler {
  /** The server is ready and has had no request yet: what it uses now is idle. */
  markIdle(): Promise<void>
  read(): Promise<ProcessUsage>
  /** Idempotent. */
  stop(): void
}

/**
 * Samples the process `pid` and its descendants twice a second: resident memory (the sum over the processes, so pages that
 * they share count more than once) and CPU time. On Linux the kernel's own high-water mark makes the peak of a single
 * process exact. GPU figures are those of all GPUs of the machine, through `nvidia-smi`.
 */
export function createProcessSampler(
  pid: number | null,
  environment: Readonly<Record<string, string | undefined>>,
): ProcessSampler {
  const reader: TreeReader | null = pid === null ? null : createTreeReader(pid)
  const gpu = startGpuSampler(environment)
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
  const timer = setInterval(() => void sample(false), intervalMs)
  timer.unref()

  return {
    async markIdle() {
      idle = await sample(true)
      peakSinceIdleBytes = idle?.rssBytes ?? 0
    },
    async read() {
      await sample(true)
      const known = last !== null
      return {
        peakRssBytes: known ? peakBytes : null,
        rssOverIdleBytes: idle ? peakSinceIdleBytes - idle.rssBytes : null,
        cpuSeconds: last && first ? last.cpuSeconds : null,
        gpu: gpu.read(),
        reason: known ? gpu.reason() : (reader?.reason() ?? "the process could not be started"),
      }
    },
    stop() {
      clearInterval(timer)
      gpu.stop()
    },
  }
}

/** The high-water mark, when it has moved since the process was idle. */
function risen(usage: TreeUsage, idle: TreeUsage): number {
  const mark = usage.highWaterBytes ?? 0
  return mark > (idle.highWaterBytes ?? 0) ? mark : 0
}
