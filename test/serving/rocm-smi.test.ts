import { chmodSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "vitest"
import { createPowermetricsParser, startPowermetrics } from "../../src/serving/energy/powermetrics.ts"
import { createServingWindows } from "../../src/serving/energy/serving-windows.ts"
import { startGpuSampler } from "../../src/serving/gpu.ts"
import { parseRocm, parseRocmPidGpus, parseRocmPids } from "../../src/serving/rocm-smi.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()

function executable(name: string, script: string) {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}
const environment = { PATH: `${folder}${delimiter}/usr/bin${delimiter}/bin` }

const cards = JSON.stringify({
  card0: {
    "Unique ID": "0xabc",
    "Card Series": "AMD Instinct MI300X",
    "Current Socket Graphics Package Power (W)": "310.0",
    "GPU use (%)": "50",
  },
  card1: { "Unique ID": "N/A", "Average Graphics Package Power (W)": "90.0", "GPU use (%)": "N/A" },
  system: { "Driver version": "6.8.5" },
})
const pids = JSON.stringify({
  system: { PID4711: "python3, 1, 2147483648, 0, 12", PID99: "a, b, 2, 1024, 0, unknown" },
})
const places =
  "==== GPUs Indexed by PID ====\nPID 4711 is using 1 DRM device(s):\n0 \nPID 99 is using 2 DRM device(s):\n0 1 \nPID 7 is using 0 DRM device(s)\n"

describe("rocm-smi", () => {
  it("is read card by card; what it does not state is unknown", () => {
    expect(parseRocm(`WARNING: AMD GPU device(s) is/are in a low-power state.\n${cards}`)).toEqual([
      {
        index: 0,
        uuid: "ROCm-0xabc",
        name: "AMD Instinct MI300X",
        driver: "6.8.5",
        utilisation: 0.5,
        watts: 310,
        powerIsMean: false,
        slowed: null,
        temperatureCelsius: null,
        powerLimitWatts: null,
      },
      {
        index: 1,
        uuid: "ROCm-card1",
        name: "AMD GPU",
        driver: "6.8.5",
        utilisation: null,
        watts: 90,
        powerIsMean: true,
        slowed: null,
        temperatureCelsius: null,
        powerLimitWatts: null,
      },
    ])
    for (const broken of ["", "{", "[]", "null", '{"card0":null,"cardX":{}}', '{"card0":{"GPU use (%)":"1e400"}}'])
      expect(parseRocm(broken).every(({ watts }) => watts === null)).toBe(true)
  })

  it("says what processes hold, and where they are", () => {
    expect([...parseRocmPids(pids)]).toEqual([
      [4711, 2147483648],
      [99, 1024],
    ])
    expect([...parseRocmPidGpus(places)]).toEqual([
      [4711, [0]],
      [99, [0, 1]],
    ])
    expect(parseRocmPids("nothing").size + parseRocmPidGpus("PID x is using 1 DRM device(s):").size).toBe(0)
  })

  it.skipIf(process.platform === "win32")("gives the energy and memory of the process's own GPU", async () => {
    executable(
      "rocm-smi",
      `case "$*" in *showpids*) echo '${pids}';; *showpidgpus*) printf '${places.replaceAll("\n", "\\n")}';; *) echo '${cards}';; esac`,
    )
    const windows = createServingWindows()
    const ownProcesses = () => Promise.resolve(new Set([4711]))
    const sampler = startGpuSampler({ environment, windows, ownProcesses })
    try {
      windows.begin(performance.now())
      await expect.poll(() => sampler.read()?.energyJoules ?? null, { timeout: 30_000 }).not.toBeNull()
      windows.end(performance.now())
      expect(sampler.read()).toMatchObject({
        peakMemoryBytes: 2147483648,
        names: ["AMD Instinct MI300X"],
        driver: "6.8.5",
        powerIsMean: false,
        sharedWith: 1,
      })
      expect(sampler.read()?.meanPowerWatts).toBeCloseTo(310, 9)
    } finally {
      sampler.stop()
    }
  })
})

describe("powermetrics", () => {
  it("is read as the whole chip's power over the time that it states", () => {
    const parse = createPowermetricsParser()
    const lines = [
      "*** Sampled system activity (Fri Sep 11 13:41:46 2026 -0700) (102.90ms elapsed) ***",
      "CPU Power: 823 mW",
      "GPU Power: 26 mW",
      "ANE Power: 323 mW",
      "Combined Power (CPU + GPU + ANE): 1172 mW",
      "Current pressure level: Nominal",
    ]
    const powers = lines.map(parse).filter((power) => power !== null)
    expect(powers).toHaveLength(1)
    expect(powers[0]?.watts).toBeCloseTo(1.172, 12)
    expect(powers[0]?.overMs).toBe(102.9)
    expect(parse("Intel energy model derived package power (CPUs+GT+SA): 2.48W")?.watts).toBeCloseTo(2.48, 12)
    expect(parse("Combined Power (CPU + GPU + ANE): many mW")).toBeNull()
  })

  it.skipIf(process.platform === "win32")("says why there are no figures: not root, or not installed", async () => {
    executable("powermetrics", 'echo "powermetrics must be invoked as the superuser" >&2; exit 1')
    const refused = startPowermetrics(environment, () => {})
    await expect.poll(() => refused.reason(), { timeout: 20_000 }).toContain("only root may run it")
    refused.stop()
    executable("powermetrics", 'while :; do echo "Combined Power (CPU + GPU + ANE): 5000 mW"; sleep 0.02; done')
    const watts: number[] = []
    const running = startPowermetrics(environment, (power) => watts.push(power.watts))
    await expect.poll(() => watts.length, { timeout: 20_000 }).toBeGreaterThan(2)
    expect(running.reason()).toBeNull()
    expect(new Set(watts)).toEqual(new Set([5]))
    running.stop()
    const absent = startPowermetrics({ PATH: join(folder, "nothing-here") }, () => {})
    await expect.poll(() => absent.reason()).toContain("not installed")
    absent.stop()
  })
})
