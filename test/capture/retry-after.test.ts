import { expect, it } from "vitest"
import { readRetryAfter } from "../../src/capture/retry-after.ts"

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
