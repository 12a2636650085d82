import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cells } from "../../../reports/terminal/style.ts"
import { cliPath, runCli } from "../../support/cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { type Shown, showEachIn, showIn, tmuxPath, warnWithoutTmux } from "../../support/terminal/tmux.ts"
import { startEndpoint } from "../bench/endpoint.ts"

warnWithoutTmux()

const widths = [60, 80, 120] as const
const index = new URL("../../../dist/src/index.js", import.meta.url).href
const config = `import { contains, defineConfig, exactMatch, fromFunction } from ${JSON.stringify(index)}
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, source: "test", date: "2026-11-22" } as const
const one = (name: string, wrong: number) => ({
  name,
  provider: fromFunction(async ({ sample }) => {
    if (process.env.REFUSE) throw Object.assign(new Error("Incorrect API key provided: you can find yours on the account page"), { status: 401 })
    await new Promise((resume) => setTimeout(resume, 2 + wrong))
    if (wrong > 0 && sample.id === "s3") throw new Error("the index was not reachable")
    return { text: Number(sample.id.slice(1)) % 10 < wrong ? "wrong" : "right", usage: { promptTokens: 12, completionTokens: 3 } }
  }, { name, price }),
})
export default defineConfig({
  name: "widths",
  dataset: Array.from({ length: 40 }, (_, i) => ({ id: "s" + i, input: "Question number " + i, reference: "right" })),
  variants: Array.from({ length: Number(process.env.VARIANTS ?? 2) }, (_, i) =>
    one(i === 0 ? "organisation-large-8b" : "small-" + i + "b-instruct-q" + (i % 5), i % 10)),
  metrics: [exactMatch(), contains()],
  constraints: ["exactMatch > 0.95", "p95 E2E < 2 ms"],
  concurrency: 8,
})
`

describe.skipIf(!tmuxPath)("a real terminal", { timeout: 180_000 }, () => {
  const folders = { two: scratchDirectory(), twelve: scratchDirectory(), refused: scratchDirectory() }
  const environments = { two: {}, twelve: { VARIANTS: "12" }, refused: { REFUSE: "1" } }
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>

  beforeAll(async () => {
    for (const folder of Object.values(folders)) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "eval.config.ts"), config)
    }
    endpoint = await startEndpoint()
    const results = await Promise.all([
      runCli(["run"], { cwd: folders.twelve, environment: environments.twelve }),
      runCli(["run"], { cwd: folders.refused, environment: environments.refused }),
    ])
    expect(results.map(({ code }) => code)).toEqual([0, 5])
  }, 120_000)

  afterAll(() => endpoint?.close())

  const at = (
    columns: number,
    args: readonly string[],
    cwd: string,
    environment: Readonly<Record<string, string>> = {},
  ) => showIn(columns, [process.execPath, cliPath, ...args], { cwd, environment })

  /** What a terminal of this width shows of each command, run once. */
  async function showAll(columns: number) {
    const bench = ["bench", "--url", endpoint.url, "--model", "m", "--requests", "6", "--concurrency", "1,2"]
    const lines = {
      run: { args: ["run"], cwd: folders.two },
      many: { args: ["show"], cwd: folders.twelve },
      refused: { args: ["show"], cwd: folders.refused },
      list: { args: ["runs"], cwd: folders.twelve },
      compared: { args: ["compare", "organisation-large-8b", "small-1b-instruct-q1"], cwd: folders.twelve },
      bench: { args: [...bench, "--no-calibrate", "--capture-threads", "0"], cwd: folders.two },
      wrong: { args: ["compare", "organisation-large-8b", "--missing", "nothing-of-that-kind"], cwd: folders.two },
    }
    const shown = await showEachIn(columns, Object.values(lines))
    return Object.fromEntries(Object.keys(lines).map((name, i) => [name, shown[i]])) as Record<
      keyof typeof lines,
      Shown
    >
  }
  const looked = new Map<number, ReturnType<typeof showAll>>()
  const shownAt = (columns: number) => {
    const shown = looked.get(columns) ?? showAll(columns)
    looked.set(columns, shown)
    // A second try looks anew.
    shown.catch(() => looked.delete(columns))
    return shown
  }

  /** Nothing is wider than the terminal, which would break it in the middle of a word; no word of ours is cut. */
  function fits({ lines, wrapped }: Shown, columns: number): void {
    expect(wrapped).toEqual([])
    for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(columns)
  }

  it.each(widths)("shows the summary of two variants whole at %i columns, after its progress", async (columns) => {
    const { run: shown } = await shownAt(columns)
    const text = shown.lines.join("\n")
    expect({ code: shown.code, text }).toEqual({ code: 0, text: expect.stringMatching(/ failed$/m) })
    fits(shown, columns)
    expect(text).toContain("$ per 1k")
    expect(text.replace(/ \\\n +/g, " ").replace(/\s+/g, " ")).toContain(
      "evalkit compare organisation-large-8b small-1b-instruct-q1",
    )
    expect(text).toMatch(/^ limit {5}/m)
    // Colours and a progress that is drawn over itself are for a person.
    expect(shown.raw).toContain("\u001b[1m")
  })

  it.each(widths)(
    "shows twelve variants, a run without answers, the list and a comparison at %i columns",
    async (columns) => {
      const { many, refused, list, compared } = await shownAt(columns)
      fits(many, columns)
      const table = many.lines.join("\n")
      expect(table).toMatch(/\$ per 1k +failed(?: +failed attempts)?$/m)
      expect(table.match(/^ [▲●○·] /gm)?.length).toBeGreaterThanOrEqual(12)

      fits(refused, columns)
      expect(refused.lines.join(" ").replace(/\s+/g, " ")).toContain("NO ANSWER The service refused every call")

      fits(list, columns)
      expect(list.lines[1]).toMatch(/^ {2}[0-9a-f]{8} {2}widths .*finished/)

      fits(compared, columns)
      expect(compared.lines[0]).toMatch(/^(KEEP|INCONCLUSIVE|SWAP) {3}/)
    },
  )

  it.each(widths)("shows a bench at %i columns", async (columns) => {
    const { bench: shown } = await shownAt(columns)
    expect(shown.code).toBe(0)
    fits(shown, columns)
    expect(shown.lines.join("\n")).toMatch(/answered .*\$ per 1k$/m)
  })

  it.each(widths)("says what is wrong at %i columns without breaking a word", async (columns) => {
    const { wrong } = await shownAt(columns)
    expect(wrong.code).toBe(2)
    fits(wrong, columns)
    expect(wrong.lines.join(" ").replace(/\s+/g, " ")).toContain("see: npx evalkit compare --help")
  })

  it("has no colour under NO_COLOR, and draws nothing over itself under CI", async () => {
    const plain = await at(80, ["show"], folders.twelve, { NO_COLOR: "1" })
    expect(plain.raw).not.toContain("\u001b")
    const ci = await at(80, ["run"], folders.two, { CI: "1", NO_COLOR: "1" })
    expect(ci.code).toBe(0)
    expect(ci.raw).not.toContain("\u001b")
    expect(ci.raw.replaceAll("\r\n", "\n")).not.toContain("\r")
    fits(ci, 80)
    const coloured = await at(80, ["run"], folders.two, { CI: "1" })
    // Colours end with m; nothing else moves the cursor or clears a line.
    expect(coloured.raw.replace(/\u001b\[\d+(;\d+)*m/g, "")).not.toContain("\u001b")
  })

  it("has neither in a pipe, and breaks no line there", async () => {
    const { stdout, stderr } = await runCli(["show"], { cwd: folders.twelve, environment: { NO_COLOR: "" } })
    expect(stdout + stderr).not.toContain("\u001b")
    const line = ["bench", "--url", endpoint.url, "--model", "m", "--requests", "4", "--concurrency", "1,2"]
    const bench = await runCli([...line, "--no-calibrate", "--capture-threads", "0"], { cwd: folders.two })
    expect(bench.stdout).toContain("system t/s")
  })
})
