import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { openRapl } from "../../src/serving/energy/rapl.ts"
import { createServingWindows } from "../../src/serving/energy/serving-windows.ts"
import { startGpuSampler } from "../../src/serving/gpu.ts"
import { gpuQueries, parseGpuLine, parseProcessLine } from "../../src/serving/nvidia-smi.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()

const ownPid = 4711

/** An `nvidia-smi` that answers the two questions with these lines, again and again. */
function withFake(power: readonly string[], processes: readonly string[], refuses = "no such field") {
  const say = (lines: readonly string[]) => lines.map((line) => `echo "${line}"`).join("; ") || "true"
  const script = `#!/bin/sh
case "$*" in
  *${refuses.replaceAll(" ", "?")}*) echo "Field is not a valid field to query."; exit 2;;
  *query-gpu*) while :; do ${say(power)}; sleep 0.02; done;;
  *) while :; do ${say(processes)}; sleep 0.02; done;;
esac`
  rmSync(join(folder, "nvidia-smi"), { force: true })
  writeFileSync(join(folder, "nvidia-smi"), script)
  chmodSync(join(folder, "nvidia-smi"), 0o755)
}

/** Serves until the sampler has what is waited for. */
async function served(until: (usage: ReturnType<ReturnType<typeof startGpuSampler>["read"]>) => boolean) {
  const windows = createServingWindows()
  const sampler = startGpuSampler({
    environment: { PATH: `${folder}${delimiter}${process.env.PATH}` },
    windows,
    ownProcesses: () => Promise.resolve(new Set([ownPid])),
  })
  try {
    windows.begin(performance.now())
    await expect.poll(() => until(sampler.read()), { timeout: 20_000 }).toBe(true)
    windows.end(performance.now())
    const usage = sampler.read()
    return { usage, reason: sampler.reason(), seconds: windows.figures(0).servingMs / 1000 }
  } finally {
    sampler.stop()
  }
}

describe.skipIf(process.platform === "win32")("the GPU sampler", () => {
  it("counts the GPUs of its own processes only: memory, power, use, name and driver", async () => {
    withFake(
      ["GPU-a, NVIDIA H100, 550.54, 50, 310.5", "GPU-b, NVIDIA H100, 550.54, 100, 700"],
      [`GPU-a, ${ownPid}, 2048`, "GPU-b, 99, 4096", "GPU-a, 98, 512"],
    )
    const { usage, reason, seconds } = await served((usage) => usage !== null && usage.energyJoules !== null)
    expect(reason).toBeNull()
    expect(usage).toMatchObject({
      peakMemoryBytes: 2048 * 1024 * 1024,
      meanUtilisation: 0.5,
      names: ["NVIDIA H100"],
      driver: "550.54",
      powerIsMean: false,
      sharedWith: 1,
    })
    expect(usage?.meanPowerWatts).toBeCloseTo(310.5, 9)
    expect(usage?.energyJoules).toBeCloseTo(310.5 * seconds, 6)
  })

  it("takes the mean power of a driver that has no momentary one, and says so", async () => {
    withFake(["GPU-a, RTX, 470.1, 10, 100"], [`GPU-a, ${ownPid}, [N/A]`], "power.draw.instant")
    const { usage } = await served((usage) => usage !== null && usage.energyJoules !== null)
    expect(usage).toMatchObject({ powerIsMean: true, peakMemoryBytes: null })
    expect(usage?.meanPowerWatts).toBeCloseTo(100, 9)
  })

  it("takes the other power of a card that has no momentary one, and says how often heat held its clocks down", async () => {
    withFake(["GPU-a, GTX 1080, 560.1, 10, [N/A], 100, 0x0000000000000040"], [`GPU-a, ${ownPid}, 100`])
    const { usage } = await served((usage) => usage !== null && usage.energyJoules !== null)
    expect(usage).toMatchObject({ powerIsMean: true, slowedByHeat: 1, slowedByPowerLimit: 0 })
    expect(usage?.meanPowerWatts).toBeCloseTo(100, 9)
  })

  it("keeps the hottest reading and what the GPUs may draw together; one that states no limit leaves it unknown", async () => {
    const own = [`GPU-a, ${ownPid}, 100`, `GPU-b, ${ownPid}, 100`]
    const lines = (limit: string) => [
      "GPU-a, H100, 560.1, 10, 300, 300, 0x0, 61, 700.00",
      `GPU-b, H100, 560.1, 10, 300, 300, 0x0, 74, ${limit}`,
    ]
    const isRead = (usage: ReturnType<ReturnType<typeof startGpuSampler>["read"]>) =>
      usage?.peakTemperatureCelsius === 74 && usage.names?.length === 1
    withFake(lines("650.50"), own)
    expect((await served(isRead)).usage).toMatchObject({ peakTemperatureCelsius: 74, powerLimitWatts: 1350.5 })
    withFake(lines("[N/A]"), own)
    expect((await served(isRead)).usage).toMatchObject({ powerLimitWatts: null })
  })

  it("knows neither where the driver states neither", async () => {
    withFake(["GPU-a, T4, 550.54, 10, 60, 60, 0x0, [N/A], [Not Supported]"], [`GPU-a, ${ownPid}, 100`])
    const { usage } = await served((usage) => usage !== null && usage.meanUtilisation !== null)
    expect(usage).toMatchObject({ peakTemperatureCelsius: null, powerLimitWatts: null, slowedByHeat: 0 })
  })

  /** A sampler over one GPU whose processes are these, told by `own` which of them are the server's. */
  const sampled = (own: () => ReadonlySet<number>, processes: readonly string[]) => {
    withFake(["GPU-a, H100, 560.1, 10, 300, 300, 0x0"], processes)
    return startGpuSampler({
      environment: { PATH: `${folder}${delimiter}${process.env.PATH}` },
      windows: createServingWindows(),
      ownProcesses: () => Promise.resolve(own()),
    })
  }

  it("takes a process of the server's that has ended for nobody else's, while the driver still lists it", async () => {
    let looks = 0
    const own = () => new Set(++looks < 2 ? [ownPid, 4712] : [ownPid])
    const sampler = sampled(own, [`GPU-a, ${ownPid}, 100`, "GPU-a, 4712, 100"])
    try {
      await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(3)
      expect(sampler.read()?.sharedWith).toBe(0)
    } finally {
      sampler.stop()
    }
  })

  it("forgets who left the GPU before the model was loaded, and no one who stayed", async () => {
    const gone = join(folder, "gone")
    const own = () => new Set([ownPid])
    const other = `$(test -e '${gone}' || echo GPU-a, 98, 100)`
    const sampler = sampled(own, [`GPU-a, ${ownPid}, 100`, "GPU-a, 99, 100", other])
    try {
      await expect.poll(() => sampler.read()?.sharedWith, { timeout: 20_000 }).toBe(2)
      sampler.markLoaded()
      expect(sampler.read()?.sharedWith).toBe(2)
      writeFileSync(gone, "")
      const loaded = () => {
        sampler.markLoaded()
        return sampler.read()?.sharedWith
      }
      await expect.poll(loaded, { timeout: 20_000 }).toBe(1)
    } finally {
      sampler.stop()
      rmSync(gone, { force: true })
    }
  })

  it("asks an older driver for the reasons by their older name", async () => {
    withFake(["GPU-a, T4, 525.1, 10, 70, 71, 0x0000000000000004"], [`GPU-a, ${ownPid}, 100`], "clocks_event_reasons")
    const { usage } = await served((usage) => usage !== null && usage.energyJoules !== null)
    expect(usage).toMatchObject({ powerIsMean: false, slowedByHeat: 0, slowedByPowerLimit: 1 })
    expect(usage?.meanPowerWatts).toBeCloseTo(70, 9)
  })

  it("knows no energy when a report lacks the power", async () => {
    withFake(["GPU-a, T4, 550.54, 10, [N/A]"], [`GPU-a, ${ownPid}, 100`])
    const { usage } = await served((usage) => usage !== null && usage.meanUtilisation !== null)
    expect(usage).toMatchObject({ energyJoules: null, energyErrorJoules: null, energyIsValid: false })
  })

  it("says why there are no figures: no nvidia-smi, or none of its GPUs", async () => {
    const windows = createServingWindows()
    const own = { windows, ownProcesses: () => Promise.resolve(new Set([ownPid])) }
    const absent = startGpuSampler({ environment: { PATH: join(folder, "nothing-here") }, ...own })
    await expect.poll(() => absent.reason()).toContain("not installed")
    expect(absent.read()).toBeNull()
    absent.stop()
    withFake(["GPU-a, H100, 550.54, 50, 310.5"], ["GPU-a, 98, 512"])
    const others = startGpuSampler({ environment: { PATH: `${folder}${delimiter}${process.env.PATH}` }, ...own })
    await expect.poll(() => others.reason(), { timeout: 20_000 }).toContain("no GPU runs a process of this server")
    expect(others.read()).toBeNull()
    others.stop()
  })

  it("reads the lines of nvidia-smi, and nothing else", () => {
    expect(parseGpuLine("GPU-1, NVIDIA H100, 550.54, 50, 71.5")).toEqual({
      uuid: "GPU-1",
      name: "NVIDIA H100",
      driver: "550.54",
      utilisation: 0.5,
      watts: 71.5,
      powerIsMean: false,
      slowed: null,
      temperatureCelsius: null,
      powerLimitWatts: null,
    })
    expect(parseGpuLine("GPU-1, T4, 1, [Not Supported], [N/A]")).toMatchObject({ utilisation: null, watts: null })
    // A card that has no momentary power states the other one, which may be a mean.
    expect(parseGpuLine("GPU-1, GTX 1080, 560.1, 5, [N/A], 88.25, 0x0000000000000001")).toMatchObject({
      watts: 88.25,
      powerIsMean: true,
      slowed: { byHeat: false, byPowerLimit: false },
    })
    expect(parseGpuLine("GPU-1, T4, 470.1, 5, 60, 0x0000000000000004", gpuQueries[2])).toMatchObject({
      watts: 60,
      slowed: { byHeat: false, byPowerLimit: true },
    })
    const reasons = (bits: string) => parseGpuLine(`GPU-1, H100, 550.54, 5, 60, 61, ${bits}`)?.slowed
    expect(reasons("0x0000000000000020")).toEqual({ byHeat: true, byPowerLimit: false })
    expect(reasons("0x48")).toEqual({ byHeat: true, byPowerLimit: false })
    expect([reasons("[N/A]"), reasons("Not Active"), reasons("0x")]).toEqual([null, null, null])
    expect(parseGpuLine("NVIDIA-SMI has failed")).toBeNull()
    expect(parseGpuLine("GPU-1, x, y, 5")).toBeNull()
    expect(parseProcessLine("GPU-1, 12, 1024")).toEqual({ uuid: "GPU-1", pid: 12, memoryBytes: 1024 ** 3 })
    expect(parseProcessLine("GPU-1, -1, 5")).toBeNull()
  })
})

describe("the processors' energy counters", () => {
  const root = join(folder, "powercap")
  const write = (zone: string, microjoules: number) => {
    mkdirSync(join(root, zone), { recursive: true })
    writeFileSync(join(root, zone, "energy_uj"), `${microjoules}\n`)
    writeFileSync(join(root, zone, "max_energy_range_uj"), "262143328850\n")
  }

  it("are added up over packages, without their parts, and across the end of their range", () => {
    write("intel-rapl:0", 262_143_000_000)
    write("intel-rapl:1", 1_000_000)
    write("intel-rapl:0:0", 5_000_000)
    const rapl = openRapl(root)
    if ("reason" in rapl) throw new Error(rapl.reason)
    expect(rapl.joules()).toBe(0)
    write("intel-rapl:0", 671_150)
    write("intel-rapl:1", 3_000_000)
    write("intel-rapl:0:0", 900_000_000)
    expect(rapl.joules()).toBeCloseTo(1 + 2, 9)
    write("intel-rapl:1", 4_000_000)
    expect(rapl.joules()).toBeCloseTo(4, 9)
  })

  it("are unknown, with the reason, where there are none or they hold no number", () => {
    expect(openRapl(join(folder, "nowhere"))).toEqual({ reason: "the system shows no energy counters (RAPL)" })
    mkdirSync(join(folder, "broken", "intel-rapl:0"), { recursive: true })
    writeFileSync(join(folder, "broken", "intel-rapl:0", "energy_uj"), "many")
    expect(openRapl(join(folder, "broken"))).toMatchObject({ reason: expect.stringContaining("may not be read") })
  })
})

describe("the GPU sampler where there is no GPU", () => {
  it("reads the process table once, however long the server runs", () => {
    vi.useFakeTimers()
    const ownProcesses = vi.fn(() => Promise.resolve(new Set([ownPid])))
    const sampler = startGpuSampler({
      environment: { PATH: "/nowhere" },
      windows: createServingWindows(),
      ownProcesses,
    })
    try {
      vi.advanceTimersByTime(60_000)
      expect(ownProcesses).toHaveBeenCalledTimes(1)
      expect(sampler.read()).toBeNull()
    } finally {
      sampler.stop()
      vi.useRealTimers()
    }
  })
})
