import { describe, expect, it } from "vitest"
import { splitFirstToken } from "../../../src/perf/server/first-token-split.ts"
import { serverWindow } from "../../../src/perf/server/server-window.ts"

/** Ten requests: 20 ms in the queue, 50 ms of reading, 40 more tokens in 400 ms. */
function splitOf(client: { readonly ttftMs: number; readonly e2eMs: number }, tokens = 41) {
  const mean = (value: number) => ({ value: 10 * value, count: 10 })
  const counted = (value: number) => ({ value, count: 1 })
  const totals = {
    ...{ dialect: "vLLM", restarted: false, gauges: {} },
    sums: {
      ...{ queueMs: mean(20), prefillMs: mean(50), decodeMs: mean(400), ttftMs: mean(70), e2eMs: mean(470) },
      ...{ requests: counted(10), outputTokens: counted(10 * tokens) },
    },
  }
  const all = { requests: 10, answers: 10, ttftMs: 10 * client.ttftMs, e2eMs: 10 * client.e2eMs }
  return splitFirstToken(serverWindow(totals, 10), all, 1)
}

describe("splitFirstToken", () => {
  it("takes what the server does not account for as network where the answers were streamed as they were written", () => {
    // The token that ends an answer has no chunk, and the last word may wait for it: 20 ms of the 400 are in no stream.
    const split = splitOf({ ttftMs: 75, e2eMs: 455 })
    expect(split.networkMs).toMatchObject({ status: "known", value: 5 })
    expect(split.disagreements).toEqual([])
  })

  it("does not take decoding for network where whole answers came in one burst, and says so", () => {
    const split = splitOf({ ttftMs: 473, e2eMs: 475 })
    expect(split.networkMs).toEqual({
      status: "unknown",
      reason: "chunks were held back: what was decoded meanwhile is in the time to the first one",
    })
    expect(split.disagreements).toEqual([
      "client and server disagree: answers streamed in 378 ms less than the server decoded them (means): chunks were held back, so that the first one came late, with what was decoded meanwhile",
    ])
  })

  it("says that answers ended before the server was done, but not for the time of the tokens that no stream shows", () => {
    expect(splitOf({ ttftMs: 75, e2eMs: 451.5 }).disagreements).toEqual([
      expect.stringContaining("streamed in 3.5 ms less"),
    ])
    expect(splitOf({ ttftMs: 40, e2eMs: 440 }).disagreements).toEqual([
      expect.stringContaining("the first token came 30 ms before"),
      expect.stringContaining("answers ended 10 ms before"),
    ])
  })

  it("claims nothing of answers of a few tokens, of which a stream shows next to nothing", () => {
    expect(splitOf({ ttftMs: 75, e2eMs: 75 }, 3).disagreements).toEqual([])
  })
})
