import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()

async function evalkit(argv: readonly string[], input?: string) {
  const piped = input === undefined ? {} : { input: () => chunksOf(input) }
  const io = fakeIo({ cwd, environment: { EVALKIT_CACHE_DIR: join(cwd, "cache") }, ...piped })
  const code = await main(argv, io)
  return { code, out: io.stdout(), err: io.stderr(), json: () => JSON.parse(io.stdout()) }
}

/** Bytes in pieces that cut lines and characters. */
async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}

function write(name: string, rows: readonly object[]): string {
  writeFileSync(join(cwd, name), `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`)
  return name
}

const words = ["the", "old", "cat", "sat", "on", "a", "red", "mat", "near", "my", "door", "today"]

/** Eighty questions with references and the answers of two systems: the second changes a word of every third. */
const both = Array.from({ length: 80 }, (_, i) => {
  const said = Array.from({ length: 8 }, (_, k) => words[(i * 5 + k * (1 + (i % 3))) % words.length] as string)
  return {
    id: `s${i}`,
    question: `what is picture ${i}?`,
    gold: said.join(" "),
    output_1: (i % 4 === 0 ? said.with(2, "blue") : said).join(" "),
    output_2: (i % 3 === 0 ? said.with(5, "green") : said).join(" "),
    cluster: `c${i % 30}`,
  }
})
write("both.jsonl", both)
write(
  "one.jsonl",
  both.map(({ id, gold, output_1, cluster }) => ({ id, references: [gold], output: output_1, cluster })),
)
write(
  "two.jsonl",
  both.map(({ id, gold, output_2, cluster }) => ({ id, references: [gold], output: output_2, cluster })).reverse(),
)

describe("score FILE without a config", () => {
  it("scores the named column with metrics of the catalogue, whichever way round --map is written", async () => {
    const expected = (
      await evalkit(["score", "two.jsonl", "--metric", "bleu", "--metric", "exact_match", "--json"])
    ).json()
    expect(expected.metrics.exactMatch.value).toBeCloseTo(53 / 80, 12)
    for (const more of [
      ["--output-column", "output_2", "--map", "references=gold"],
      ["--map", "answer=output_2", "gold=references"],
      ["--map", "output_2=answer", "references:=gold"],
      ["--map", "output_2=output", "--map", "reference=gold"],
    ]) {
      const { json, err } = await evalkit(["score", "both.jsonl", "--metric", "bleu,exactMatch", "--json", ...more])
      expect(json(), err).toEqual(expected)
    }
  })

  it("refuses a pair that may be read both ways, and takes it where the direction is said", async () => {
    write("swapped.jsonl", [{ output: "right", answer: "wrong", references: ["right"] }])
    const args = ["score", "swapped.jsonl", "--metric", "exactMatch", "--json", "--map"]
    const { code, err } = await evalkit([...args, "output=references"])
    expect(code).toBe(2)
    expect(err).toMatch(/both "output" and "references" are columns.*output:=references fills output from the column/)
    expect((await evalkit([...args, "output:=answer"])).json().metrics.exactMatch.value).toBe(0)
  })

  it.each([
    [["--output-column", "output2"], /has no "output2".*did you mean "output_/],
    [["--map", "references=godl"], /has no "godl".*both\.jsonl:1; did you mean "gold"/],
    [["--output-column", "gold", "--map", "output=output_1"], /output is named twice/],
    [["--map", "output=output_1", "answer=output_2"], /--map names output twice/],
    [["--metric", "blue"], /no metric "blue".*did you mean "bleu"/],
  ])("names what is wrong with %j", async (more, message) => {
    const { code, err } = await evalkit(["score", "both.jsonl", "--metric", "rougeL", ...more])
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })

  it("reads JSONL, a JSON list, CSV and TSV from standard input", async () => {
    const args = ["score", "-", "--metric", "exactMatch", "--json"]
    const rows = [
      { id: "a", output: "ä yes", reference: "ä yes" },
      { id: "b", output: "no", reference: "yes" },
    ]
    const table = (sign: string) =>
      [["id", "output", "reference"], ...rows.map((row) => Object.values(row))].map((row) => row.join(sign)).join("\n")
    for (const text of [
      rows.map((row) => JSON.stringify(row)).join("\n"),
      `\uFEFF  ${JSON.stringify(rows)}`,
      table(","),
      `${table("\t")}\n`,
    ]) {
      const { json, err } = await evalkit(args, text)
      expect(json().metrics.exactMatch, err).toMatchObject({ value: 0.5, scored: 2 })
    }
    expect((await evalkit(args, '{"id": "a", "output": 1\n')).err).toMatch(/not JSON.*stdin:1/)
    expect((await evalkit(args, "PAR1xxxx\n")).err).toMatch(/Parquet cannot be read from standard input/)
    expect(await evalkit(args)).toMatchObject({ code: 2, err: expect.stringMatching(/nothing is piped/) })
    expect(await evalkit(args, "")).toMatchObject({ code: 2, err: expect.stringMatching(/has no rows/) })
  })

  it("writes precision and recall of ROUGE, clusters, and what the metrics are like", async () => {
    const args = ["--metric", "rouge1", "--metric", "ter", "--json", "--rows", join(cwd, "parts.jsonl")]
    write("parts-in.jsonl", [{ id: "a", output: "the cat sat", references: ["the cat was here"], cluster: "k" }])
    await evalkit(["score", "parts-in.jsonl", ...args])
    const [row] = readFileSync(join(cwd, "parts.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    // rouge_score 0.1.2: precision 2/3, recall 2/4.
    expect(row.parts.rouge1).toEqual({ precision: 2 / 3, recall: 0.5 })
    expect(row.metrics.rouge1).toBeCloseTo(4 / 7, 12)
    expect(row).toMatchObject({ id: "a", cluster: "k", lower: ["ter"], sets: ["ter"] })
  })
})

describe("compare of plain files", () => {
  it("gives from score --rows the verdict that --metric gives from the outputs", async () => {
    for (const name of ["one", "two"])
      await evalkit(["score", `${name}.jsonl`, "--metric", "rougeL,ter", "--rows", `${name}.scores.jsonl`, "--json"])
    const scored = (await evalkit(["compare", "one.jsonl", "two.jsonl", "--metric", "rougeL", "--json"])).json()
    const read = (
      await evalkit(["compare", "one.scores.jsonl", "two.scores.jsonl", "--on", "metrics.rougeL", "--json"])
    ).json()
    // The random draws of a p value go with the metric's name.
    const { sentence: _, p, p_adjusted, p_error, ...figures } = scored.metrics.rougeL
    expect(read.metrics["metrics.rougeL"].p).toBeCloseTo(p, 1)
    expect(read.metrics["metrics.rougeL"]).toMatchObject(figures)
    expect(figures).toMatchObject({ pairs: 80, clusters: 30 })
    expect([read.verdict, read.quality]).toEqual([scored.verdict, scored.quality])
    const all = (await evalkit(["compare", "one.scores.jsonl", "two.scores.jsonl", "--json"])).json()
    expect(Object.keys(all.metrics)).toEqual(["metrics.rougeL", "metrics.ter"])
    expect(all.metrics["metrics.ter"].direction).toBe("lower")
    expect(all.notes.join("\n")).toMatch(/metrics\.ter: the mean of the answers' own values.*--metric ter/)
    const parts = await evalkit([
      "compare",
      "one.scores.jsonl",
      "two.scores.jsonl",
      "--on",
      "parts.rougeL.recall",
      "--json",
    ])
    expect(parts.json().metrics["parts.rougeL.recall"].pairs).toBe(80)
  })

  it("tests a corpus metric by resampling the answers of both files together", async () => {
    const { code, json } = await evalkit([
      "compare",
      "one.jsonl",
      "two.jsonl",
      "--metric",
      "bleu",
      "--json",
      "--seed",
      "7",
    ])
    const { metrics, notes } = json()
    const figures = await Promise.all(
      ["one", "two"].map(
        async (name) =>
          (await evalkit(["score", `${name}.jsonl`, "--metric", "bleu", "--json"])).json().metrics.bleu.value,
      ),
    )
    expect([metrics.bleu.mean_a, metrics.bleu.mean_b]).toEqual(figures)
    expect(metrics.bleu.difference).toBeCloseTo(figures[1] - figures[0], 10)
    expect(metrics.bleu.method).toMatch(/bootstrap|resampl|jackknife|permut/i)
    expect(metrics.bleu).toMatchObject({ n: 80, pairs: 80, clusters: 30, margin: 1 })
    expect(metrics.bleu.low).toBeLessThan(metrics.bleu.difference)
    expect(metrics.bleu.high).toBeGreaterThan(metrics.bleu.difference)
    expect([0, 3, 4]).toContain(code)
    expect(notes.join()).toMatch(/bleu: measured here, bleu\|nrefs:var/)
  })

  it("compares two columns of one file, and one piped file with another", async () => {
    const expected = (await evalkit(["compare", "one.jsonl", "two.jsonl", "--metric", "exactMatch", "--json"])).json()
      .metrics.exactMatch
    const columns = (
      await evalkit([
        "compare",
        "both.jsonl:output_1",
        "both.jsonl:output_2",
        "--metric",
        "exactMatch",
        "--map",
        "references=gold",
        "--json",
      ])
    ).json()
    const { sentence: _, ...figures } = expected
    expect(columns.metrics.exactMatch).toMatchObject(figures)
    expect([columns.a, columns.b]).toEqual(["output_1", "output_2"])
    const piped = await evalkit(
      ["compare", "-", "two.jsonl", "--metric", "exactMatch", "--json"],
      readFileSync(join(cwd, "one.jsonl"), "utf8"),
    )
    expect(piped.json().metrics.exactMatch).toMatchObject(figures)
  })

  it("counts an output of null as a failure either way", async () => {
    const holes = both.map(({ id, gold, output_1 }, i) => ({ id, references: [gold], output: i % 9 ? output_1 : null }))
    write("holes.jsonl", holes)
    await evalkit(["score", "holes.jsonl", "--metric", "exactMatch", "--rows", "holes.scores.jsonl", "--json"])
    await evalkit(["score", "two.jsonl", "--metric", "exactMatch", "--rows", "two.exact.jsonl", "--json"])
    const scored = (await evalkit(["compare", "two.jsonl", "holes.jsonl", "--metric", "exactMatch", "--json"])).json()
    const read = (
      await evalkit(["compare", "two.exact.jsonl", "holes.scores.jsonl", "--on", "metrics.exactMatch", "--json"])
    ).json()
    expect(scored.metrics.exactMatch.missing).toMatchObject({ failed_b: 9, unmeasured_b: 0, counted_as: 0 })
    expect(read.metrics["metrics.exactMatch"].missing).toEqual(scored.metrics.exactMatch.missing)
    expect(read.metrics["metrics.exactMatch"].difference).toBe(scored.metrics.exactMatch.difference)
  })

  it.each([
    [
      ["one.scores.jsonl", "two.scores.jsonl", "--on", "rougeL"],
      /no row has .* in "rougeL".*did you mean "metrics\.rougeL"/,
    ],
    [
      ["one.jsonl", "two.jsonl", "--metric", "bleu", "--on", "bleu"],
      /--metric measures the outputs, --on is about scores/,
    ],
    [["both.jsonl", "two.jsonl", "--metric", "bleu"], /has no "output"/],
    [["-", "-", "--metric", "bleu"], /standard input can be one of the two only/],
    [["both.jsonl:output_1", "both.jsonl:output_2"], /holds rows, no variants.*--on.*--metric/],
    [["both.jsonl:output_3", "both.jsonl:output_2", "--metric", "bleu"], /has no "output_3".*did you mean "output_/],
    [
      ["both.jsonl:output_1", "both.jsonl:output_2", "--metric", "bleu"],
      /no answer can be scored by bleu: no_reference.*--map references=COLUMN/,
    ],
  ])("says what is wrong with compare %j", async (args, message) => {
    const { code, err } = await evalkit(["compare", ...args])
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })

  it("takes metrics of a config by their names, and ids of several fields", async () => {
    writeFileSync(
      join(cwd, "own.config.ts"),
      `import { custom, defineConfig, exactMatch } from "evalkit"
export default defineConfig({ metrics: [exactMatch(), custom({ name: "short", direction: "higher", range: [0, 1],
  measure: (_sample, { text }) => Number(text.length < 30) })] })`,
    )
    const args = ["--config", "own.config.ts", "--metric", "short", "--json", "--id", "id,cluster"]
    const { json, err } = await evalkit(["compare", "one.jsonl", "two.jsonl", ...args])
    expect(Object.keys(json().metrics), err).toEqual(["short"])
    expect(json().metrics.short.pairs).toBe(80)
  })
})
