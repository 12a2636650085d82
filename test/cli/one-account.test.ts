import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { figureValue } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { callCli } from "../support/call-cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const index = new URL("../../dist/src/index.js", import.meta.url).href
const samples = 100

/** 95 of 100 right; and 60 right where the others failed with HTTP 500. */
const recordings = {
  steady: (i: number) => ({ text: i < 95 ? `w${i}` : "x", ttftMs: 50, e2eMs: 100 }),
  flaky: (i: number) =>
    i % 5 < 3
      ? { text: `w${i}`, ttftMs: 45, e2eMs: 90 }
      : { text: "", outcome: "http_5xx", failure: { message: "HTTP 500" }, httpStatus: 500 },
}

let folder: string
let report: RunReport

const call = (...args: readonly string[]) => callCli(args, { cwd: folder })

beforeAll(async () => {
  folder = scratchDirectory()
  for (const [name, row] of Object.entries(recordings)) {
    const lines = Array.from({ length: samples }, (_, i) => JSON.stringify({ id: `q${i}`, ...row(i) }))
    writeFileSync(join(folder, `${name}.jsonl`), `${lines.join("\n")}\n`)
  }
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { defineConfig, exactMatch, recorded, variant } from ${JSON.stringify(index)}
const price = { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 1, source: "test", date: "2026-11-01" } as const
export default defineConfig({
  dataset: Array.from({ length: ${samples} }, (_, i) => ({ id: "q" + i, input: "question " + i, reference: "w" + i, metadata: { half: i < 50 ? "first" : "second" } })),
  metrics: [exactMatch()],
  axes: ["quality", "e2eMs"],
  constraints: ["exactMatch >= 0.9"],
  gate: [{ figure: "exactMatch", min: 0.9 }],
  variants: ["steady", "flaky"].map((name) => variant({ name, price, provider: recorded(${JSON.stringify(folder)} + "/" + name + ".jsonl") })),
})
`,
  )
  const { stdout } = await call("run", "--no-html", "--json")
  report = JSON.parse(stdout) as RunReport
}, 60_000)

const flaky = () => report.variants.find(({ name }) => name === "flaky") as RunReport["variants"][number]

describe("a variant that answered 60 of 100 requests, all of them right", () => {
  it("is right in 60 % of what it was asked, with what it answered named beside", () => {
    const [figure] = flaky().quality
    expect(figure).toMatchObject({ failed: 40, scored: 60, total: 100, figure: { value: 0.6, n: 100 } })
    expect(figure?.answered).toMatchObject({ value: 1, n: 60 })
    expect(flaky().reliability).toMatchObject({ requests: 100, answered: 60, failed: 40, failedAttempts: 40 })
    expect(figureValue(flaky().availability)).toBe(0.6)
  })

  it("has one quality in comparison, frontier, limits and gate", () => {
    const [comparison] = report.comparisons
    expect(comparison?.metrics[0]).toMatchObject({ meanBaseline: 0.95, meanCandidate: 0.6 })
    const point = report.frontier?.points.find(({ variant }) => variant === "flaky")
    expect(point?.values[0]).toBe(0.6)
    expect(report.frontier?.points.find(({ variant }) => variant === "steady")).toMatchObject({ onFrontier: true })
    expect(flaky().limits?.[0]).toMatchObject({ state: "violated", value: 0.6 })
    expect(report.gate.find(({ variant }) => variant === "flaky")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("60 %"),
    })
    expect(report.decision?.verdict).toBe("keep")
  })

  it("has the same in the tables of Markdown, CSV, page and terminal", async () => {
    const markdown = (await call("report", "-f", "markdown")).stdout
    expect(markdown).toMatch(/\| . flaky \| 0\.600/)
    expect(markdown).toContain("of what was answered it is 60 of 60")
    const [header = "", , row = ""] = (await call("report", "-f", "csv")).stdout.split("\r\n")
    const cell = (name: string) => row.split(",")[header.split(",").indexOf(name)]
    expect([cell("exactMatch"), cell("exactMatch n"), cell("exactMatch answered")]).toEqual(["0.6", "100", "1"])
    expect((await call("report", "-f", "terminal")).stdout.replace(/\s+/g, " ")).toContain("flaky 0.600")
    const page = (await call("report", "-f", "html", "-o", "-")).stdout
    expect(page).toContain("of what was answered it is 60 of 60")
  })

  it("has the same for commands that read the store or the files", async () => {
    expect((await call("gate", "--min", "exactMatch=0.9", "--variant", "flaky")).code).toBe(3)
    const trend = JSON.parse((await call("trend", "flaky", "--json")).stdout) as {
      readonly points: readonly { readonly figure?: { readonly value: number }; readonly value?: number }[]
    }
    expect(trend.points.map(({ figure, value }) => figure?.value ?? value)).toEqual([0.6])
    const compared = JSON.parse((await call("compare", "steady", "flaky", "--json")).stdout) as {
      readonly metrics: { readonly exactMatch: object }
    }
    expect(compared.metrics.exactMatch).toMatchObject({ mean_a: 0.95, mean_b: 0.6 })
    const rows = Array.from({ length: 10 }, (_, i) => ({
      id: `q${i}`,
      output: i < 8 ? (i < 6 ? "y" : "n") : null,
      reference: "y",
    }))
    writeFileSync(join(folder, "answers.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"))
    const scored = JSON.parse((await call("score", "answers.jsonl", "--metric", "exactMatch", "--json")).stdout) as {
      readonly metrics: { readonly exactMatch: object }
    }
    expect(scored.metrics.exactMatch).toMatchObject({ value: 0.6, answered: 0.75, failed: 2, scored: 8 })
  })
})
