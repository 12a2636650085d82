import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command } from "../../../src/cli/compare/compare.ts"
import { createRandom } from "../../../src/core/random.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { callCli } from "../../support/call-cli.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { fakeGeneration } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { fakeRecord } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const directory = scratchDirectory()
const samples = ["s0", "s1", "s2"].map((id) => fakeSample(id))
const random = createRandom(1)
/** What each variant answers: `b` writes as `a` does, `c` another letter more often, `once` as `a` to each prompt once, `failing` not at all. */
const variants = {
  a: { repeats: 12, letters: "aab" },
  b: { repeats: 12, letters: "aab" },
  c: { repeats: 12, letters: "bbc" },
  once: { repeats: 1, letters: "aab" },
  failing: { repeats: 3, letters: "" },
}

const store = openRunStore(directory)
store.createRun(
  fakeRecord("run1", {
    status: "finished",
    variants: Object.keys(variants).map((name) => ({
      ...{ name, model: "m", provider: name, quantization: null, fingerprint: name, priceSource: null },
    })),
  }),
)
store.saveSamples("f", samples, 0)
let position = 0
for (const [variant, { repeats, letters }] of Object.entries(variants))
  for (const { id: sampleId } of samples)
    for (let repeat = 0; repeat < repeats; repeat++) {
      const text = Array.from({ length: 4 }, () => letters[random.integer(3)]).join("")
      const outcome = letters === "" ? "connection" : "ok"
      store.saveGeneration("run1", fakeGeneration(text, { variant, sampleId, repeat, position: position++, outcome }))
    }
store.close()

async function same(a: string, b: string, args: Record<string, unknown> = {}) {
  const io = fakeIo({ cwd: directory })
  const code = await command.run({ a, b, same: true, directory, ...args }, io)
  return { code, out: io.stdout() }
}

describe("evalkit compare --same", () => {
  it("cannot tell two names of one model apart, and says what it would have found", async () => {
    const { code, out } = await same("a", "b")
    expect(out).toMatch(
      /^a and b cannot be told apart at 36 requests each, 3 prompts \(p = [\d.]+\): a difference of [\d.]+ points in\s+agreement of the texts would be, in 80 % of cases\./,
    )
    expect(out).toContain("not tested: unknown, or the same for all answers")
    expect(code).toBe(0)
  })

  it("tells another model, with what differs", async () => {
    const { code, out } = await same("a", "c", { json: true })
    const { p, parts, sentence, requests } = JSON.parse(out)
    expect(p).toBe(1 / 2000)
    expect(requests).toEqual([36, 36])
    expect(sentence).toMatch(
      /^c gives other answers than a, which chance does not explain \(p < 0.001; 36 requests each, 3 prompts\): agreement of the texts −[\d.]+ points\.$/,
    )
    expect(parts.map(({ name }: { name: string }) => name)).toEqual(["completions"])
    expect(code).toBe(3)
  })

  it.each([
    ["each prompt was asked once", "once", "once", "all 3 pairs of answers are identical"],
    ["nothing was answered", "a", "failing", "they have no answer to the same prompt"],
  ])("is open where %s", async (_, a, b, words) => {
    const { code, out } = await same(a, b)
    expect(out.replace(/\s+/g, " ")).toContain(words)
    expect(code).toBe(4)
  })

  it("compares files, by what the rows ask whatever their ids", async () => {
    const rows = (name: string, start: number, output: (i: number) => string) => {
      const lines = Array.from({ length: 16 }, (_, i) => ({
        id: start + i,
        input: `question ${i % 2}`,
        output: output(i),
      }))
      writeFileSync(join(directory, name), lines.map((line) => JSON.stringify(line)).join("\n"))
    }
    rows("x.jsonl", 0, (i) => `yes ${i % 3}`)
    rows("y.jsonl", 100, (i) => `no, never ${i % 3}`)
    const { code, out } = await same("x.jsonl", "y.jsonl", { json: true })
    expect(JSON.parse(out)).toMatchObject({ prompts: 2, requests: [16, 16] })
    expect(code).toBe(3)
  })

  it("refuses what it does not read", async () => {
    const { code, stderr } = await callCli(["compare", "a", "b", "--same", "--margin", "0.1"], { cwd: directory })
    expect(stderr).toMatch(/same|margin/)
    expect(code).toBe(2)
  })
})
