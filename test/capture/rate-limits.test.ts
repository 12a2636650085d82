import { describe, expect, it } from "vitest"
import { readRateLimits, readReset } from "../../src/capture/rate-limits.ts"

const now = Date.parse("2026-11-22T08:00:00Z")
const read = (headers: Record<string, string>) => readRateLimits(new Map(Object.entries(headers)), now)

describe("the limits that a service states", () => {
  it("are read as OpenAI writes them", () => {
    expect(
      read({
        "x-ratelimit-limit-requests": "500",
        "x-ratelimit-remaining-requests": "499",
        "x-ratelimit-reset-requests": "120ms",
        "x-ratelimit-limit-tokens": "30000",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "6m0s",
      }),
    ).toEqual({
      requests: { limit: 500, remaining: 499, resetMs: 120 },
      tokens: { limit: 30_000, remaining: 0, resetMs: 360_000 },
    })
  })

  it("are read as Anthropic writes them, with dates of reset", () => {
    expect(
      read({
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "2026-11-22T08:00:01Z",
        "anthropic-ratelimit-input-tokens-limit": "20000",
      }),
    ).toEqual({
      requests: { limit: 50, remaining: 49, resetMs: 1000 },
      tokens: { limit: 20_000, remaining: null, resetMs: null },
    })
  })

  it("are read as Mistral writes them", () => {
    expect(
      read({
        "x-ratelimit-limit-req-minute": "300",
        "x-ratelimit-remaining-req-minute": "299",
        "x-ratelimit-limit-tokens-minute": "500000",
      }),
    ).toEqual({
      requests: { limit: 300, remaining: 299, resetMs: null },
      tokens: { limit: 500_000, remaining: null, resetMs: null },
    })
  })

  it.each([
    ["7.66s", 7660],
    ["1m26.4s", 86_400],
    ["2", 2000],
    ["soon", null],
  ])("reset after %s is %s ms", (reset, expected) => {
    expect(read({ "x-ratelimit-limit-requests": "1", "x-ratelimit-reset-requests": reset })?.requests?.resetMs).toBe(
      expected,
    )
  })

  it("are unknown where nothing is stated, or no number", () => {
    expect(read({})).toBeNull()
    expect(read({ "x-ratelimit-limit-requests": "many", "x-ratelimit-limit-tokens": "0" })).toBeNull()
  })
})

it.each([
  [{ "x-ratelimit-reset": "7" }, 7000],
  [{ "ratelimit-reset": "1m5s" }, 65_000],
  [{ "x-ratelimit-reset": String(now / 1000 + 9) }, 9000],
  [{ "x-ratelimit-reset": String(now + 9000) }, 9000],
  [{ "x-ratelimit-reset": "2026-11-22T08:00:03Z" }, 3000],
  [{ "x-ratelimit-reset": String(now - 9000) }, 0],
  [{ "x-ratelimit-reset": "86400" }, null],
  [{}, null],
])("the reset of %j is %s ms from now", (headers, expected) => {
  expect(readReset(new Map(Object.entries(headers)), now)).toBe(expected)
})
