import type { Generation } from "evalkit"
import { figureValue } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { createEnergyCounter } from "../../../src/analyse/summary/energy-figures.ts"
import type { ResourceUsage } from "../../../src/core/provider.ts"
import { createServingWindows } from "../../../src/serving/energy/serving-windows.ts"

const usage = { promptTokens: 5, cachedPromptTokens: null, completionTokens: 20, reasoningTokens: null }
const answer = (changes: Partial<Pick<Generation, "source" | "outcome" | "usage">> = {}) => ({
  source: "measured" as const,
  outcome: "ok" as const,
  usage,
  ...changes,
})

/** What a server used: 300 W of its GPU and 100 W of the processors while it answered. */
function resourcesOf(answerMs: number, answers: number): ResourceUsage {
  const windows = createServingWindows()
  let atMs = 0
  for (let i = 0; i < answers; i++) {
    windows.begin(atMs)
    for (let ms = 0; ms < answerMs; ms += 40) windows.power("GPU-a", atMs + ms, 300)
    windows.end(atMs + answerMs)
    windows.power("GPU-a", atMs + answerMs + 20, 60)
    atMs += answerMs + 700
  }
  const { joules, errorJoules, servingMs } = windows.figures(atMs)
  return {
    peakRssBytes: 1e9,
    rssOverIdleBytes: null,
    cpuSeconds: 1,
    modelBytes: null,
    loadMs: 5000,
    reason: null,
    servingMs,
    gpu: {
      peakMemoryBytes: 2e9,
      meanUtilisation: 0.9,
      energyJoules: joules,
      energyErrorJoules: errorJoules,
      energyIsValid: true,
    },
    cpuEnergy: { joules: (servingMs / 1000) * 100, errorJoules: 0, reason: null },
  }
}

describe("the energy of a variant", () => {
  it.each([50, 200, 1000, 10_000])("is within 2 % of the truth for each answer of %d ms", (answerMs) => {
    const counter = createEnergyCounter()
    for (let i = 0; i < 20; i++) counter.add(answer(), i < 15 ? 1 : 0)
    counter.add(answer({ source: "replayed" }), 1)
    const figures = counter.figures(resourcesOf(answerMs, 20), "")
    const truth = 0.4 * answerMs
    const close = (value: number | null, expected: number) => Math.abs((value ?? 0) / expected - 1) < 0.02
    expect(close(figureValue(figures.joulesPerAnswer), truth)).toBe(true)
    expect(close(figureValue(figures.joulesPerToken), truth / 20)).toBe(true)
    expect(close(figureValue(figures.joulesPerCorrect), (truth * 20) / 15)).toBe(true)
    expect(close(figureValue(figures.meanWatts), 400)).toBe(true)
    expect(figureValue(figures.gpuMemoryBytes)).toBe(2e9)
  })

  it("stays unknown, with the reason, where nothing was read", () => {
    const counter = createEnergyCounter()
    counter.add(answer(), 1)
    const reason = "no GPU figures: nvidia-smi is not installed"
    const none: ResourceUsage = {
      ...resourcesOf(50, 1),
      gpu: null,
      reason,
      cpuEnergy: { joules: null, errorJoules: null, reason: "processor energy: the system shows no counters" },
    }
    const { energyJoules, joulesPerCorrect, gpuMemoryBytes } = counter.figures(none, "")
    const unknown = { status: "unknown", reason: `${reason}; processor energy: the system shows no counters` }
    expect([energyJoules, joulesPerCorrect]).toEqual([unknown, unknown])
    expect(gpuMemoryBytes).toEqual({ status: "unknown", reason })
    expect(counter.figures(null, "hosted elsewhere").energyJoules).toMatchObject({ reason: "hosted elsewhere" })
  })

  it("says what is left out, who else used the GPU, and that a driver's power is a mean", () => {
    const counter = createEnergyCounter(0.1)
    counter.add(answer({ usage: { ...usage, completionTokens: null } }), null)
    const resources = resourcesOf(1000, 1)
    const gpu = resources.gpu && { ...resources.gpu, energyErrorJoules: 10, sharedWith: 2, powerIsMean: true }
    const cpuEnergy = { joules: null, errorJoules: null, reason: "only root may read them" }
    const { energyJoules, joulesPerToken, joulesPerCorrect } = counter.figures({ ...resources, gpu, cpuEnergy }, "")
    expect(energyJoules).toMatchObject({
      value: 300,
      low: expect.closeTo(300 - 16.449, 3),
      method: expect.stringContaining("without the processors (only root may read them)"),
      warning: expect.stringContaining("2 other processes used the same GPUs"),
    })
    expect(joulesPerToken).toMatchObject({ reason: "some answers came without a token count" })
    expect(joulesPerCorrect).toMatchObject({ reason: "no metric says which answers are correct" })
    const sparse = gpu && { ...gpu, energyIsValid: false }
    expect(counter.figures({ ...resources, gpu: sparse }, "").energyJoules.status).toBe("unknown")
  })
})
