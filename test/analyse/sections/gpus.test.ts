import { describe, expect, it } from "vitest"
import { gpusSection } from "../../../src/wording/sections/serving/gpus.ts"
import type { ServedVariant } from "../../../src/wording/sections/serving/served-variant.ts"

const gpu = {
  peakMemoryBytes: 2048,
  meanUtilisation: 0.5,
  energyJoules: 10,
  names: ["NVIDIA H100"],
  driver: "560.1",
  slowedByHeat: 0.2,
  slowedByPowerLimit: 0,
}

/** The cells of the one row by their columns. */
function cells(facts: object): Readonly<Record<string, unknown>> {
  const served = {
    report: {
      name: "int8",
      resources: { meanWatts: { status: "known", value: 1300, n: 1, method: "GPU and processors" } },
    },
    resources: { gpu: { ...gpu, ...facts } },
  }
  const section = gpusSection([served as unknown as ServedVariant])
  const { columns, rows } = section!.data as unknown as { columns: { title: string }[]; rows: unknown[][] }
  return Object.fromEntries(columns.map(({ title }, i) => [title, rows[0]?.[i]]))
}

describe("the GPUs that served", () => {
  it("are shown with the limit of their power and their highest temperature", () => {
    const result = cells({ peakTemperatureCelsius: 74, powerLimitWatts: 700 })
    expect(result["power limit"]).toMatchObject({ status: "known", value: 700 })
    expect(result["temperature, peak"]).toMatchObject({ status: "known", value: 74 })
    expect(result["slowed by heat"]).toMatchObject({ status: "known", value: 0.2 })
  })

  it("are as many as there are, and draw what the GPUs drew, without the processors", () => {
    const result = cells({ count: 4, meanPowerWatts: 1200, energyIsValid: true })
    expect(result.GPU).toBe("4 × NVIDIA H100")
    expect(result["mean power"]).toMatchObject({ status: "known", value: 1200 })
    const hung = cells({ meanPowerWatts: 1200, energyIsValid: false, energyReason: "it was not read often enough" })
    expect(hung["mean power"]).toEqual({ status: "unknown", reason: "it was not read often enough" })
  })

  it("leave unknown what a driver, or an older record, does not state", () => {
    for (const facts of [{ peakTemperatureCelsius: null, powerLimitWatts: null }, {}]) {
      const result = cells(facts)
      for (const title of ["power limit", "temperature, peak"])
        expect(result[title]).toEqual({ status: "unknown", reason: "the driver does not say" })
    }
  })
})
