import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { parseGpuLine, startGpuSampler } from "../../src/serving/gpu.ts"

const folder = mkdtempSync(join(tmpdir(), "evalkit-gpu-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An `nvidia-smi` that prints these lines, a pause between two of them, and waits to be stopped. */
function withFake(name: string, lines: readonly string[]) {
  const bin = join(folder, name)
  const script = ["#!/bin/sh", ...lines.map((line) => `echo "${line}"; sleep 0.05`), "exec sleep 30"].join("\n")
  rmSync(bin, { recursive: true, force: true })
  writeFileSync(bin, script)
  chmodSync(bin, 0o755)
}

async function sampleOf(lines: readonly string[]) {
  withFake("nvidia-smi", lines)
  const sampler = startGpuSampler({ PATH: `${folder}${delimiter}${process.env.PATH}` })
  try {
    await expect.poll(() => sampler.read()?.peakMemoryBytes, { timeout: 20_000 }).toBeDefined()
    await new Promise((resolve) => setTimeout(resolve, 60 * lines.length + 200))
    return { usage: sampler.read(), reason: sampler.reason() }
  } finally {
    sampler.stop()
  }
}

describe.skipIf(process.platform === "win32")("the GPU sampler", () => {
  it("adds memory up over GPUs, and keeps its peak, the mean utilisation and the energy", async () => {
    const { usage, reason } = await sampleOf([
      "0, 1024, 50, 100",
      "1, 512, 0, 20",
      "0, 2048, 100, 100",
      "1, 512, 50, 20",
    ])
    expect(reason).toBeNull()
    expect(usage?.peakMemoryBytes).toBe((2048 + 512) * 1024 * 1024)
    expect(usage?.meanUtilisation).toBeCloseTo(0.5, 9)
    expect(usage?.energyJoules).toBeGreaterThan(0)
    expect(usage?.energyIsValid).toBe(true)
    expect(usage?.meanPowerWatts).toBeGreaterThan(100)
    expect(usage?.meanPowerWatts).toBeLessThan(140)
  })

  it("knows no energy when a report lacks the power, and does not make one up from a single report", async () => {
    const lacking = await sampleOf(["0, 100, 10, 50", "0, 100, 10, [N/A]", "0, 100, 10, 50"])
    expect(lacking.usage).toMatchObject({ energyJoules: null, energyIsValid: false, meanPowerWatts: null })
    const single = await sampleOf(["0, 100, 10, 50"])
    expect(single.usage).toMatchObject({ energyJoules: null, energyIsValid: false })
  })

  it("says why there are no figures", async () => {
    const sampler = startGpuSampler({ PATH: join(folder, "nothing-here") })
    await expect.poll(() => sampler.reason()).toContain("not installed")
    expect(sampler.read()).toBeNull()
    sampler.stop()
  })

  it("reads a line of nvidia-smi, and nothing else", () => {
    expect(parseGpuLine("0, 1024, 50, 71.5", 3)?.gpu).toEqual({
      memoryBytes: 1024 ** 3,
      utilisation: 0.5,
      powerWatts: 71.5,
      atMs: 3,
    })
    expect(parseGpuLine("NVIDIA-SMI has failed", 0)).toBeNull()
    expect(parseGpuLine("", 0)).toBeNull()
  })
})
