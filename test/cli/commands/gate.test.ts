import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { command } from "../../../src/cli/commands/gate.ts"
import { command as compareCommand } from "../../../src/cli/compare/compare.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { runEvaluation } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const directory = scratchDirectory()
const rows = Array.from({ length: 200 }, (_, i) => ({ id: `s${i}`, input: `say s${i}`, reference: `s${i}` }))

/** Stores a run in which each variant answers one in `wrongEvery` samples wrongly; 0: none. */
async function store(id: string, wrongEvery: Readonly<Record<string, number>>, untilDecided = false): Promise<void> {
  const provider = (name: string, every: number) =>
    fakeProvider(name, (request) => {
      const said = String(request.messages[0]?.content).replace("say ", "")
      return fakeAnswer(every > 0 && Number(said.slice(1)) % every === 0 ? "wrong" : said)
    })
  const runs = openRunStore(directory)
  await runEvaluation({
    evaluation: await validateConfig({
      name: "gate",
      dataset: inline(rows),
      variants: Object.entries(wrongEvery).map(([name, every]) => ({ name, provider: provider(name, every) })),
      metrics: [exactMatch()],
      margin: 0.1,
    }),
    store: runs,
    cacheDirectory: directory,
    facts: { id, startedAt: `2026-01-01T00:00:0${id.length}.000Z`, versions: {}, configPath: null },
    untilDecided,
  })
  runs.close()
}

beforeAll(async () => {
  await store("a", { small: 50, other: 0 })
  await store("bb", { small: 3, other: 0 })
  await store("ccc", { base: 0, same: 0, bad: 2 }, true)
})

async function gate(args: Record<string, unknown>) {
  const io = fakeIo({ cwd: directory })
  const code = await command.run({ directory, run: "bb", ...args }, io)
  return { code, printed: io.stdout(), json: () => JSON.parse(io.stdout()) }
}

describe("evalkit gate", () => {
  it("fails a variant that lost against itself in an earlier run, and passes one that did not", async () => {
    const { code, json } = await gate({ baseline: "a", "not-worse": ["exactMatch=0.05"], json: true })
    expect(code).toBe(3)
    const { rules, baseline, sentence } = json()
    expect([baseline, sentence]).toEqual(["a", "Gate failed: 1 of 2 rules"])
    expect(rules).toMatchObject([
      { variant: "small", status: "failed" },
      { variant: "other", status: "passed" },
    ])
  })

  it("holds the primary metrics to the run's margin when nothing else is asked", async () => {
    const { code, printed } = await gate({ baseline: "a", variant: ["other"] })
    expect(code).toBe(0)
    expect(printed).toContain("other: exact match not worse than the baseline by more than 10 points")
  })

  it("neither fails nor passes what the interval leaves open", async () => {
    const { code, printed } = await gate({ min: ["exactMatch=0.66"], variant: ["small"] })
    expect(code).toBe(4)
    expect(printed).toContain("Gate inconclusive: 1 of 1 rule")
  })

  it("refuses limits and margins that its metric cannot reach", async () => {
    await expect(gate({ min: ["exactMatch=80"] })).rejects.toThrow(
      "exactMatch.min: expected a limit that can be reached, since exactMatch goes from 0 to 1, got 80; for 80 % write 0.8;",
    )
    await expect(gate({ "not-worse": ["exactMatch=5"] })).rejects.toThrow("expected less than 1, since exactMatch goes")
    const compared = compareCommand.run({ a: "base", b: "bad", directory, margin: 5 }, fakeIo({ cwd: directory }))
    await expect(compared).rejects.toThrow("--margin: expected less than 1, since exactMatch goes from 0 to 1, got 5")
  })

  it("writes JUnit and Markdown", async () => {
    const files = { junit: "out/gate.xml", markdown: "out/gate.md" }
    expect((await gate({ min: ["exactMatch=0.9"], ...files })).code).toBe(3)
    expect(readFileSync(join(directory, files.junit), "utf8")).toMatch(/<failure message="66\.5 %/)
    const markdown = readFileSync(join(directory, files.markdown), "utf8")
    expect(markdown).toMatch(/^## Gate failed: 1 of 2 rules\n/)
    expect(markdown).toMatch(/\| ✗ failed \| small \| exact match at least 90 % \| 66\.5 %/)
  })

  it.each([
    [{ min: ["exactMtch=0.5"] }, /did you mean "exactMatch"/],
    [{ min: ["exactMatch"] }, /a rule is FIGURE=NUMBER.*--min exactMatch=0\.8$/s],
    [{ "not-worse": ["exactMatch"] }, /a rule is FIGURE=NUMBER.*--not-worse exactMatch=0\.02$/s],
    [{ "not-worse": ["exactMatch=2.5%"] }, /a rule is FIGURE=NUMBER.*--not-worse exactMatch=0\.025$/s],
    [{ max: ["exactMatch=70 %"] }, /a rule is FIGURE=NUMBER.*--max exactMatch=0\.7$/s],
    [{ "not-worse": ["exactMatch=-1"] }, /a margin must be 0 or more/],
    [{ min: ["exactMatch=0.5"], variant: ["nobody"] }, /the run has no variant "nobody"/],
    [{ baseline: "ccc" }, /the runs share no variant/],
    [{}, /there is no rule/],
  ])("says what is wrong with %j", async (args, message) => {
    await expect(gate(args)).rejects.toThrow(message)
  })
})

describe("evalkit compare of a run that stopped early", () => {
  it("reads the bounds at the level of the look, and says so", async () => {
    const io = fakeIo({ cwd: directory })
    const code = await compareCommand.run({ a: "base", b: "bad", run: "ccc", json: true, directory }, io)
    expect(code).toBe(3)
    const { exactMatch: metric } = JSON.parse(io.stdout()).metrics
    expect(metric.method).toMatch(/at look 2 of 13 planned looks/)
    expect(metric.design).toMatchObject({ kind: "looks", reading: 2 })
    expect(metric.design.level).toBeLessThan(0.05)
    expect(JSON.parse(io.stdout()).sentence).toContain("13 looks that were planned beforehand")
    expect(metric.wilcoxon).toBeNull()
  })
})
