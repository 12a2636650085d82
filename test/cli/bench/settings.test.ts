import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parseDuration } from "../../../src/cli/bench/option-values.ts"
import { readSettings } from "../../../src/cli/bench/settings.ts"
import { scratchDirectory } from "../../support/scratch.ts"

describe("the options of a bench", () => {
  it("read durations with their units, seconds without one", () => {
    expect(["30", "1.5min", "200ms", "2h", "3s", "2m"].map(parseDuration)).toEqual([
      30_000, 90_000, 200, 7_200_000, 3000, 120_000,
    ])
    for (const text of ["", "soon", "-5s", "0"]) expect(() => parseDuration(text)).toThrow(/duration/)
  })

  it("make a closed loop of a hundred requests when nothing is asked for", () => {
    expect(readSettings({}, ".").mode).toEqual({
      kind: "levels",
      plans: [{ kind: "closed", concurrency: 1, requests: 100 }],
    })
  })

  it("draw other arrivals for each level of a search: the luck of one draw would be in all of them", () => {
    const { mode } = readSettings({ findRate: true, slo: "ttft<1s", seed: 3 }, ".")
    const server = { slots: 4, serviceMs: 200 }
    for (const base of [null, server]) {
      const expected = { ratePerSecond: 10, durationMs: 10_000, server: base, share: 0.95 }
      const arrivals = [0, 1, 0].map((level) => {
        const plan = mode.kind === "search" ? mode.planOf(expected, level) : null
        return plan?.kind === "open" ? [...plan.arrivals] : []
      })
      expect(arrivals[0]).not.toEqual(arrivals[1])
      expect(arrivals[0]).toEqual(arrivals[2])
      expect(arrivals[0]?.length).toBeGreaterThan(50)
    }
  })

  it("ask about a trace whose times are likely misread, and take a stated speed for the answer", async () => {
    const folder = scratchDirectory()
    const rows = (column: string, step: number) =>
      Array.from({ length: 50 }, (_, i) => `${JSON.stringify({ [column]: i * step, inp: 5, out: 3 })}\n`).join("")
    const requests = (text: string, args: object = {}) => {
      writeFileSync(join(folder, "t.jsonl"), text)
      const { mode } = readSettings({ trace: "t.jsonl", ...args }, folder)
      return mode.kind === "levels" && mode.plans[0]?.kind === "open" ? mode.plans[0].arrivals.length : null
    }
    expect(requests(rows("t_ms", 10))).toBe(50)
    expect(requests(rows("t_s", 0.5), { duration: "1min" })).toBe(50)
    expect(() => requests(rows("t_ms", 0.5))).toThrow(
      /another unit\? Its 50 requests would come within 0\.025 s, 2,000 a second: t\.jsonl; name the column/,
    )
    expect(() => requests(rows("timestamp", 2), { duration: "1min" })).toThrow(/another unit\?.* within 0\.098 s: /)
    expect(requests(rows("t_ms", 0.5), { traceSpeed: 1 })).toBe(50)
    expect(requests(rows("timestamp", 2), { duration: "1min", traceSpeed: 1 })).toBe(50)
  })

  it("let a duration end a level alone, or together with a count", () => {
    const plans = (args: object) => {
      const { mode } = readSettings({ concurrency: "4", ...args }, ".")
      return mode.kind === "levels" ? mode.plans : []
    }
    expect(plans({ duration: "5s" })).toEqual([{ kind: "closed", concurrency: 4, durationMs: 5000 }])
    expect(plans({ duration: "5s", requests: 7, ramp: "1s" })).toEqual([
      { kind: "closed", concurrency: 4, requests: 7, durationMs: 5000, rampMs: 1000 },
    ])
  })

  it("give a sweep enough requests at each level to fill its slots", () => {
    const { mode } = readSettings({ sweep: true, requests: 10 }, ".")
    const requests = mode.kind === "sweep" ? [1, 64].map((slots) => mode.planOf(slots)) : []
    expect(requests).toMatchObject([{ requests: 12 }, { requests: 576 }])
  })

  it("make a sweep of a search over settings, or ascending loads, and want an objective", () => {
    const mode = (args: object) => readSettings({ tune: true, slo: "ttft<1s", ...args }, ".").mode
    expect([mode({}).kind, mode({ findRate: true }).kind]).toEqual(["sweep", "search"])
    expect(mode({ concurrency: "4,1,2" })).toMatchObject({
      plans: [{ concurrency: 1 }, { concurrency: 2 }, { concurrency: 4 }],
    })
    expect(() => readSettings({ tune: true }, ".")).toThrow(/--tune needs an objective/)
  })

  it("say what the arrivals were drawn from", () => {
    const described = (args: object) => {
      const { mode } = readSettings({ rate: "5,20.0004", requests: 20, seed: 3, ...args }, ".")
      return mode.kind === "levels" ? mode.plans.map((plan) => (plan.kind === "open" ? plan.description : "")) : []
    }
    expect(described({})).toEqual(["poisson, seed 3", "poisson, seed 3"])
    expect(described({ arrival: "gamma", cv: 2 })[0]).toBe("gamma cv 2, seed 3")
    expect(described({ arrival: "constant" })[0]).toBe("constant, seed 3")
  })

  it("draw the same arrivals from the same seed", () => {
    const arrivals = (seed: number) => {
      const { mode } = readSettings({ rate: "5", requests: 20, seed }, ".")
      const plan = mode.kind === "levels" ? mode.plans[0] : undefined
      return plan?.kind === "open" ? [...plan.arrivals] : []
    }
    expect(arrivals(3)).toEqual(arrivals(3))
    expect(arrivals(3)).not.toEqual(arrivals(4))
  })

  it("limit what an open loop has in flight, and only that", () => {
    const { mode } = readSettings({ rate: "5", maxInFlight: 3 }, ".")
    expect(mode.kind === "levels" && mode.plans[0]).toMatchObject({ kind: "open", maxInFlight: 3 })
    expect(() => readSettings({ concurrency: "4", maxInFlight: 3 }, ".")).toThrow(/--max-in-flight limits an open loop/)
    expect(() => readSettings({ rate: "5", maxInFlight: 0 }, ".")).toThrow(/--max-in-flight/)
  })
})
