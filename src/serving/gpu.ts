import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { ResourceUsage } from "../core/provider.ts"
import type { ServingWindows } from "./energy/serving-windows.ts"
import { isInstalled } from "./is-installed.ts"
import { type GpuProcess, type GpuReport, gpuQueries, parseGpuLine, parseProcessLine } from "./nvidia-smi.ts"
import { watchRocm } from "./rocm-smi.ts"

const powerEveryMs = 100
const processesEveryMs = 1000
/** Longest time inside a window without a reading for which the energy is still believed. */
const longestGapMs = 2000

/** The GPUs that one process tree uses, while it is sampled. */
export interface GpuSampler {
  /** Null when there is no `nvidia-smi` and no `rocm-smi`, nothing was read yet, or no GPU runs a process of the tree. */
  read(): ResourceUsage["gpu"]
  /** Why it is null; null when it is not. */
  reason(): string | null
  /** The server has loaded its model and had no request yet. */
  markLoaded(): void
  stop(): void
}

/** Options of a sampler. */
export interface GpuSamplerOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** When the server serves: power and use count then only. */
  readonly windows: ServingWindows
  /** Process ids of the variant's server. */
  ownProcesses(): Promise<ReadonlySet<number>>
}

/**
 * Two `nvidia-smi`: one reports each GPU's power ten times a second, the other which processes hold how much of its memory. Only GPUs that run
 * a process of the variant count, only what its processes hold is its memory, and power and use count only while it serves. The power is the
 * momentary one where the driver has it (`power.draw.instant`); else it may be the mean of the last second, and answers shorter than
 * that are mixed with the idle time beside them: `powerIsMean` says so. AMD's GPUs are asked for with `rocm-smi`, a few times a second.
 */
export function startGpuSampler({ environment, windows, ownProcesses }: GpuSamplerOptions): GpuSampler {
  const gpus = new Map<string, GpuReport>()
  const own = new Set<string>()
  const memory = new Map<string, GpuProcess>()
  /** When processes that are not the server's were last seen on a GPU. */
  const foreign = new Map<string, number>()
  /** Processes that are the server's, or were: the driver may list one a while after its end. */
  const ours = new Set<number>()
  const slowed = { n: 0, byHeat: 0, byPowerLimit: 0 }
  let query = 0
  let ownPids: ReadonlySet<number> = new Set()
  let utilisation = { sum: 0, n: 0 }
  /** A GPU of the server's that does not state its power. */
  let withoutPower: GpuReport | null = null
  let peakTemperatureCelsius: number | null = null
  let peakMemoryBytes: number | null = null
  let loadedMemoryBytes: number | null = null
  let failure = "nvidia-smi has reported nothing yet"
  let isStopped = false
  const children: ChildProcess[] = []
  /** Whether a process was seen on a GPU since it was last asked which processes are the server's. */
  let isAsked = true
  const onGpu = (report: GpuReport): void => {
    const atMs = performance.now()
    gpus.set(report.uuid, report)
    if (!own.has(report.uuid)) return
    if (report.watts === null) withoutPower = report
    else windows.power(report.uuid, atMs, report.watts)
    if (!windows.serving(atMs)) return
    if (report.utilisation !== null) utilisation = { sum: utilisation.sum + report.utilisation, n: utilisation.n + 1 }
    if (report.temperatureCelsius !== null)
      peakTemperatureCelsius = Math.max(peakTemperatureCelsius ?? report.temperatureCelsius, report.temperatureCelsius)
    if (report.slowed === null) return
    slowed.n++
    if (report.slowed.byHeat) slowed.byHeat++
    if (report.slowed.byPowerLimit) slowed.byPowerLimit++
  }
  const onProcess = (app: GpuProcess): void => {
    isAsked = true
    if (!ownPids.has(app.pid)) {
      if (!ours.has(app.pid)) foreign.set(`${app.uuid} ${app.pid}`, performance.now())
      return
    }
    own.add(app.uuid)
    if (app.memoryBytes === null) return
    memory.set(`${app.uuid} ${app.pid}`, app)
    let held = 0
    for (const { memoryBytes } of memory.values()) held += memoryBytes ?? 0
    peakMemoryBytes = Math.max(peakMemoryBytes ?? 0, held)
  }

  const notInstalled = "no GPU figures: nvidia-smi and rocm-smi are not installed"
  const start = (args: readonly string[], onLine: (line: string) => void, onEnd: (code: number | null) => void) => {
    if (!isInstalled("nvidia-smi", environment)) {
      failure = notInstalled
      return
    }
    const child = spawn("nvidia-smi", [...args, "--format=csv,noheader,nounits"], {
      env: { ...environment },
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    })
    child.once("error", () => {
      failure = notInstalled
    })
    child.once("exit", onEnd)
    child.unref()
    createInterface({ input: child.stdout }).on("line", (line) => onLine(line.slice(0, 500)))
    children.push(child)
  }

  const startPower = (fields: readonly string[]): void =>
    start(
      [`--query-gpu=${fields.join(",")}`, `-lms=${powerEveryMs}`],
      (line) => {
        const report = parseGpuLine(line, fields)
        if (report) onGpu(report)
      },
      (code) => {
        if (gpus.size > 0 || isStopped) return
        const next = gpuQueries[++query]
        if (code !== null && code !== 0 && next) startPower(next)
        else if (code !== null) failure = `no GPU figures: nvidia-smi ended with exit code ${code}`
      },
    )
  startPower(gpuQueries[0] ?? [])

  start(
    ["--query-compute-apps=gpu_uuid,pid,used_gpu_memory", `-lms=${processesEveryMs}`],
    (line) => {
      const app = parseProcessLine(line)
      if (app) onProcess(app)
    },
    () => {},
  )
  const stopRocm = watchRocm(environment, {
    onGpu,
    onProcess,
    onMissing: () => {},
  })
  // Which processes are the server's is read from the whole process table: only where some process is on a GPU.
  const refresh = () => {
    if (!isAsked) return
    isAsked = false
    void ownProcesses().then(
      (pids) => {
        ownPids = pids
        for (const pid of pids) ours.add(pid)
        // One that began since the last look was taken for another's.
        for (const key of foreign.keys()) if (pids.has(Number(key.split(" ")[1]))) foreign.delete(key)
        // What a process that has ended held is free again.
        for (const [key, { pid }] of memory) if (!pids.has(pid)) memory.delete(key)
      },
      () => {},
    )
  }
  refresh()
  const timer = setInterval(refresh, processesEveryMs)
  timer.unref()

  const sharers = () => new Set([...foreign.keys()].filter((key) => own.has(key.split(" ")[0] as string)))
  return {
    read() {
      if (own.size === 0) return null
      const energy = windows.figures(performance.now())
      const unread = [...own].find((uuid) => !gpus.has(uuid))
      const why = withoutPower
        ? `${withoutPower.name} does not state its power`
        : unread !== undefined
          ? `the power of ${unread.startsWith("MIG-") ? "a part of a GPU (MIG)" : "one of its GPUs"} is not stated`
          : energy.joules === null || energy.longestGapMs > longestGapMs
            ? "the GPU's power was not read often enough while the server had requests"
            : null
      const isKnown = !withoutPower && unread === undefined && energy.joules !== null
      const used = [...own].flatMap((uuid) => gpus.get(uuid) ?? [])
      return {
        peakMemoryBytes,
        memoryAfterLoadBytes: loadedMemoryBytes,
        meanUtilisation: utilisation.n > 0 ? utilisation.sum / utilisation.n : null,
        energyJoules: isKnown ? energy.joules : null,
        energyErrorJoules: isKnown ? energy.errorJoules : null,
        energyIsValid: why === null,
        ...(why !== null && { energyReason: why }),
        meanPowerWatts: isKnown && energy.servingMs > 0 ? ((energy.joules ?? 0) * 1000) / energy.servingMs : null,
        powerIsMean: used.some((gpuReport) => gpuReport.powerIsMean),
        ...(slowed.n > 0 && {
          slowedByHeat: slowed.byHeat / slowed.n,
          slowedByPowerLimit: slowed.byPowerLimit / slowed.n,
        }),
        peakTemperatureCelsius,
        powerLimitWatts: together(used.map(({ powerLimitWatts }) => powerLimitWatts)),
        count: own.size,
        names: [...new Set(used.map(({ name }) => name))],
        driver: used[0]?.driver ?? null,
        sharedWith: sharers().size,
      }
    },
    reason() {
      if (own.size > 0) return null
      if (gpus.size === 0) return failure
      return "no GPU figures: no GPU runs a process of this server that nvidia-smi or rocm-smi can see"
    },
    markLoaded() {
      loadedMemoryBytes = peakMemoryBytes
      // Who was gone before the first request shared nothing that is measured: a server that was stopped to make room for this one.
      const since = performance.now() - 2 * processesEveryMs
      for (const [key, seenMs] of foreign) if (seenMs < since) foreign.delete(key)
    },
    stop() {
      isStopped = true
      stopRocm()
      clearInterval(timer)
      for (const child of children) child.kill("SIGTERM")
    },
  }
}

/** The sum; null where one of them is unknown. */
function together(watts: readonly (number | null)[]): number | null {
  return watts.reduce((sum, watt) => (sum === null || watt === null ? null : sum + watt), 0)
}
