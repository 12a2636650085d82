import { expect, it } from "vitest"
import { readAskedWait, readRetryAfter, readRetryInfo } from "../../src/capture/retry-after.ts"

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

it.each([
  [[{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }], 34_500],
  [[7, { "@type": "other", retryDelay: "1s" }, { "@type": "google.rpc.RetryInfo", retryDelay: "2s" }], 2000],
  [[{ "@type": "google.rpc.RetryInfo", retryDelay: "-2s" }], null],
  [[{ "@type": "google.rpc.RetryInfo" }], null],
  ["none", null],
])("reads the details %j as %s ms", (details, expected) => {
  expect(readRetryInfo(details)).toBe(expected)
})

it.each([
  ["Rate limit reached for m in org-1. Limit 30000, Used 29000. Please try again in 5.17s. Visit x.", 5170],
  ["Please try again in 1m5.5s.", 65_500],
  ["Please try again in 350ms.", 350],
  ["Please retry after 20 seconds.", 20_000],
  ["Requests are limited; wait for 2 minutes and 5 seconds", 125_000],
  ["Please try again later.", null],
  ["Retry after 3 tries", null],
])("reads the message %j as %s ms", (message, expected) => {
  expect(readAskedWait(message)).toBe(expected)
})
