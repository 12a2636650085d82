import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command } from "../../../src/cli/compare/compare.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()

function write(name: string, rows: readonly object[]): string {
  writeFileSync(join(folder, name), `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`)
  return name
}

/** 900 rows: 26 right→wrong, 10 wrong→right. */
const a = Array.from({ length: 900 }, (_, i) => ({ id: `s${i}`, correct: i < 776, bleu: (i * 7) % 50 }))
const b = a.map((row, i) => ({ ...row, correct: i < 26 ? false : i >= 776 && i < 786 ? true : row.correct }))
write("a.jsonl", a)
write("b.jsonl", [...b].reverse())

async function compare(args: Record<string, unknown>) {
  const io = fakeIo({ cwd: folder })
  const code = await command.run({ a: "a.jsonl", b: "b.jsonl", json: true, ...args }, io)
  return { code, printed: io.stdout(), json: () => JSON.parse(io.stdout()) }
}

describe("evalkit compare of two files", () => {
  it("pairs rows by id, whatever their order, and prints the promised JSON", async () => {
    const { code, json } = await compare({ on: ["correct"], margin: 0.05 })
    expect(code).toBe(0)
    const { metrics, verdict, a: first, b: second } = json()
    expect([first, second, verdict]).toEqual(["a.jsonl", "b.jsonl", "swap"])
    expect(metrics.correct).toMatchObject({
      n: 900,
      pairs: 900,
      mean_a: 776 / 900,
      mean_b: 760 / 900,
      mcnemar: { b: 26, c: 10 },
      verdict: "non_inferior",
      needed_n: null,
    })
    expect(metrics.correct.p).toBeCloseTo(0.01133, 4)
    expect(metrics.correct.difference).toBeCloseTo(-16 / 900, 12)
  })
  it("compares every column of numbers when none is named; the first decides", async () => {
    const { metrics } = (await compare({})).json()
    expect(Object.keys(metrics)).toEqual(["correct", "bleu"])
    expect(metrics.correct.primary).toBe(true)
    expect(metrics.bleu.primary).toBe(false)
  })
  it("ends in 3 when B is worse and in 4 when that is open", async () => {
    expect(
      (await compare({ a: "b.jsonl", b: "a.jsonl", on: ["correct"], lower: ["correct"], margin: 0.001 })).code,
    ).toBe(3)
    expect((await compare({ on: ["correct"], margin: 0.02 })).code).toBe(4)
  })
  it("shows the verdict, the table and the flips in words", async () => {
    const { printed } = await compare({ on: ["correct"], margin: 0.05, json: false })
    expect(printed).toContain(
      "SWAP   b.jsonl can replace a.jsonl as far as quality goes: it is as good on correct within 5 points",
    )
    expect(printed).toContain("26 right → wrong, 10 wrong → right, McNemar p = 0.011")
    expect(printed).toContain("right → wrong: 26 (s0, s1, s10, s11, s12 …)")
  })
  it("pairs by several fields and reads CSV", async () => {
    const rows = ["test,language,score", "t1,js,0.5", "t1,py,0.75", "t2,js,1"]
    writeFileSync(join(folder, "one.csv"), rows.join("\n"))
    writeFileSync(join(folder, "two.csv"), [rows[0], rows[3], rows[2], rows[1]].join("\n"))
    const { metrics } = (await compare({ a: "one.csv", b: "two.csv", id: "test,language" })).json()
    expect(metrics.score).toMatchObject({ pairs: 3, difference: 0 })
  })
  it("leaves columns out where the screen is narrow, whether or not progress is shown on it", async () => {
    const io = { ...fakeIo({ cwd: folder }), takesBytes: false, interactive: false, columns: 60 }
    await command.run({ a: "a.jsonl", b: "b.jsonl", on: ["correct"], margin: 0.05 }, io)
    const lines = io.stdout().split("\n")
    expect(lines.find((line) => line.startsWith("  metric"))).toMatch(/verdict +B − A +bound +pairs/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
  })
  it("says of files without a common id which ids they have, and counts no answer as changed", async () => {
    write("elsewhere.jsonl", [
      { id: "z1", correct: true },
      { id: "z2", correct: false },
    ])
    const { code, printed } = await compare({ b: "elsewhere.jsonl", on: ["correct"], json: false })
    expect(code).toBe(4)
    expect(printed).toContain("NOT COMPARABLE   elsewhere.jsonl and a.jsonl cannot be compared")
    expect(printed).toContain(
      'note: the files share no id, by which rows are paired: a.jsonl has "s0", "s1" …, elsewhere.jsonl has "z1", "z2"; name another field with --id',
    )
    expect(printed).not.toContain("right → wrong")
    const scored = await compare({
      a: write("one.jsonl", [{ id: "1", output: "a", reference: "a" }]),
      b: write("two.jsonl", [{ id: "2", output: "a", reference: "a" }]),
      metric: ["exactMatch"],
      json: false,
    })
    expect(scored.printed).toContain(
      'the files share no id, by which rows are paired: one.jsonl has "1", two.jsonl has "2"',
    )
  })
  it("counts samples with the same question as one cluster, and says so", async () => {
    const asked = (correct: (question: number) => boolean) =>
      Array.from({ length: 120 }, (_, i) => {
        const question = i % 40
        return {
          id: `s${i}`,
          prompt: `Why is the answer of riddle ${question} so long?`,
          output: "x",
          reference: correct(question) ? "x" : "y",
          correct: correct(question),
        }
      })
    const [first, second] = [asked((question) => question > 8), asked((question) => question > 9)].map((rows, i) =>
      write(
        `asked-${i}.jsonl`,
        rows.map(({ reference, ...row }) => row),
      ),
    ) as [string, string]
    const { printed } = await compare({ a: first, b: second, on: ["correct"], json: false })
    expect(printed).toContain("120 samples ask 40 questions (first: s40, same question as s0)")
    expect(printed).toContain("n = 120 samples; 40 clusters: samples with the same question;")
    const own = asked(() => true).map((row, i) => ({ ...row, cluster: `own ${i % 60}` }))
    const stated = await compare({ a: write("own.jsonl", own), b: "own.jsonl", metric: ["exactMatch"], json: false })
    expect(stated.printed).toContain("60 clusters;")
  })
  it("pairs two systems that retrieve other passages for the same questions", async () => {
    const side = (name: string, passage: string) =>
      write(
        name,
        ["a", "b", "c"].map((id) => ({
          id,
          question: `About ${id}?`,
          context: [passage],
          output: "x",
          reference: "x",
        })),
      )
    const { metrics } = (
      await compare({ a: side("rag-a.jsonl", "one"), b: side("rag-b.jsonl", "two"), metric: ["exactMatch"] })
    ).json()
    expect(metrics.exactMatch.pairs).toBe(3)
  })
  it("names the first value that is a text where numbers are compared", async () => {
    writeFileSync(join(folder, "percent.csv"), 'id,score\n1,85%\n2,"0,9"')
    writeFileSync(join(folder, "mixed.csv"), 'id,score\n1,0.85\n2,"0,9"')
    await expect(compare({ a: "percent.csv", b: "percent.csv", on: ["score"] })).rejects.toThrow(
      /no row has a number .* in "score": .*percent\.csv:2 has "85%"; write numbers with a point, and shares as 0\.85/,
    )
    const { printed } = await compare({ a: "mixed.csv", b: "mixed.csv", on: ["score"], json: false })
    expect(printed).toMatch(/score: 1 value is no number and without a score \(first: "0,9", .*mixed\.csv:3\)/)
  })
  it("says what is wrong and what to do", async () => {
    await expect(compare({ on: ["wrong"] })).rejects.toThrow(/no row has a number or a boolean in "wrong"/)
    await expect(compare({ id: "key" })).rejects.toThrow(
      /has no key to be paired by: .*[ab]\.jsonl:1; name the field with --id/,
    )
    await expect(compare({ primary: ["speed"] })).rejects.toThrow(/no metric "speed".*choose from: correct, bleu/)
    await expect(compare({ margin: -1 })).rejects.toThrow(/--margin must be a number of at least 0/)
    write("empty.jsonl", [])
    await expect(compare({ b: "empty.jsonl" })).rejects.toThrow(/the file has no rows: empty\.jsonl/)
    await expect(compare({ b: "some-run" })).rejects.toThrow(/a file can only be compared with a file/)
  })
  it("refuses other questions under the same ids, with the count and the first three, unless ids are to be trusted", async () => {
    const asked = (prefix: string) =>
      Array.from({ length: 30 }, (_, i) => ({
        id: `s${i}`,
        question: `${prefix} ${i}`,
        reference: `${i}`,
        ok: i % 9 > 0,
      }))
    write("q1.jsonl", asked("what is"))
    write("q2.jsonl", asked("who was"))
    await expect(compare({ a: "q1.jsonl", b: "q2.jsonl", on: ["ok"] })).rejects.toThrow(
      /^30 of 30 samples with the same id have different contents in q1\.jsonl and q2\.jsonl.*: s0 \(question\), s1 \(question\), s2 \(question\) and 27 more; .*--pair-by id/,
    )
    const trusted = await compare({ a: "q1.jsonl", b: "q2.jsonl", on: ["ok"], pairBy: "id", margin: 0.2 })
    expect(trusted.json().metrics.ok.pairs).toBe(30)
    write("q3.jsonl", [...asked("what is")].reverse())
    expect((await compare({ a: "q1.jsonl", b: "q3.jsonl", on: ["ok"], margin: 0.2 })).code).toBe(0)
  })
  it("does not pass a file that lacks the hard rows, and names them", async () => {
    const full = Array.from({ length: 60 }, (_, i) => ({ id: `h${i}`, ok: true }))
    write("full.jsonl", full)
    write(
      "part.jsonl",
      full.filter((_, i) => i % 10 >= 3),
    )
    const { code, json } = await compare({ a: "full.jsonl", b: "part.jsonl", on: ["ok"], margin: 0.1 })
    expect(code).toBe(4)
    expect(json().sentence).toContain(
      "18 of 60 answers of part.jsonl have no score and count as wrong; without them 0 points (",
    )
    expect(json().metrics.ok.missing).toMatchObject({
      rule: "worst",
      unmeasured_b: 18,
      counted_as: 0,
      worst_case: -0.3,
    })
    const dropped = await compare({ a: "full.jsonl", b: "part.jsonl", on: ["ok"], margin: 0.1, missing: "drop" })
    expect([dropped.code, dropped.json().metrics.ok.pairs]).toEqual([0, 42])
  })
  it("takes a margin that nobody stated from the metric's own scale: 1 % of a perplexity of 6,881 is 68.8", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({ id: i, perplexity: 6881 + (i % 2 === 0 ? 40 : -40) }))
    write("ppl1.jsonl", rows)
    write(
      "ppl2.jsonl",
      rows.map((row, i) => ({ ...row, perplexity: row.perplexity + (i % 3) - 1 })),
    )
    const { json } = await compare({ a: "ppl1.jsonl", b: "ppl2.jsonl", on: ["perplexity"], lower: ["perplexity"] })
    expect(json().metrics.perplexity.margin).toBeCloseTo(68.81, 2)
    expect(json().metrics.perplexity.verdict).toBe("non_inferior")
  })
  it("takes hostile ids and texts as data", async () => {
    const hostile = ["__proto__", "constructor", "\u001b[2Jx", "<script>"].map((id) => ({ id, ok: true }))
    write("h1.jsonl", hostile)
    write(
      "h2.jsonl",
      hostile.map((row) => ({ ...row, ok: row.id !== "\u001b[2Jx" })),
    )
    const { printed, json } = await compare({ a: "h1.jsonl", b: "h2.jsonl" })
    expect(json().metrics.ok.pairs).toBe(4)
    expect(printed).not.toContain("\u001b")
    const text = await compare({ a: "h1.jsonl", b: "h2.jsonl", json: false })
    expect(text.printed).not.toContain("\u001b")
  })
})
