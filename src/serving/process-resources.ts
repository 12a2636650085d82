import type { ResourceUsage } from "../core/provider.ts"
import { openRapl, powercapRoot } from "./energy/rapl.ts"
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
 * process exact. GPU figures are those of the GPUs that run one of its processes, through `nvidia-smi`; the processors' energy is that of
 * their RAPL counters, read where a time with requests begins and ends.
 */
export function createProcessSampler(
  pid: number | null,
  environment: Readonly<Record<string, string | undefined>>,
): ProcessSampler {
  const reader: TreeReader | null = pid === null ? null : createTreeReader(pid)
  const windows = createServingWindows()
  const ownProcesses = () => (pid === null ? Promise.resolve(new Set<number>()) : membersOf(pid))
  const gpu = startGpuSampler({ environment, windows, ownProcesses })
  const cpu = createCpuEnergy(environment.EVALKIT_POWERCAP ?? powercapRoot)
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
      if (windows.begin(performance.now())) cpu.begin()
    },
    end() {
      if (windows.end(performance.now())) cpu.end()
    },
    async read() {
      await sample(true)
      const known = last !== null
      return {
        peakRssBytes: known ? peakBytes : null,
        rssOverIdleBytes: idle ? peakSinceIdleBytes - idle.rssBytes : null,
        cpuSeconds: last && first ? last.cpuSeconds : null,
        gpu: gpu.read(),
        cpuEnergy: cpu.read(windows.figures(performance.now())),
        servingMs: windows.figures(performance.now()).servingMs,
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

/** RAPL's counters move about once a millisecond. */
const counterStepSeconds = 0.001

/** The processors' energy between the moments at which a server begins and ends to have requests. */
function createCpuEnergy(root: string) {
  const opened = openRapl(root)
  const reader = "reason" in opened ? null : opened
  let reason = "reason" in opened ? `processor energy: ${opened.reason}` : null
  let sum = 0
  let since: number | null = null
  const now = (): number | null => {
    const joules = reader?.joules() ?? null
    if (reader && joules === null) reason = "processor energy: its counters could not be read any more"
    return joules
  }
  return {
    begin() {
      since = now()
    },
    end() {
      const joules = now()
      if (since !== null && joules !== null) sum += joules - since
      since = null
    },
    /** A counter that went round twice could not be told from one that went round once. */
    poll: () => void now(),
    read({ servingMs, windows }: { readonly servingMs: number; readonly windows: number }) {
      const joules = now()
      const known = reason === null && joules !== null && servingMs > 0
      const total = sum + (since !== null && joules !== null ? joules - since : 0)
      const watts = servingMs > 0 ? (total * 1000) / servingMs : 0
      // Each edge of a window is off by a share of a step that is equally likely everywhere.
      const error = watts * counterStepSeconds * Math.sqrt(windows / 6)
      return {
        joules: known ? total : null,
        errorJoules: known ? error : null,
        reason: known ? null : (reason ?? "processor energy: the server had no request"),
      }
    },
  }
}
