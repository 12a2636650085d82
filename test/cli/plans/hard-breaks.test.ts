import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { schemaErrors } from "../../support/report-schema.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** A folder with 60 samples, whose candidate is cheaper and answers what `answer` says to the i-th; the baseline answers `before`. */
function folder(
  breaks: string,
  { answer = "", before = "" }: { readonly answer?: string; readonly before?: string } = {},
) {
  const cwd = scratchDirectory()
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { custom, defineConfig, recorded, refusal, unscored, variant } from "evalkit"
const ids = Array.from({ length: 60 }, (_, i) => "s" + i)
const good = { text: '{"city": "Paris"}' }
const side = (name, factor, answer) => variant({ name,
  price: { kind: "tokens", inputPerMillion: factor, outputPerMillion: factor, source: "a list", date: "2026-11-01" },
  provider: recorded(ids.map((id, i) => ({ id, usage: { promptTokens: 10, completionTokens: 5 }, ...(answer(i) ?? good) }))) })
const field = (text, name) => { try { return name in JSON.parse(text) ? 1 : 0 } catch { return 0 } }
export default defineConfig({
  dataset: ids.map((id, i) => ({ id, input: "q" + i, references: ["Paris"] })),
  variants: [side("f16", 1, (i) => ${before || "null"}), side("q4", 0.5, (i) => ${answer || "null"})],
  metrics: [
    custom({ name: "city", direction: "higher", measure: (sample, { text }) => (text.includes("Paris") ? 1 : 0) }),
    custom({ name: "validJson", direction: "higher", measure: (sample, { text }) => field(text, "city") }),
    custom({ name: "characters", direction: "higher", range: [0, Infinity], measure: (sample, { text }) => (text === "?" ? unscored("nothing to measure") : text.length) }),
    refusal(),
  ],
  margin: 0.2, breaks: ${breaks},
})`,
  )
  return Object.assign((...words: string[]) => callCli(words, { cwd }), { cwd })
}

const flat = (text: string) => text.replace(/<[^>]*>/g, "").replace(/\s+/g, " ")
const three = `i < 3 ? { text: "Paris" } : null`
const sentence = "Valid json: 3 of 60 samples break it with q4, 0 with f16; only with q4 s0, s1 and s2, and none may."

async function verdictOf(evalkit: ReturnType<typeof folder>) {
  const [{ verdict, basis, breaks }] = JSON.parse((await evalkit("run", "--no-html", "--json")).stdout).comparisons
  return { verdict, basis, breaks }
}

describe("hard breaks", () => {
  it("cap the verdict of a candidate whose means would do, and stand on every surface with their exact counts", async () => {
    const evalkit = folder(`["validJson", "refusal"]`, { answer: three })
    const { stdout } = await evalkit("run")
    expect(flat(stdout)).toContain(
      "q4 cannot replace f16: 3 samples break valid json only with it (s0, s1 and s2), and none may.",
    )
    expect(flat(stdout)).toContain(`breaks q4: ${sentence}`)
    const report = JSON.parse((await evalkit("report", "--json")).stdout)
    expect(schemaErrors(report)).toEqual([])
    expect(report.comparisons[0]).toMatchObject({
      ...{ verdict: "keep", basis: "hard_break" },
      breaks: [
        {
          metric: "validJson",
          samples: 60,
          baseline: 0,
          candidate: 3,
          broken: ["s0", "s1", "s2"],
          unknown: 0,
          allowed: 0,
          sentence,
        },
        expect.objectContaining({ metric: "refusal", candidate: 0, broken: [] }),
      ],
    })
    expect((await evalkit("report", "-f", "markdown")).stdout).toContain(`**Hard breaks**, q4: ${sentence}`)
    for (const options of [["html"], ["markdown", "--for", "boss"]])
      expect(flat((await evalkit("report", "-f", ...options)).stdout).includes(sentence)).toBe(true)
    expect((await evalkit("compare", "f16", "q4")).stdout.replace(/\s+/g, " ")).toContain(sentence)
    const compared = JSON.parse((await evalkit("compare", "f16", "q4", "--json")).stdout)
    expect(compared).toMatchObject({
      basis: "hard_break",
      breaks: [{ breaks_a: 0, breaks_b: 3, broken: ["s0", "s1", "s2"] }, {}],
    })
  })
  it.each([
    ["nothing where there is no check", "[]", { answer: three }, "gain"],
    ["as many as are allowed", `[{ metric: "validJson", allowed: 3 }]`, { answer: three }, "gain"],
    ["one more than is allowed", `[{ metric: "validJson", allowed: 2 }]`, { answer: three }, "hard_break"],
    ["what the baseline breaks, too", `["validJson"]`, { answer: three, before: three }, "gain"],
    ["what only the baseline breaks", `["validJson"]`, { before: three }, "gain"],
    [
      "a limit of length",
      `[{ metric: "characters", max: 30 }]`,
      { answer: `i === 7 ? { text: "Paris ".repeat(6) } : null` },
      "hard_break",
    ],
    [
      "a length within the limit",
      `[{ metric: "characters", max: 40 }]`,
      { answer: `i === 7 ? { text: "Paris ".repeat(6) } : null` },
      "gain",
    ],
    [
      "a refusal",
      `["refusal"]`,
      { answer: `i === 7 ? { text: "I cannot help with that: Paris." } : null` },
      "hard_break",
    ],
    [
      "a refusal of the service",
      `["refusal"]`,
      { answer: `i === 7 ? { text: "", outcome: "refused" } : null` },
      "hard_break",
    ],
    [
      "a request that failed",
      `["validJson"]`,
      { answer: `i === 7 ? { text: "", outcome: "http_5xx" } : null` },
      "gain",
    ],
  ])("count %s", async (_, breaks, answers, basis) => {
    expect((await verdictOf(folder(breaks, answers))).basis).toBe(basis)
  })
  it("leave the verdict open where an answer has no score", async () => {
    const answers = { answer: `i === 7 ? { text: "?" } : null` }
    expect(await verdictOf(folder(`[{ metric: "characters", max: 99 }]`, answers))).toMatchObject({
      ...{ verdict: "inconclusive", basis: "hard_break_unknown", breaks: [{ broken: [], unknown: 1 }] },
    })
  })
  it("are held by rules of a gate, in every output of it, by counts of their own", async () => {
    const evalkit = folder(`["validJson"], gate: [{ figure: "breaks.validJson", max: 0 }]`, { answer: three })
    const { code, stdout } = await evalkit("run", "--no-html")
    expect([code, flat(stdout).includes("samples that break valid json only with the candidate at most 0")]).toEqual([
      3,
      true,
    ])
    const gate = await evalkit("gate", "--json", "--markdown", "gate.md", "--junit", "gate.xml")
    const message = sentence.replace(/\.$/, "")
    expect([gate.code, JSON.parse(gate.stdout).rules]).toEqual([
      3,
      [expect.objectContaining({ figure: "breaks.validJson", variant: "q4", status: "failed", message })],
    ])
    for (const file of ["gate.md", "gate.xml"])
      expect(readFileSync(join(evalkit.cwd, file), "utf8")).toContain("3 of 60 samples break it with q4")
    const allowed = await evalkit("gate", "--max", "breaks.validJson=3")
    expect([allowed.code, flat(allowed.stdout).includes("s0, s1 and s2, and 3 may")]).toEqual([0, true])
    const itself = await evalkit("gate", "--baseline", JSON.parse(gate.stdout).run, "--max", "breaks.validJson=0")
    expect([itself.code, flat(itself.stdout)]).toEqual([0, expect.stringContaining("passed")])
  })
  it.each([
    ["breaks.city=0", 'got "breaks.city"'],
    ["breaks.validJsno=0", 'did you mean "breaks.validJson"?'],
  ])("are the only ones that a rule can hold: %s", async (rule, fault) => {
    const evalkit = folder(`["validJson"]`)
    await evalkit("run", "--no-html")
    const { code, stderr } = await evalkit("gate", "--max", rule)
    expect([code, stderr.replace(/\s+/g, " ")]).toEqual([2, expect.stringContaining(fault)])
  })
  it("are of a metric that the config has, with limits where it has no best value", async () => {
    const evalkit = folder(`["strict"]`)
    expect((await evalkit("run", "--no-html")).stderr).toContain(
      'breaks[0]: expected a metric of (city, validJson, characters, refusal), got "strict"',
    )
    const unbounded = await folder(`["characters"]`)("run", "--no-html")
    expect([
      unbounded.code,
      unbounded.stderr.includes("expected min or max, since characters has no best value"),
    ]).toEqual([2, true])
  })
})
