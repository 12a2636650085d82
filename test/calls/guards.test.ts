import { describe, expect, it } from "vitest"
import { createCircuitBreaker } from "../../src/calls/circuit-breaker.ts"
import { createRateLimiter } from "../../src/calls/rate-limiter.ts"
import { retryDelayMs } from "../../src/calls/retry.ts"
import { createRandom } from "../../src/core/random.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { fakeAnswer } from "../support/fake-provider.ts"

const signal = new AbortController().signal

describe("createRateLimiter", () => {
  it("spaces requests evenly once the burst is used up", async () => {
    const clock = createFakeClock()
    const limiter = createRateLimiter(clock, { requestsPerMinute: 60 })
    const start = clock.now()
    for (let i = 0; i < 67; i++) await limiter.take(0, signal)
    expect(clock.now() - start).toBeCloseTo(60_000, -2)
  })

  it("holds back by tokens too", async () => {
    const clock = createFakeClock()
    const limiter = createRateLimiter(clock, { tokensPerMinute: 1000 })
    const start = clock.now()
    for (let i = 0; i < 12; i++) await limiter.take(100, signal)
    expect(clock.now() - start).toBeCloseTo(60_000, -2)
  })

  it("keeps to what a service states, and to what it has left for a burst", async () => {
    const clock = createFakeClock()
    const limiter = createRateLimiter(clock, { requestsPerMinute: 6000 })
    limiter.learn({ requests: { limit: 600, remaining: 8, resetMs: 100 } })
    const start = clock.now()
    for (let i = 0; i < 14; i++) await limiter.take(0, signal)
    expect(clock.now() - start).toBeCloseTo(900, -2)
    await clock.sleep(5000, signal)
    const later = clock.now()
    for (let i = 0; i < 14; i++) await limiter.take(0, signal)
    expect(clock.now() - later).toBeCloseTo(900, -2)
  })

  it("waits for a limit that is used up, at most a minute", async () => {
    const clock = createFakeClock()
    const limiter = createRateLimiter(clock, {})
    limiter.learn({ tokens: { limit: 1000, remaining: 0, resetMs: 20_000 } })
    expect(limiter.pausedForMs()).toBe(20_000)
    limiter.learn({ requests: { limit: 1000, remaining: 0, resetMs: 3_600_000 } })
    expect(limiter.pausedForMs()).toBe(60_000)
  })

  it("gives back what a call was expected to use and did not", async () => {
    const clock = createFakeClock()
    const limiter = createRateLimiter(clock, { tokensPerMinute: 1000 })
    const start = clock.now()
    for (let i = 0; i < 10; i++) {
      await limiter.take(1000, signal)
      limiter.correct(-990)
    }
    expect(clock.now() - start).toBeLessThan(1000)
  })

  it("lets nothing start during a pause that the server asked for", async () => {
    const clock = createFakeClock()
    const limiter = createRateLimiter(clock, {})
    limiter.pause(5000)
    expect(limiter.pausedForMs()).toBe(5000)
    await limiter.take(1, signal)
    expect(clock.slept).toEqual([5000])
  })
})

describe("createCircuitBreaker", () => {
  it("opens after failures in a row, doubles its cool-down, and gives up in the end", async () => {
    const clock = createFakeClock()
    const breaker = createCircuitBreaker(clock, { threshold: 3, coolDownMs: 1000, openings: 2 })
    for (let i = 0; i < 3; i++) breaker.failed()
    expect(breaker.state).toBe("open")
    expect(await breaker.enter(signal)).toBe(true)
    breaker.failed()
    expect(await breaker.enter(signal)).toBe(true)
    expect(clock.slept).toEqual([1000, 2000])
    breaker.failed()
    expect(breaker.state).toBe("given_up")
    expect(breaker.reason()).toBe("given up after 5 failures in a row")
    expect(await breaker.enter(signal)).toBe(false)
  })

  it("closes again with the first success", async () => {
    const clock = createFakeClock()
    const breaker = createCircuitBreaker(clock, { threshold: 2, coolDownMs: 1000 })
    breaker.failed()
    breaker.failed()
    await breaker.enter(signal)
    breaker.succeeded()
    expect(breaker.state).toBe("closed")
    breaker.failed()
    expect(breaker.state).toBe("closed")
  })

  it("says after how many failures it gave up, and what the last one said", () => {
    const clock = createFakeClock()
    const breaker = createCircuitBreaker(clock, { threshold: 2, openings: 0 })
    breaker.failed("HTTP 500")
    breaker.succeeded()
    breaker.failed("HTTP 502")
    expect(breaker.reason()).toBeNull()
    breaker.failed("HTTP 503: busy")
    expect(breaker.reason()).toBe("given up after 2 failures in a row: HTTP 503: busy")
    // What was in flight then changes nothing of it.
    breaker.succeeded()
    breaker.failed("HTTP 504")
    expect(breaker.reason()).toBe("given up after 2 failures in a row: HTTP 503: busy")
  })
})

describe("retryDelayMs", () => {
  const policy = { retries: 3, baseDelayMs: 100, maxDelayMs: 1000 }
  const random = createRandom(1)

  it("backs off with full jitter under a doubling ceiling", () => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const delay = retryDelayMs(fakeAnswer("", "http_5xx"), attempt, policy, random)
      expect(delay).toBeGreaterThanOrEqual(0)
      expect(delay).toBeLessThanOrEqual(100 * 2 ** attempt)
    }
  })

  it("honours Retry-After when it is longer than the back-off; where it is over five minutes there is no other attempt", () => {
    const wait = (retryAfterMs: number) =>
      retryDelayMs(fakeAnswer("", "rate_limited", { retryAfterMs }), 0, policy, random)
    expect([7000, 300_000, 300_001, 1e14].map(wait)).toEqual([7000, 300_000, null, null])
  })

  it("never retries what the model decided, what we sent wrong, or what is used up", () => {
    for (const outcome of ["ok", "length", "refused", "empty", "http_4xx", "cancelled"] as const)
      expect(retryDelayMs(fakeAnswer("", outcome), 0, policy, random)).toBeNull()
    expect(retryDelayMs(fakeAnswer("", "http_5xx"), 3, policy, random)).toBeNull()
    expect(retryDelayMs(fakeAnswer("", "http_5xx"), 0, { ...policy, retries: 0 }, random)).toBeNull()
  })
})
