import { describe, expect, it } from "vitest"
import { isLoading, retryDelayMs } from "../../src/calls/retry.ts"
import { createRandom } from "../../src/core/random.ts"
import { fakeAnswer } from "../support/fake-provider.ts"

const policy = { retries: 2, baseDelayMs: 10, maxDelayMs: 100 }
const delay = (answer: Parameters<typeof retryDelayMs>[0], attempt = 0, retries = 2) =>
  retryDelayMs(answer, attempt, { ...policy, retries }, createRandom(1))

describe("another attempt", () => {
  it.each([
    [408, true],
    [409, true],
    [425, true],
    [498, true],
    [400, false],
    [401, false],
    [404, false],
    [422, false],
  ])("after HTTP %i: %s", (httpStatus, expected) => {
    const answer = fakeAnswer("", "http_4xx", { httpStatus })
    expect(delay(answer) !== null).toBe(expected)
    expect(delay(answer, 2)).toBeNull()
  })

  it("waits for a server that loads for minutes, and for no other 503", () => {
    const loading = fakeAnswer("", "http_5xx", { httpStatus: 503, failure: { message: "HTTP 503: Loading model" } })
    const down = fakeAnswer("", "http_5xx", {
      httpStatus: 503,
      failure: { message: "HTTP 503: upstream connect error" },
    })
    expect([isLoading(loading), isLoading(down)]).toEqual([true, false])
    expect([delay(loading, 0), delay(loading, 20), delay(loading, 150)]).toEqual([2000, 2000, null])
    expect([delay(loading, 0, 0), delay(down, 2)]).toEqual([null, null])
    expect(delay({ ...loading, retryAfterMs: 5000 }, 3)).toBe(5000)
  })
})
