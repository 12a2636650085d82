import { figureValue } from "evalkit/reports"
import { describe, expect, it, vi } from "vitest"
import { terminalScreen } from "../../reports/terminal/style.ts"
import { variantTable } from "../../reports/terminal/table.ts"
import type { Generation } from "../../src/core/generation.ts"
import type { VariantReport } from "../../src/core/report/report.ts"
import { clientErrorCheck, createPaceSampler, timeErrorOf, withClientError } from "../../src/estimate/client-error.ts"
import { parseConstraints } from "../../src/estimate/constraints.ts"
import type { ClientError } from "../../src/perf/client/self-calibration.ts"
import { fakeAnswer } from "../support/fake-provider.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 60 })
const ttft = (variant: VariantReport) => figureValue(variant.speed.ttftMs.p50) ?? Number.NaN
const error = (ttftMs: number): ClientError => ({
  ttftMsP50: ttftMs,
  ttftMsP99: 2 * ttftMs,
  itlMsP50: 0.001,
  itlMsP99: 0.002,
  requests: 100,
  chunks: 1000,
  chunksPerSecond: 500,
  concurrency: 4,
  load: {
    eventLoopUtilisation: 0.06,
    eventLoopDelayMsP99: 1,
    gcMs: 0,
    involuntaryContextSwitches: null,
  } as ClientError["load"],
})
const nothing = { gate: [], constraints: [] }

describe("the client's own error in a report", () => {
  const [first] = report.variants as readonly [VariantReport]

  it("marks the times that it is over 5 % of, in their cells, and fails nothing by it", () => {
    const large = error(ttft(first) / 10)
    const variants = report.variants.map((variant) => withClientError(variant, large))
    expect(variants[0]?.speed).toMatchObject({
      clientErrorMs: large.ttftMsP50,
      ttftMs: { p50: { isApproximate: true } },
    })
    const check = clientErrorCheck(large, { variants, ...nothing })
    expect(check).toMatchObject({ status: "passed", message: expect.stringMatching(/\d+ times have ~ in their cell/) })
    const options = { columns: 120, color: false, unicode: true }
    const table = variantTable({ ...report, variants }, terminalScreen(options)).join("\n")
    expect(table).toContain("~")
    const small = report.variants.map((variant) => withClientError(variant, error(1e-9)))
    expect(small[0]?.speed.ttftMs.p50).not.toHaveProperty("isApproximate")
    expect(clientErrorCheck(null, { variants, ...nothing })).toBeNull()
  })

  it("fails where a limit on a time is nearer to its figure than the error", () => {
    const value = ttft(first)
    const at = (max: number) =>
      clientErrorCheck(error(0.2), {
        variants: [first],
        gate: [{ figure: "ttftMs", max }],
        constraints: [],
      })
    expect(at(value + 0.1)).toMatchObject({
      status: "failed",
      message: expect.stringContaining(`too large for the limits on ttftMs of ${first.name}`),
    })
    expect(at(value + 0.5)?.status).toBe("passed")
    const constraints = parseConstraints(`ttft < ${(value - 0.1).toFixed(3)} ms`)
    expect(clientErrorCheck(error(0.2), { variants: [first], gate: [], constraints })?.status).toBe("failed")
    const cost = clientErrorCheck(error(0.2), {
      variants: [first],
      gate: [{ figure: "costUsd", max: 0 }],
      constraints: [],
    })
    expect(cost?.status).toBe("passed")
  })

  it("takes the errors of both sides for what a difference may be", () => {
    expect(timeErrorOf([withClientError(first, error(0.3)), withClientError(first, error(0.2))])).toBe(0.6)
  })

  it("does not take an error that was not measured for none", () => {
    expect(timeErrorOf([withClientError(first, error(0.3)), first])).toBeNull()
    expect(timeErrorOf([first])).toBeNull()
    expect(timeErrorOf([])).toBeNull()
  })
})

// Other tests measure for a moment.
vi.unmock("../../src/estimate/client-error.ts")

describe("how long the client's error is measured", () => {
  const load = (answers: number, concurrency: number) => {
    const pace = createPaceSampler()
    // Each takes 30 ms, a token every 10.
    for (let i = 0; i < answers; i++)
      pace.add({ ...fakeAnswer("a b c"), variant: "v", retries: [], source: "measured" } as unknown as Generation)
    return pace.load(concurrency)
  }

  it("is as long as the run's own requests took, within half a second and two", () => {
    expect(load(0, 1)).toBeNull()
    expect(load(1, 1)).toEqual({ concurrency: 1, chunkIntervalMs: 10, durationMs: 500 })
    expect(load(40, 1)).toEqual({ concurrency: 1, chunkIntervalMs: 10, durationMs: 1200 })
    expect(load(40, 2)).toEqual({ concurrency: 2, chunkIntervalMs: 10, durationMs: 600 })
    expect(load(4000, 4)).toEqual({ concurrency: 4, chunkIntervalMs: 10, durationMs: 2000 })
  })

  it("is measured of answers in one piece, too", () => {
    const pace = createPaceSampler()
    const answer = fakeAnswer("a b c")
    const log = { ...answer.log, events: answer.log.events.slice(-1), endOnly: true as const }
    pace.add({ ...answer, log, variant: "v", retries: [], source: "measured" } as unknown as Generation)
    expect(pace.load(2)).toEqual({ concurrency: 2, chunkIntervalMs: 20, durationMs: 500 })
  })
})
