import { chmodSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "vitest"
import { createServingWindows } from "../../src/serving/energy/serving-windows.ts"
import { startGpuSampler } from "../../src/serving/gpu.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()

/** An `nvidia-smi` that prints these two files again and again. */
function say(power: string, processes: string): void {
  writeFileSync(join(folder, "power"), power)
  writeFileSync(join(folder, "processes"), processes)
  rmSync(join(folder, "nvidia-smi"), { force: true })
  writeFileSync(
    join(folder, "nvidia-smi"),
    `#!/bin/sh
case "$*" in *query-gpu*) what=power;; *) what=processes;; esac
while :; do cat "${folder}/$what"; sleep 0.05; done`,
  )
  chmodSync(join(folder, "nvidia-smi"), 0o755)
}

async function withSampler(
  own: Set<number>,
  look: (sampler: ReturnType<typeof startGpuSampler>) => Promise<void>,
): Promise<void> {
  const windows = createServingWindows()
  windows.begin(performance.now())
  const sampler = startGpuSampler({
    environment: { PATH: `${folder}${delimiter}${process.env.PATH}` },
    windows,
    ownProcesses: () => Promise.resolve(new Set(own)),
  })
  try {
    await look(sampler)
  } finally {
    sampler.stop()
  }
}

const mebibyte = 1024 * 1024
const limit = { timeout: 20_000 }

describe.skipIf(process.platform === "win32")("the GPU sampler", () => {
  it("does not add what a process held that has ended to what its successor holds", async () => {
    say("GPU-a, H100, 560.1, 50, 300, 300, 0x0, 50, 700\n", "GPU-a, 11, 8000\n")
    const own = new Set([11])
    await withSampler(own, async (sampler) => {
      await expect.poll(() => sampler.read()?.peakMemoryBytes, limit).toBe(8000 * mebibyte)
      // The server ends its worker and starts another one.
      say("GPU-a, H100, 560.1, 50, 300, 300, 0x0, 50, 700\n", "")
      own.delete(11)
      own.add(12)
      await new Promise((resolve) => setTimeout(resolve, 2200))
      say("GPU-a, H100, 560.1, 50, 300, 300, 0x0, 50, 700\n", "GPU-a, 12, 8500\n")
      await expect.poll(() => sampler.read()?.peakMemoryBytes, limit).toBeGreaterThan(8000 * mebibyte)
      await new Promise((resolve) => setTimeout(resolve, 1200))
      expect(sampler.read()?.peakMemoryBytes).toBe(8500 * mebibyte)
    })
  })

  it("counts GPUs of one name as several, and adds up what they draw", async () => {
    const line = (uuid: string) => `${uuid}, NVIDIA H100, 560.1, 50, 300, 300, 0x0, 50, 700\n`
    say(line("GPU-a") + line("GPU-b") + line("GPU-c"), "GPU-a, 11, 100\nGPU-b, 11, 100\nGPU-c, 99, 100\n")
    await withSampler(new Set([11]), async (sampler) => {
      await expect.poll(() => sampler.read()?.count, limit).toBe(2)
      expect(sampler.read()?.names).toEqual(["NVIDIA H100"])
      await expect.poll(() => Math.round(sampler.read()?.meanPowerWatts ?? 0), limit).toBe(600)
    })
  })

  it("says of a GPU that does not state its power that it does not", async () => {
    say("GPU-a, Tesla T4, 550.54, 10, [N/A], [N/A], 0x0, 40, [N/A]\n", "GPU-a, 11, 100\n")
    await withSampler(new Set([11]), async (sampler) => {
      await expect.poll(() => sampler.read()?.energyReason, limit).toBe("Tesla T4 does not state its power")
      expect(sampler.read()).toMatchObject({ energyJoules: null, energyIsValid: false })
    })
  })

  it("says of a part of a GPU that its power is not stated, and gives it no part of another GPU's", async () => {
    const whole = "GPU-a, A100-SXM4-40GB, 560.1, [N/A], 90, 90, 0x0, 40, 400\n"
    say(whole, "MIG-5c89852c-d268-c3f3-1b07-005d5ae1dc3f, 11, 4000\nGPU-a, 11, [N/A]\n")
    await withSampler(new Set([11]), async (sampler) => {
      await expect.poll(() => sampler.read()?.names, limit).toEqual(["A100-SXM4-40GB"])
      expect(sampler.read()).toMatchObject({
        energyJoules: null,
        energyIsValid: false,
        energyReason: "the power of a part of a GPU (MIG) is not stated",
      })
    })
  })

  it("has no energy of lines that are none, and says so", async () => {
    say(
      "GPU-a, H100\n\u0000\u0007garbage,,,\nGPU-a, H100, 560.1, 1e9, -300, NaN, 0x0\n",
      "GPU-a, 11, 100\nGPU-a, x, y\n",
    )
    await withSampler(new Set([11]), async (sampler) => {
      await expect.poll(() => sampler.read()?.energyReason, limit).toContain("does not state its power")
      expect(sampler.read()).toMatchObject({ energyJoules: null, meanUtilisation: null, energyIsValid: false })
    })
  })
})
