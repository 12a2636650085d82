import { expect, it } from "vitest"
import { readAskedWait, readBodyWait, readRetryAfter } from "../../src/capture/retry-after.ts"
import type { Members } from "../../src/core/json-members.ts"

const nowMs = Date.parse("2026-11-21T00:00:00Z")

it.each([
  [{ "retry-after": "120" }, 120_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
  [{ "retry-after": "Sat, 21 Nov 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Fri, 20 Nov 2026 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "-5" }, null],
  [{ "retry-after": "2, 2" }, 2000],
  [{ "retry-after": "2, 30" }, 30_000],
  [{ "retry-after": "1m30s" }, 90_000],
  [{}, null],
])("reads %j as %s ms", (headers, expected) => {
  expect(readRetryAfter(new Map(Object.entries(headers)), nowMs)).toBe(expected)
})

const info = "type.googleapis.com/google.rpc.RetryInfo"

it.each<[object, number | null]>([
  [{ details: [7, { "@type": "other", retryDelay: "1s" }, { "@type": info, retryDelay: "34.5s" }] }, 34_500],
  [{ details: [{ "@type": info, retryDelay: "-2s" }] }, null],
  [{ details: [{ "@type": info }] }, null],
  [{ details: "none" }, null],
  [{ retry_after: 3 }, 3000],
  [{ retryAfter: "1m30s" }, 90_000],
  [{ retry_after_seconds: 2.5 }, 2500],
  [{ retry_after_ms: 250 }, 250],
  [{ retryAfterMs: "250" }, 250],
  [{ estimated_time: 20.5 }, 20_500],
  [{ metadata: { retry_after_seconds: 4 } }, 4000],
  [{ metadata: { headers: { "Retry-After": "5" } } }, 5000],
  [{ retry_after: null }, null],
  [{ retry_after: -1 }, null],
])("reads the error %j as %s ms", (error, expected) => {
  expect(readBodyWait([error as Members, null], "no words")).toBe(expected)
})

it.each([
  ["Rate limit reached for m in org-1. Limit 30000, Used 29000. Please try again in 5.17s. Visit x.", 5170],
  ["Please try again in 1m5.5s.", 65_500],
  ["Please try again in 350ms.", 350],
  ["Please retry after 20 seconds.", 20_000],
  ["Requests are limited; wait for 2 minutes and 5 seconds", 125_000],
  ["Please try again later.", null],
  ["Retry after 3 tries", null],
  ["Please retry your request after 6 seconds.", 6000],
  ["The limit will reset in 5 minutes", 300_000],
  ["Your quota resets in 12s", 12_000],
  ["Please slow down and retry in: 3 s", 3000],
])("reads the message %j as %s ms", (message, expected) => {
  expect(readAskedWait(message)).toBe(expected)
})
