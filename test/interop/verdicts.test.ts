import { describe, expect, it } from "vitest"
import { main } from "../../src/cli/main.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { compareJson, writeLines } from "./support.ts"

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Rows of lm-eval, of which the first `right` are right. */
const lmEval = (right: number, count = 40) =>
  numbers(count).map((i) => ({
    ...{ doc_id: i, doc: { q: `what is ${i}` }, target: String(i), filter: "none", metrics: ["exact_match"] },
    arguments: [[`what is ${i}`]],
    ...{ resps: [[`it is ${i}`]], filtered_resps: [String(i)], exact_match: Number(i < right) },
    ...{ doc_hash: `d${i}-`.padEnd(64, "0"), prompt_hash: `p${i}`, target_hash: `t${i}` },
  }))

/** Instances of Every Eval Ever that ask the same, under other ids and in another order. */
const everyEvalEver = (right: number, count = 40) =>
  numbers(count)
    .reverse()
    .map((i) => ({
      ...{ schema_version: "0.3.0", evaluation_id: "e", model_id: "org/m", evaluation_name: "bench.acc" },
      ...{ sample_id: `s${i}`, interaction_type: "single_turn", answer_attribution: [] },
      ...{ input: { raw: `what is ${i}`, reference: [String(i)] }, output: { raw: [String(i)] } },
      evaluation: { score: Number(i < right), is_correct: i < right },
    }))

async function evalkit(cwd: string, ...argv: readonly string[]) {
  const io = fakeIo({ cwd })
  const code = await main(argv, io)
  return { code, out: io.stdout(), err: io.stderr() }
}

it("a log's report says the margin and alpha that it was judged by, as that of any other run does", async () => {
  const cwd = scratchDirectory()
  writeLines(cwd, "a.jsonl", lmEval(30))
  const imported = await evalkit(cwd, "import", "a.jsonl")
  expect(imported.code, imported.err).toBe(0)
  const { out } = await evalkit(cwd, "report", "--format", "json")
  expect(JSON.parse(out).run.config).toMatchObject({ margin: 0.01, alpha: 0.05, tool: "lm-eval" })
})

describe("logs of two tools", () => {
  it("are paired by their questions, with a metric of each, and what has no partner is counted", async () => {
    const cwd = scratchDirectory()
    writeLines(cwd, "a.jsonl", lmEval(30))
    writeLines(cwd, "b.jsonl", everyEvalEver(20, 35))
    const { json } = await compareJson(cwd, "a.jsonl", "b.jsonl", { on: ["exact_match=bench.acc"], missing: "drop" })
    expect(json.recognised).toEqual({ a: "lm-eval", b: "every-eval-ever" })
    expect(json.metrics.exact_match).toMatchObject({ pairs: 35, mcnemar: { b: 10, c: 0 } })
    expect(json.notes).toContain(
      "samples are paired by their questions, since they have no id in common: 35 in both, 5 in a.jsonl only, 0 in org-m only, which the other was not asked: left out",
    )
    const { out } = await evalkit(cwd, "compare", "a.jsonl", "b.jsonl", "--on", "exact_match=bench.acc")
    expect(out).toContain("a.jsonl: read as a file of lm-eval")
    expect(out).toContain("b.jsonl: read as a file of every-eval-ever")
    expect(out).toContain("35 in both, 5 in a.jsonl only")
  })

  it("without a metric of one name say what each has, and how to name one of each", async () => {
    const cwd = scratchDirectory()
    writeLines(cwd, "a.jsonl", lmEval(30))
    writeLines(cwd, "b.jsonl", everyEvalEver(20))
    const { code, err } = await evalkit(cwd, "compare", "a.jsonl", "b.jsonl")
    expect(code).toBe(2)
    expect(err).toContain("the logs share no metric")
    expect(err).toContain("(lm-eval) has exact_match")
    expect(err).toContain('--on "exact_match=bench.acc"')
  })

  it("that ask the same with other answers expected are refused", async () => {
    const cwd = scratchDirectory()
    writeLines(cwd, "a.jsonl", lmEval(30))
    writeLines(
      cwd,
      "b.jsonl",
      everyEvalEver(20).map((entry) => ({ ...entry, input: { ...entry.input, reference: ["another"] } })),
    )
    await expect(compareJson(cwd, "a.jsonl", "b.jsonl", { on: ["exact_match=bench.acc"] })).rejects.toThrow(
      /40 of 40 samples with the same id have different contents.*reference/,
    )
  })

  it("of one tool with other samples say how many have a partner", async () => {
    const cwd = scratchDirectory()
    writeLines(cwd, "a.jsonl", lmEval(30))
    writeLines(cwd, "b.jsonl", lmEval(20, 44).slice(4))
    const { json } = await compareJson(cwd, "a.jsonl", "b.jsonl", { missing: "drop" })
    expect(json.metrics.exact_match).toMatchObject({ pairs: 36 })
    expect(json.notes).toContain(
      "samples are paired by their ids: 36 in both, 4 in a.jsonl only, 4 in b.jsonl only, which the other was not asked: left out",
    )
  })
})

describe("the margin of imported runs", () => {
  it("is the one that the user gives, said by compare and its verdict; a share of the scale where none is given", async () => {
    const cwd = scratchDirectory()
    writeLines(cwd, "a.jsonl", lmEval(380, 400))
    writeLines(cwd, "b.jsonl", lmEval(371, 400))
    const runs: string[] = []
    for (const file of ["a.jsonl", "b.jsonl"]) {
      const { out } = await evalkit(cwd, "import", file, "--json")
      runs.push(`${JSON.parse(out)[0].run}:${file}`)
    }
    const compared = async (...more: readonly string[]) => {
      const { out, err } = await evalkit(cwd, "compare", ...runs, "--json", ...more)
      expect(err).toBe("")
      return JSON.parse(out)
    }
    const [usual, wide] = [await compared(), await compared("--margin", "0.08")]
    expect(usual.metrics.exact_match).toMatchObject({ difference: expect.closeTo(-0.0225, 12), margin: 0.01 })
    expect(wide.metrics.exact_match).toMatchObject({ difference: expect.closeTo(-0.0225, 12), margin: 0.08 })
    expect([usual.quality, wide.quality]).toEqual(["worse", "non_inferior"])
    // The same margin as that of the files themselves.
    const { json: files } = await compareJson(cwd, "a.jsonl", "b.jsonl", { margin: 0.08 })
    expect(files.metrics.exact_match).toMatchObject({ margin: 0.08, difference: expect.closeTo(-0.0225, 12) })
    const { out: words } = await evalkit(cwd, "compare", ...runs, "--margin", "0.08")
    expect(words).toContain("against the margin 0.08")
  })
})
