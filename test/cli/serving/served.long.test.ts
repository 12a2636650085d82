import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { Figure } from "../../../src/core/report/figure.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { runCli } from "../../support/cli.ts"
import { isNightly } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { freePort } from "../../support/servers/free-port.ts"
import { startCachingEndpoint, truth } from "../bench/caching-endpoint.ts"

const slowServer = fileURLToPath(new URL("./slow-start-server.mjs", import.meta.url))

/** Runs variants over 24 samples: half of the prompts begin alike, half begin with words of their own. */
async function reported(variants: string, options: readonly string[] = []) {
  const folder = scratchDirectory()
  mkdirSync(folder, { recursive: true })
  const shared = Array.from({ length: 96 }, (_, i) => `word${i}`).join(" ")
  const rows = Array.from({ length: 24 }, (_, i) => {
    const own = `own${i} ${shared}`
    return JSON.stringify({ id: `s${i}`, input: i % 2 === 0 ? `${shared} question ${i}` : own, reference: "w0" })
  })
  writeFileSync(join(folder, "data.jsonl"), `${rows.join("\n")}\n`)
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { command, contains, dataset, defineConfig, openai, variant } from "evalkit"
export default defineConfig({ dataset: dataset("data.jsonl"), variants: [${variants}], metrics: [contains()], concurrency: 1 })
`,
  )
  const { stdout, stderr, code } = await runCli(["run", "--json", ...options], { cwd: folder })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const report = JSON.parse(stdout) as RunReport
  const table = (topic: string) => {
    const result = report.sections.find((section) => "topic" in section && section.topic === topic)
    if (!result) return null
    const { columns, rows: cells } = result.data as unknown as {
      columns: { title: string }[]
      rows: (string | number | Figure)[][]
    }
    const named = cells.map((row) => Object.fromEntries(columns.map(({ title }, at) => [title, row[at]])))
    return {
      rows: named as Record<string, string | number | Figure>[],
      sentences: result.sentences,
      caution: result.caution,
    }
  }
  return { report, table, folder }
}

const numberOf = (cell: string | number | Figure | undefined): number =>
  typeof cell === "object" && cell.status === "known" ? cell.value : Number.NaN

const price = `price: { kind: "tokens", inputPerMillion: 10, cachedInputPerMillion: 1, outputPerMillion: 0, source: "test", date: "2026-01-01" }`
const at = (url: string) => `openai({ model: "m", baseUrl: ${JSON.stringify(url)}, apiKeyVariable: null })`

describe("how the variants of a run were served", () => {
  it("splits times and costs by what the service reports of its prompt cache", async () => {
    const [keeps, silent] = [await startCachingEndpoint(), await startCachingEndpoint({ reports: false })]
    const { table } = await reported(
      `variant({ name: "keeps", provider: ${at(keeps.url)}, ${price} }), variant({ name: "silent", provider: ${at(silent.url)}, ${price} })`,
      ["--no-html"],
    )
    await Promise.all([keeps.close(), silent.close()])
    const [first, second] = table("prompt_cache")?.rows ?? []
    // The first prompt that begins alike fills the cache.
    expect(first).toMatchObject({ variant: "keeps", hits: 11, misses: 13, "not reported": 0 })
    expect(numberOf(first?.["first token, hits"])).toBeGreaterThan(truth.hitMs - 3)
    expect(numberOf(first?.["first token, hits"])).toBeLessThan(truth.missMs - 10)
    expect(numberOf(first?.["first token, misses"])).toBeGreaterThan(truth.missMs - 3)
    expect(numberOf(first?.["$ per answer, hits"])).toBeCloseTo((96 + 2 * 10) / 1e6, 9)
    expect(second?.hits).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining("reports no cached prompt tokens"),
    })
    expect(table("prompt_cache")?.sentences.join(" ")).toMatch(
      /keeps: the first token came after .* ms \(median of 11 hits\)/,
    )
  })

  it("compares answers of other lengths by their length and by token", { skip: !isNightly }, async () => {
    const [long, short] = [
      await startCachingEndpoint({ answerTokens: 12 }),
      await startCachingEndpoint({ answerTokens: 4 }),
    ]
    const { table, folder, report } = await reported(
      `variant({ name: "long", provider: ${at(long.url)}, parameters: { maxTokens: 12 } }), variant({ name: "short", provider: ${at(short.url)}, parameters: { maxTokens: 12 } })`,
      ["--no-html"],
    )
    await Promise.all([long.close(), short.close()])
    const lengths = table("answer_lengths")
    expect(lengths?.rows.map((row) => numberOf(row.mean))).toEqual([12, 4])
    expect(lengths?.rows.map((row) => numberOf(row["cut off at the limit"]))).toEqual([1, 0])
    expect(lengths?.caution).toContain("Answers of short have 4 tokens on average, those of long 12")
    expect(lengths?.caution).toContain("unknown on answers of like length, of which there are none")
    expect(lengths?.sentences.join(" ")).toContain("long: 24 of 24 answers were cut off at their token limit")
    await runCli(["report", report.run.id, "--format", "html", "--out", "report.html"], { cwd: folder })
    const page = readFileSync(join(folder, "report.html"), "utf8")
    expect(page).toContain("Lengths of the answers")
    const markdown = await runCli(["report", report.run.id, "--format", "md"], { cwd: folder })
    expect(markdown.stdout).toContain("Lengths of the answers: Answers of short have 4 tokens on average")
  })

  it("says how long a server took from nothing to its first token, and that hosted services do not show it", {
    skip: !isNightly,
  }, async () => {
    const hosted = await startCachingEndpoint()
    const port = await freePort()
    const started = `command({ command: process.execPath, args: [${JSON.stringify(slowServer)}, "${port}", "700", "400"], readiness: { url: "http://127.0.0.1:${port}/health" }, baseUrl: "http://127.0.0.1:${port}/v1", model: "slow" })`
    const { table } = await reported(
      `variant({ name: "started", provider: ${started} }), variant({ name: "hosted", provider: ${at(hosted.url)} })`,
      ["--no-html"],
    )
    await hosted.close()
    const [own, other] = table("cold_start")?.rows ?? []
    expect(numberOf(own?.download)).toBeCloseTo(1234.567, 6)
    expect(numberOf(own?.load)).toBeGreaterThan(700)
    expect(numberOf(own?.load)).toBeLessThan(5000)
    expect(numberOf(own?.["first token, cold"])).toBeGreaterThan(397)
    expect(numberOf(own?.["first token, cold"])).toBeLessThan(700)
    expect(numberOf(own?.["first token, warm"])).toBeLessThan(200)
    expect(other?.load).toMatchObject({ status: "unknown", reason: expect.stringContaining("runs elsewhere") })
    expect(numberOf(other?.["first token, cold"])).toBeGreaterThan(truth.missMs - 3)
    const [fast] = table("throughput")?.rows ?? []
    // Three tokens, of which the last two come 20 ms after the first, which comes after 10 ms.
    expect(numberOf(fast?.["tokens/s per user"])).toBeGreaterThan(40)
    expect(numberOf(fast?.["tokens/s per user"])).toBeLessThan(100)
    expect(fast?.["tokens/s per GPU"]).toMatchObject({ status: "unknown", reason: "no GPU is known to run the server" })
  })
})
