import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../src/cli/main.ts"
import { callCli } from "../support/call-cli.ts"
import { runCli } from "../support/cli.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()

async function evalkit(...argv: string[]) {
  const io = fakeIo({ cwd: folder, environment: { EVALKIT_CACHE_DIR: join(folder, "cache") } })
  const code = await main(["score", ...argv], io)
  return { code, out: io.stdout(), err: io.stderr() }
}

async function file(name: string, content: string | readonly object[]): Promise<string> {
  const text = typeof content === "string" ? content : content.map((row) => `${JSON.stringify(row)}\n`).join("")
  await writeFile(join(folder, name), text)
  return name
}

const config = (name: string, imports: string, metrics: string) =>
  file(
    name,
    `import { defineConfig, ${imports} } from "evalkit"\nexport default defineConfig({ metrics: [${metrics}] })\n`,
  )

const rows = [
  { id: "a", output: "the cat sat on the mat", references: ["the cat is on the mat"] },
  { id: "b", output: "Paris", reference: "Paris" },
  { id: "c", output: null, references: ["x"] },
  { id: "d", output: "x" },
]

describe("evalkit score FILE", () => {
  it("reads questions and passages of the rows, for metrics that need no config", async () => {
    const rows = [
      { id: "a", question: "Wie lange dauert die Rückerstattung bei Ihnen?", context: ["Sie dauert 5 Werktage."] },
      { id: "b", prompt: "Wie lange dauert die Rückerstattung bei Ihnen?", context: ["Sie dauert 5 Werktage."] },
      { id: "c", context: "Sie dauert 5 Werktage." },
    ].map((row) => ({ ...row, output: "Die Rückerstattung dauert bei uns 5 Werktage.", reference: "5 Werktage" }))
    const names = ["languageMatch", "ungroundedFacts", "contextRecall", "readability"]
    const { out, err } = await evalkit(
      await file("questions.jsonl", rows),
      ...names.flatMap((name) => ["--metric", name]),
      "--json",
    )
    const { metrics } = JSON.parse(out)
    expect(names.map((name) => [metrics[name].value, metrics[name].scored])).toEqual([
      [1, 2],
      [0, 3],
      [1, 3],
      [null, 0],
    ])
    expect(err).toContain("no_input: the sample has no question (field `input`, `prompt`, `question` or `messages`)")
  })

  it("counts samples with the same question as one cluster, and says so", async () => {
    const figuresOf = async (name: string, extra: (question: number) => object) => {
      const rows = Array.from({ length: 200 }, (_, i) => ({
        ...{ id: `${i}`, input: `How far is it to town ${i % 40}?`, output: i % 40 < 30 ? "9" : "8", reference: "9" },
        ...extra(i % 40),
      }))
      const { out, err } = await evalkit(await file(name, rows), "--metric", "exactMatch", "--metric", "bleu", "--json")
      return { ...JSON.parse(out), err }
    }
    const stated = await figuresOf("stated.jsonl", (question) => ({ cluster: `${question}` }))
    const { metrics, notes, err } = await figuresOf("repeated.jsonl", () => ({}))
    expect(metrics).toEqual(stated.metrics)
    expect(metrics.bleu.method).toContain("over 40 clusters")
    const sentence = "200 samples ask 40 questions (first: 40, same question as 0); samples with the same question"
    expect(notes).toEqual([expect.stringContaining(sentence)])
    expect(err).toContain(`repeated.jsonl: ${sentence}`)
    expect(stated).not.toHaveProperty("notes")
  })

  it("prints figures as JSON and writes one line per sample, with the reason where there is no value", async () => {
    const input = await file("in.jsonl", rows)
    await config("two.config.ts", "bleu, exactMatch", 'bleu({ name: "b" }), exactMatch()')
    const { code, out, err } = await evalkit(
      input,
      "--config",
      "two.config.ts",
      "--json",
      "--rows",
      join(folder, "out.jsonl"),
    )
    expect(code).toBe(0)
    const result = JSON.parse(out)
    expect(result.n).toBe(4)
    expect(result.metrics.exactMatch).toMatchObject({ value: 1 / 3, scored: 2, unscored: 2 })
    // An answer that failed counts as wrong; of those that did not it is half.
    expect(result.metrics.exactMatch).toMatchObject({ failed: 1, answered: 0.5 })
    expect(result.metrics.exactMatch.low).toBeLessThan(1 / 3)
    expect(result.metrics.b.details.counts[0]).toBe(6)
    expect(err).toContain("exact match: 1 unscored: no_reference")
    expect(err).toContain("first: d, in.jsonl:4")
    const lines = (await readFile(join(folder, "out.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.map((line) => line.id)).toEqual(["a", "b", "c", "d"])
    expect(lines[1]).toEqual({ id: "b", metrics: { b: expect.closeTo(100, 9), exactMatch: 1 } })
    expect(lines[2]).toEqual({
      id: "c",
      metrics: { b: null, exactMatch: null },
      reasons: { b: "no_output: the row's `output` is null", exactMatch: "no_output: the row's `output` is null" },
    })
    expect(lines[3].reasons.b).toMatch(/^no_reference/)
  })

  it("prints a table for people", async () => {
    const input = await file("table.jsonl", rows.slice(0, 2))
    await config("table.config.ts", "exactMatch", "exactMatch()")
    const { out } = await evalkit(input, "--config", "table.config.ts")
    expect(out).toMatch(/^ {2}metric\s+value\s+95 % interval\s+scored\n {2}exact match\s+0\.5/)
    expect(out).toContain("2 of 2")
  })

  it("says what to name where there is neither a metric nor a config, and where a column has another name", async () => {
    const lone = await mkdtemp(join(folder, "lone-"))
    const score = async (name: string, text: string, ...more: string[]) => {
      await writeFile(join(lone, name), text)
      const { code, stderr } = await callCli(["score", name, ...more], { cwd: lone })
      expect(code).toBe(2)
      return stderr
    }
    expect(await score("a.jsonl", '{"id": "1", "output": "a"}\n')).toMatch(
      /^evalkit: no metric is named, and there is no config: .*; name one: --metric exactMatch; or write a config: npx evalkit init\n$/,
    )
    const exact = ["--metric", "exactMatch"]
    expect(await score("b.csv", "id,correct_answer,model_answer\n1,a,a\n", ...exact)).toContain(
      "field output; name the column of the answers: --output-column model_answer\n",
    )
    expect(await score("c.csv", "id,gold,$(rm answer)\n1,a,a\n", ...exact)).toContain("--output-column COLUMN\n")
    expect(await score("f.jsonl", '{"id": "1", "output": "a"}\n', ...exact)).toContain(
      "name their column: --map references=COLUMN",
    )
  })

  it("reads CSV, where an empty cell is not given", async () => {
    const input = await file("in.csv", 'id,output,reference,confidence\n1,"Paris, I think",Paris,0.5\n2,007,007,\n')
    await config("csv.config.ts", "contains", 'contains({ match: "all" })')
    const { out } = await evalkit(input, "--config", "csv.config.ts", "--json")
    expect(JSON.parse(out).metrics.contains.value).toBe(1)
  })

  it("measures metrics after those that they depend on", async () => {
    const input = await file("depends.jsonl", rows.slice(0, 2))
    await file(
      "depends.config.ts",
      `import { custom, defineConfig, exactMatch } from "evalkit"
const twice = custom({ name: "twice", direction: "higher", range: [0, 2], dependsOn: ["exactMatch"],
  measure: (_sample, _generation, tools) => 2 * (tools.valueOf("exactMatch") ?? 0) })
export default defineConfig({ metrics: [twice, exactMatch()] })\n`,
    )
    const { out, err } = await evalkit(input, "--config", "depends.config.ts", "--json")
    expect(err).toBe("")
    expect(Object.keys(JSON.parse(out).metrics)).toEqual(["twice", "exactMatch"])
    expect(JSON.parse(out).metrics.twice.value).toBe(1)
  })

  it("gives the same with a worker thread as without, in the order of the rows", async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => ({
      id: `s${i}`,
      output: `word${i} and word${i % 7}`,
      references: [`word${i} or word${i % 5}`],
      cluster: `c${i % 50}`,
    }))
    const input = await file("many.jsonl", many)
    await config("workers.config.ts", "bleu, rouge, meteor", "bleu(), rouge(), meteor({ synonyms: false })")
    const results = []
    for (const workers of ["0", "1"]) {
      // The built one: a thread of the sources would compile them all on its own.
      const { code, stdout, stderr } = await runCli(
        [
          ...["score", input, "--config", "workers.config.ts", "--json", "--workers", workers],
          ...["--rows", join(folder, `rows-${workers}.jsonl`)],
        ],
        { cwd: folder },
      )
      expect(code, stderr).toBe(0)
      results.push([stdout, await readFile(join(folder, `rows-${workers}.jsonl`), "utf8")])
    }
    expect(results[1]).toEqual(results[0])
  })
})

describe("wrong use", () => {
  const refused = async (content: string | readonly object[], message: RegExp, name = "bad.jsonl") => {
    const input = await file(name, content)
    await config("bad.config.ts", "bleu", "bleu()")
    const { code, err, out } = await evalkit(input, "--config", "bad.config.ts", "--json")
    expect(err).toMatch(message)
    expect([code, out]).toEqual([2, ""])
  }

  it("names file, line and field of a row without an output", () =>
    refused([{ id: "1", text: "x" }], /no "output", only id, text: bad\.jsonl:1, field output/))

  it("names the second of two equal ids", () =>
    refused(
      [
        { id: "1", output: "x", references: ["x"] },
        { id: "1", output: "y", references: ["x"] },
      ],
      /id "1" occurs twice: bad\.jsonl:2/,
    ))

  it("says so when not a single sample has references", () =>
    refused(
      [{ id: "1", output: "x" }],
      /no sample can be scored by bleu, since the sample has no references .*first: 1, bad\.jsonl:1/,
    ))

  it("refuses an empty file, a broken line and numbers out of range", async () => {
    await refused("", /the file has no rows: bad\.jsonl/)
    await refused('{"id": 1, "output": ', /bad\.jsonl:1/)
    await refused(
      [{ output: "x", references: ["x"], confidence: 1.5 }],
      /from 0 to 1, got 1\.5: bad\.jsonl:1, field confidence/,
    )
  })

  it("refuses a config without metrics, and a file that is not there", async () => {
    await config("none.config.ts", "bleu", "")
    const none = await evalkit(await file("some.jsonl", rows), "--config", "none.config.ts")
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("the config has no metrics") })
    await config("one.config.ts", "bleu", "bleu()")
    expect(await evalkit("nowhere.jsonl", "--config", "one.config.ts")).toMatchObject({ code: 2 })
  })
})
