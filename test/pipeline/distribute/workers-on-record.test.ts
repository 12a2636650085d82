import { expect, it } from "vitest"
import type { JsonObject } from "../../../src/core/json.ts"
import { workersMeasured } from "../../../src/pipeline/distribute/workers-on-record.ts"

const error = { ttftMsP50: 0.4, ttftMsP99: 1, itlMsP50: 0.1, itlMsP99: 1, requests: 9, chunks: 9, chunksPerSecond: 9 }
const worker = (name: string, offsetMs: number, clientError: object | null = error) => ({
  name,
  answered: 10,
  clock: { offsetMs, errorMs: 0.5 },
  clientError,
})
const checksOf = (...workers: object[]) =>
  workersMeasured({ events: () => [{ at: "", kind: "workers", data: { workers } as unknown as JsonObject }] }, "r")

it("says nothing of a run that one process made", () => {
  expect(workersMeasured({ events: () => [] }, "r")).toEqual([])
})

it("says of each worker how far its clock and its stamps may be wrong", () => {
  expect(checksOf(worker("w0", 0.3), worker("w1", -2))).toEqual([
    {
      name: "workers' clocks and timing errors are known",
      status: "passed",
      message:
        "clocks against the store's: w0 +0.3 ± 0.5 ms, w1 −2.0 ± 0.5 ms; own timing errors: w0 TTFT ±0.40 ms, w1 TTFT ±0.40 ms",
    },
  ])
})

it("fails where times of day of two machines are apart, and does not know what a killed worker did not measure", () => {
  const [check] = checksOf(worker("w0", 0), worker("w1", 3_600_000))
  expect(check).toMatchObject({ status: "failed" })
  expect(check?.message).toMatch(/^their times of day tell nothing of what came first; durations/)
  const [killed] = checksOf(worker("w0", 0), worker("w1", 0, null))
  expect(killed).toMatchObject({ status: "unknown" })
  expect(killed?.message).toContain("w1 unknown")
})
