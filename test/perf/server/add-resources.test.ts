import { describe, expect, it } from "vitest"
import type { ResourceUsage } from "../../../src/core/provider.ts"
import { addResources } from "../../../src/perf/server/add-resources.ts"

const gpu = {
  peakMemoryBytes: 10,
  meanUtilisation: 0.5,
  energyJoules: 100,
  energyIsValid: true,
  meanPowerWatts: 10,
  energyErrorJoules: 3,
  powerIsMean: false,
  sharedWith: 0,
}
const usage: ResourceUsage = {
  peakRssBytes: 100,
  rssOverIdleBytes: 10,
  cpuSeconds: 3,
  gpu,
  modelBytes: 7,
  loadMs: 5,
  reason: null,
}

describe("addResources", () => {
  it("adds processor time and energy up, and takes the highest peaks", () => {
    const later = {
      ...gpu,
      peakMemoryBytes: 5,
      meanUtilisation: 1,
      energyJoules: 600,
      meanPowerWatts: 20,
      energyErrorJoules: 4,
      sharedWith: 2,
    }
    const sum = addResources(usage, { ...usage, peakRssBytes: 80, cpuSeconds: 4, gpu: later, loadMs: 9 })
    expect(sum).toMatchObject({ peakRssBytes: 100, rssOverIdleBytes: 10, cpuSeconds: 7, loadMs: 9 })
    expect(sum.gpu).toEqual({
      peakMemoryBytes: 10,
      meanUtilisation: 0.875,
      energyJoules: 700,
      energyIsValid: true,
      meanPowerWatts: 17.5,
      // Errors of which one may be the other's do not cancel.
      energyErrorJoules: 7,
      powerIsMean: false,
      sharedWith: 2,
    })
  })

  it("knows no sum of which it does not know a part", () => {
    expect(addResources(usage, { ...usage, cpuSeconds: null }).cpuSeconds).toBeNull()
    expect(addResources({ ...usage, gpu: null }, usage).gpu).toMatchObject({ energyJoules: null, energyIsValid: false })
    const unsure = addResources(usage, { ...usage, gpu: { ...gpu, energyIsValid: false } })
    expect(unsure.gpu).toMatchObject({ energyJoules: 200, energyIsValid: false })
  })

  it("is the later reading where there is no earlier one", () => expect(addResources(null, usage)).toBe(usage))
})
