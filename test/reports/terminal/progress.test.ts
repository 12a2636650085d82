import { Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import { progressLines, progressSummary } from "../../../reports/terminal/progress.ts"
import { createProgressPainter } from "../../../reports/terminal/progress-painter.ts"
import { cells } from "../../../reports/terminal/style.ts"
import type { RunProgress, VariantProgress } from "../../../src/core/run/progress.ts"

const variant: VariantProgress = {
  name: "m-f16",
  planned: 900,
  finished: 225,
  inFlight: 4,
  limit: 8,
  requestsPerSecond: 12.34,
  tokensPerSecond: 456,
  remainingMs: 54_700,
  costUsd: 0.0123,
  retries: 2,
  failures: { rate_limited: 3 },
  waiting: "429, waiting 12 s",
}
const progress: RunProgress = {
  name: "tiny-tasks",
  runId: "7f3a",
  stage: "generating",
  elapsedMs: 18_000,
  variants: [variant, { ...variant, name: "m-q8_0", waiting: null, failures: {}, retries: 0 }],
  budgetUsd: 5,
  note: null,
}
const plain = { columns: 140, color: false, unicode: true }

describe("progress", () => {
  it("shows one line per variant, one for the whole and one for what it waits for", () => {
    expect(progressLines(progress, plain)).toEqual([
      " m-f16  █████░░░░░░░░░░░░░░░ 225/900  12.3/s  55 s left  4/8 in flight  456 system t/s  $0.0123  2 retried  3 rate_limited",
      " m-q8_0 █████░░░░░░░░░░░░░░░ 225/900  12.3/s  55 s left  4/8 in flight  456 system t/s  $0.0123",
      " tiny-tasks: generating · 450 of 1,800 (25 %) · 18 s so far · 55 s left · $0.0246 of $5.00 · 3 failed",
      " m-f16: 429, waiting 12 s",
    ])
  })

  it("shows what others spend once, for all variants together, and says where nobody counts it", () => {
    const variants = progress.variants.map((entry) => ({ ...entry, costUsd: null }))
    const lines = progressLines({ ...progress, variants, spentUsd: 1.25 }, plain)
    expect(lines[0]).not.toContain("cost")
    expect(lines[2]).toContain("$1.25 of $5.00")
    expect(progressSummary({ ...progress, variants, spentUsd: 1.25 })).toContain(", $1.25")
    expect(progressSummary({ ...progress, variants, spentUsd: null })).toContain("cost counted at the end")
  })

  it("says of variants that are scored in turn how long all of them take", () => {
    const scored = [
      { ...variant, finished: 500, requestsPerSecond: 100, remainingMs: 4_000 },
      { ...variant, finished: 0, requestsPerSecond: null, remainingMs: null },
    ]
    const summary = progressSummary({ ...progress, stage: "scoring", variants: scored })
    expect(summary).toContain("scoring 500 of 1,800 (27 %), 100/s, 13 s left")
  })

  it("does not say that a stage is done which counts no answers", () => {
    const variants = progress.variants.map((entry) => ({ ...entry, finished: entry.planned }))
    expect(progressSummary({ ...progress, stage: "summarising", variants })).toMatch(/^summarising, 24/)
  })

  it("stays within the width of the terminal", () => {
    for (const columns of [20, 40, 61, 80, 100])
      for (const unicode of [true, false])
        for (const line of progressLines(progress, { columns, color: true, unicode }))
          expect(cells(line)).toBeLessThanOrEqual(columns)
  })

  it("leaves out whole facts where there is no room, never one that failed before one that is slow", () => {
    for (const columns of [60, 80, 100]) {
      const [line = "", , whole = ""] = progressLines(progress, { columns, color: false, unicode: true })
      expect(line + whole).not.toContain("\u2026")
      expect(line).toMatch(/225\/900 {2}.*3 rate_limited$/)
      expect(whole).toMatch(/^ tiny-tasks: generating .* failed$/)
    }
    expect(progressLines(progress, { columns: 60, color: false, unicode: true })[0]).not.toContain("system t/s")
  })

  it("does without characters outside ASCII", () => {
    expect(progressLines(progress, { ...plain, unicode: false }).join("")).toMatch(/^[ -~]*$/)
  })

  it("says that a cost is unknown instead of leaving it out of the sum", () => {
    const unknown = { ...progress, variants: [variant, { ...variant, costUsd: null }] }
    expect(progressSummary(unknown)).toContain("cost unknown")
  })

  it("never claims a hundred per cent before the last answer", () => {
    const nearly = { ...progress, variants: [{ ...variant, planned: 100_000, finished: 99_999 }] }
    expect(progressSummary(nearly)).toContain("(99 %)")
  })

  it("shows no escape code that a variant or a server sent", () => {
    const hostile = {
      ...progress,
      note: "\u001b]0;owned\u0007\u001b[2Jboo",
      variants: [{ ...variant, name: "a\u001b[31m\nb" }],
    }
    expect(progressLines(hostile, plain).join("\n")).not.toMatch(/\u001b|\u0007/)
  })

  it("writes plain lines, seldom, where there is no terminal", async () => {
    const chunks: string[] = []
    let time = 0
    const stream = new Writable({
      write(chunk, _encoding, next) {
        chunks.push(String(chunk))
        next()
      },
    })
    const painter = await createProgressPainter({
      stream,
      interactive: false,
      color: false,
      unicode: true,
      now: () => time,
    })
    painter.paint(progress)
    time = 1_900
    painter.paint({ ...progress, elapsedMs: 19_900 })
    painter.paint({ ...progress, stage: "scoring" })
    painter.done()
    expect(chunks).toHaveLength(2)
    expect(chunks[0]).toBe(
      "generating 450 of 1,800 (25 %), 24.7/s, 55 s left, 3 failed, $0.0246\n  m-f16: 429, waiting 12 s\n",
    )
    expect(chunks[1]).toContain("scoring 450 of 1,800")
  })

  it("writes the second plain line after two seconds, with the first rates, and then one in ten", async () => {
    const at: number[] = []
    let time = 0
    const stream = new Writable({
      write(_chunk, _encoding, next) {
        at.push(time)
        next()
      },
    })
    const painter = await createProgressPainter({
      stream,
      interactive: false,
      color: false,
      unicode: true,
      now: () => time,
    })
    for (; time <= 30_000; time += 125)
      painter.paint({ ...progress, variants: [{ ...variant, finished: time }], elapsedMs: time })
    expect(at).toEqual([0, 2_000, 12_000, 22_000])
  })

  it("redraws on a terminal and clears what it drew", async () => {
    const chunks: string[] = []
    const stream = Object.assign(
      new Writable({
        write(chunk, _encoding, next) {
          chunks.push(String(chunk))
          next()
        },
      }),
      { columns: 100, rows: 40, isTTY: true },
    )
    const painter = await createProgressPainter({
      stream,
      interactive: true,
      color: false,
      unicode: true,
      now: () => 0,
    })
    painter.paint(progress)
    painter.done()
    expect(chunks.join("")).toContain("tiny-tasks: generating")
  })
})
