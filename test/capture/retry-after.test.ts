import { expect, it } from "vitest"
import { readRetryAfter, readRetryInfo } from "../../src/capture/retry-after.ts"

const nowMs = Date.parse("2026-11-21T00:00:00Z")

it.each([
  [{ "retry-after": "120" }, 120_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
  [{ "retry-after": "Sat, 21 Nov 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Fri, 20 Nov 2026 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "-5" }, null],
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
