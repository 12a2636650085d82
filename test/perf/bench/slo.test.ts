import { describe, expect, it } from "vitest"
import { meetsSlo, parseSlo, sloShare } from "../../../src/perf/bench/slo.ts"
import { requestFigures } from "../../../src/perf/request-figures.ts"
import { logOf } from "../logs.ts"

describe("service-level objectives", () => {
  it("are read with their units", () => {
    expect(parseSlo("ttft<800ms, tpot<=50ms,e2e < 1.5s")).toEqual([
      { figure: "ttft", maxMs: 800 },
      { figure: "tpot", maxMs: 50 },
      { figure: "e2e", maxMs: 1500 },
    ])
  })

  it("name the percentile that must keep them: one for all, the 95th where none is named", () => {
    expect(parseSlo("ttft.p99<1s,itl.max.p99<80ms")).toEqual([
      { figure: "ttft", maxMs: 1000, share: 0.99 },
      { figure: "itl.max", maxMs: 80, share: 0.99 },
    ])
    expect(sloShare(parseSlo("ttft.p99.9<1s,tpot<50ms"))).toBe(0.999)
    expect(sloShare(parseSlo("ttft<1s"))).toBe(0.95)
    expect(() => parseSlo("ttft.p99<1s,tpot.p50<50ms")).toThrow(/one percentile/)
    for (const text of ["ttft.p10<1s", "ttft.p100<1s", "ttft.max<1s"]) expect(() => parseSlo(text)).toThrow(/SLO/)
  })

  it("are refused when they cannot be read", () => {
    for (const text of ["", "ttft", "ttft<800", "speed<1s", "ttft>800ms"]) expect(() => parseSlo(text)).toThrow(/SLO/)
  })

  it("hold a request to every limit, counted from when it was due", () => {
    const figures = requestFigures(logOf([{ atMs: 200 }, { atMs: 240 }], { scheduledMs: 0, sendMs: 50 }), 2)
    const met = "ttft<200ms,tpot<40ms,e2e<240ms,ttft_from_intent<200ms,ttft_any<200ms,stop<40ms,itl.max<40ms"
    expect(meetsSlo(figures, parseSlo(met))).toBe(true)
    for (const broken of ["ttft<199ms", "tpot<39ms", "e2e<239ms", "ttft_any<199ms", "stop<39ms", "itl.max<39ms"])
      expect([broken, meetsSlo(figures, parseSlo(broken))]).toEqual([broken, false])
  })

  it("are not broken by a time per token that does not exist, but by a first token that never came", () => {
    expect(meetsSlo(requestFigures(logOf([{ atMs: 200 }]), 1), parseSlo("tpot<1ms"))).toBe(true)
    expect(meetsSlo(requestFigures(logOf([]), 1), parseSlo("ttft<1s"))).toBe(false)
  })
})
