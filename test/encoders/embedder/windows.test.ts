import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { windowsOf } from "../../../src/encoders/embedder/worker/windows.ts"

describe("windowsOf", () => {
  it("reads a short text at once", () => {
    expect(windowsOf(5, 8)).toEqual([{ start: 0, end: 5, keepStart: 0, keepEnd: 5 }])
    expect(windowsOf(0, 8)).toEqual([{ start: 0, end: 0, keepStart: 0, keepEnd: 0 }])
  })

  it("splits an overlap in the middle", () => {
    expect(windowsOf(10, 8)).toEqual([
      { start: 0, end: 8, keepStart: 0, keepEnd: 5 },
      { start: 2, end: 10, keepStart: 5, keepEnd: 10 },
    ])
  })

  it("keeps every token from exactly one window that has read it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 60 }), (length, size) => {
        const windows = windowsOf(length, size)
        expect(
          windows.flatMap((w) => Array.from({ length: w.keepEnd - w.keepStart }, (_, i) => w.keepStart + i)),
        ).toEqual(Array.from({ length }, (_, i) => i))
        for (const { start, end, keepStart, keepEnd } of windows) {
          expect(end - start).toBeLessThanOrEqual(size)
          expect(start <= keepStart && keepEnd <= end).toBe(true)
        }
      }),
    )
  })
})
