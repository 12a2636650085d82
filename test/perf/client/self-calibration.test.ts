import { openai } from "evalkit"
import { systemClock } from "evalkit/providers"
import { describe, expect, it } from "vitest"
import type { ProviderSession } from "../../../src/core/provider.ts"
import { parseSlo } from "../../../src/perf/bench/slo.ts"
import { doubtfulFigures } from "../../../src/perf/client/client-error-check.ts"
import { calibrateClient } from "../../../src/perf/client/self-calibration.ts"
import { distributionOf } from "../../../src/perf/distribution.ts"

const signal = new AbortController().signal

describe("self-calibration", () => {
  it.each([
    ["1.1", "undici, 1 capture thread"],
    ["2", "undici, 1 capture thread, HTTP/2"],
  ] as const)(
    "holds the client's stamps against the moments at which the truth server sent its chunks over HTTP/%s",
    async (httpVersion, transport) => {
      const sessions: ProviderSession[] = []
      const error = await calibrateClient({
        async open(baseUrl) {
          const options = { model: "truth", baseUrl, apiKeyVariable: null, transport: "undici", httpVersion } as const
          const session = await openai(options).open({
            clock: systemClock,
            signal,
            environment: {},
            cacheDirectory: "",
            progress: () => {},
          })
          sessions.push(session)
          return session
        },
        concurrency: 2,
        chunkIntervalMs: 20,
        durationMs: 600,
        clock: systemClock,
        signal,
      })
      expect(error).not.toBeNull()
      expect(error?.requests).toBeGreaterThanOrEqual(2)
      expect(error?.ttftMsP50).toBeGreaterThanOrEqual(0)
      expect(error?.ttftMsP99).toBeGreaterThanOrEqual(error?.ttftMsP50 as number)
      expect(error?.ttftMsP99).toBeGreaterThanOrEqual(error?.itlMsP99 as number)
      expect(error?.load.eventLoopUtilisation).toBeLessThanOrEqual(1)
      expect(sessions.map((session) => session.transport?.())).toEqual([transport])
    },
  )
})

describe("the rule that marks a run invalid", () => {
  const measured = (value: number) => distributionOf(Float64Array.from([value, value]), "nothing")
  const small = { ttftMsP50: 1, ttftMsP99: 1, itlMsP50: 0.1, itlMsP99: 0.1 }

  it("allows a client error of up to 5 % of the figure", () => {
    const speed = { ttftMs: measured(20), itlMs: measured(2) }
    expect(doubtfulFigures(speed, small)).toEqual([])
    expect(doubtfulFigures(speed, { ...small, ttftMsP99: 1.01 })).toEqual([
      { figure: "TTFT p99", valueMs: 20, clientErrorMs: 1.01 },
    ])
  })

  it("holds the error against the limits of objectives, too, each against that of its kind of time", () => {
    const speed = { ttftMs: measured(5000), itlMs: measured(500) }
    expect(doubtfulFigures(speed, small, parseSlo("ttft<20ms,e2e<5s,tpot<2ms"))).toEqual([])
    expect(doubtfulFigures(speed, small, parseSlo("e2e<5s,ttft<10ms"))).toEqual([
      { figure: "SLO limit", valueMs: 10, clientErrorMs: 1 },
    ])
    expect(doubtfulFigures(speed, small, parseSlo("itl.max<1ms"))).toMatchObject([{ clientErrorMs: 0.1 }])
  })

  it("says nothing of figures that were not measured", () => {
    const none = distributionOf(new Float64Array(), "nothing")
    expect(doubtfulFigures({ ttftMs: none, itlMs: none }, small)).toEqual([])
  })
})
