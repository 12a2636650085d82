import { fromFunction, systemClock } from "evalkit/providers"
import { describe, expect, it } from "vitest"
import { calibrateFunction } from "../../../src/perf/client/function-calibration.ts"
import { worstError } from "../../../src/perf/client/stated-error.ts"

const signal = new AbortController().signal
const context = { clock: systemClock, signal, environment: {}, cacheDirectory: "", progress: () => {} }

/** The error over functions while something keeps the thread busy for so long of every fifth of a second. */
async function errorWhileBusy(busyMs: number) {
  const timer = setInterval(() => {
    const endMs = performance.now() + busyMs
    while (performance.now() < endMs);
  }, 200)
  try {
    return await calibrateFunction({
      open: (answer) => fromFunction(answer).open(context),
      concurrency: 2,
      chunkIntervalMs: 20,
      durationMs: 800,
      clock: systemClock,
      signal,
    })
  } finally {
    clearInterval(timer)
  }
}

describe("the error over functions", () => {
  it("is how late a function's moments come, and grows with what keeps the thread busy", async () => {
    const [quiet, busy] = [await errorWhileBusy(0), await errorWhileBusy(120)]
    expect(quiet?.requests).toBeGreaterThanOrEqual(2)
    expect(quiet?.ttftMsP50).toBeGreaterThan(0)
    expect(busy?.ttftMsP99).toBeGreaterThan(quiet?.ttftMsP50 as number)
    expect(busy?.ttftMsP99).toBeGreaterThan(20)
  })

  it("is the larger of two paths, figure by figure, and unknown where one was not measured", async () => {
    const error = await errorWhileBusy(0)
    if (!error) throw new Error("not measured")
    const other = { ...error, ttftMsP50: error.ttftMsP50 + 7, itlMsP99: 0 }
    expect(worstError([error, other])).toMatchObject({ ttftMsP50: other.ttftMsP50, itlMsP99: error.itlMsP99 })
    expect(worstError([error, null])).toBeNull()
    expect(worstError([])).toBeNull()
  })
})
