import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { ResourceUsage } from "../core/provider.ts"

const intervalMs = 500
/** Longest time between two reports over which the power may be taken as a straight line. */
const longestGap = 4 * intervalMs

/** GPUs of the machine while it is sampled. */
export interface GpuSampler {
  /** Null when there is no `nvidia-smi` or nothing was read yet. */
  read(): ResourceUsage["gpu"]
  /** Why it is null; null when it is not. */
  reason(): string | null
  stop(): void
}

interface Gpu {
  memoryBytes: number
  utilisation: number
  powerWatts: number | null
  atMs: number
}

/**
 * One `nvidia-smi` that reports twice a second: memory in use (all GPUs together, at its peak), mean utilisation (0..1) and
 * energy, the integral of the power between two reports. Energy is null as soon as one report lacks the power, and not valid
 * when reports stayed away for more than two seconds.
 */
export function startGpuSampler(environment: Readonly<Record<string, string | undefined>>): GpuSampler {
  const gpus = new Map<string, Gpu>()
  let peakMemoryBytes = 0
  let utilisationSum = 0
  let reports = 0
  let energyJoules: number | null = 0
  let poweredSeconds = 0
  let longestGapMs = 0
  let failure = "nvidia-smi has reported nothing yet"

  const child = spawn(
    "nvidia-smi",
    ["--query-gpu=index,memory.used,utilization.gpu,power.draw", "--format=csv,noheader,nounits", `-lms=${intervalMs}`],
    { env: { ...environment }, stdio: ["ignore", "pipe", "ignore"], windowsHide: true },
  )
  child.once("error", () => {
    failure = "no GPU figures: nvidia-smi is not installed"
  })
  child.once("exit", (code) => {
    if (reports === 0) failure = `no GPU figures: nvidia-smi ended with exit code ${code}`
  })
  child.unref()

  createInterface({ input: child.stdout }).on("line", (line) => {
    const report = parseGpuLine(line, performance.now())
    if (!report) return
    const { index, gpu } = report
    const before = gpus.get(index)
    if (gpu.powerWatts === null) energyJoules = null
    else if (before?.powerWatts != null && energyJoules !== null) {
      const seconds = (gpu.atMs - before.atMs) / 1000
      energyJoules += ((before.powerWatts + gpu.powerWatts) / 2) * seconds
      poweredSeconds += seconds
      longestGapMs = Math.max(longestGapMs, seconds * 1000)
    }
    gpus.set(index, gpu)
    reports += 1
    utilisationSum += gpu.utilisation
    peakMemoryBytes = Math.max(
      peakMemoryBytes,
      [...gpus.values()].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    )
  })

  return {
    read() {
      if (reports === 0) return null
      const wasPowered = energyJoules !== null && poweredSeconds > 0
      return {
        peakMemoryBytes,
        meanUtilisation: utilisationSum / reports,
        energyJoules: wasPowered ? energyJoules : null,
        energyIsValid: wasPowered && longestGapMs <= longestGap,
        // Of all GPUs together: each one's energy over the time that they ran side by side.
        meanPowerWatts: wasPowered ? ((energyJoules as number) * gpus.size) / poweredSeconds : null,
      }
    },
    reason: () => (reports === 0 ? failure : null),
    stop: () => void child.kill("SIGTERM"),
  }
}

/** @example parseGpuLine("0, 1024, 50, 71.5", 0)?.gpu.memoryBytes // 1073741824 */
export function parseGpuLine(line: string, atMs: number): { readonly index: string; readonly gpu: Gpu } | null {
  const [index, memory, utilisation, power] = line.split(",").map((field) => field.trim())
  const mebibytes = Number(memory)
  const percent = Number(utilisation)
  if (index === undefined || memory === undefined || Number.isNaN(mebibytes) || Number.isNaN(percent)) return null
  const watts = Number(power)
  return {
    index,
    gpu: {
      memoryBytes: mebibytes * 1024 * 1024,
      utilisation: percent / 100,
      powerWatts: power === undefined || Number.isNaN(watts) ? null : watts,
      atMs,
    },
  }
}
