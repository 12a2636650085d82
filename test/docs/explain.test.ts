import { describe, expect, it } from "vitest"
import { outcomeWords } from "../../reports/wording/failure-reasons.ts"
import { limitWords } from "../../reports/wording/limits.ts"
import { terms } from "../../reports/wording/terms/all.ts"
import { verdictWords } from "../../reports/wording/verdict-words.ts"
import { commandTable } from "../../src/cli/command-table.ts"
import { command } from "../../src/cli/commands/explain.ts"
import { UsageError } from "../../src/core/errors.ts"
import { unscoredCodes } from "../../src/core/metric/unscored-code.ts"
import { outcomes } from "../../src/core/outcome.ts"
import { fakeIo } from "../support/fake-io.ts"

async function explained(name?: string, json = false): Promise<string> {
  const io = fakeIo({ cwd: "/" })
  expect(await command.run({ name, json }, io)).toBe(0)
  return io.stdout()
}

describe("evalkit explain", () => {
  it("prints a metric's page: what it is, when it misleads, range, example, options", async () => {
    const page = await explained("rouge")
    for (const part of [
      "Rewards copying",
      "0 to 1",
      "Paper: Lin 2004",
      "// 0.571",
      "language?: LanguageCode",
      "evalkit/metrics",
    ])
      expect(page).toContain(part)
    expect(page).not.toMatch(/^#|```|^\|/m)
    expect(await explained("ROUGE()")).toBe(page)
  })

  it("knows a metric by the title of its figure, too", async () => {
    const [groups, parity] = [await explained("groupAccuracy"), await explained("demographicParity")]
    for (const title of ["group accuracy gap", "worst group accuracy", "group accuracy ratio"])
      expect(await explained(title), title).toBe(groups)
    expect(await explained("demographic parity gap")).toBe(parity)
  })

  it("sends nobody to --extend who needs a new run", async () => {
    const page = (await explained("INCONCLUSIVE")).replace(/\s+/g, " ")
    expect(page).toContain("whether this run may go on with --extend or a new run is to ask them")
    expect(page).not.toContain("Ask them with --extend")
  })

  it("prints a rubric's verdicts with their scores, and what a preset knows of its service", async () => {
    expect(await explained("rubrics.correctness")).toMatch(
      / {2}partly: 0\.5\n {6}something essential[\s\S]*Range 0 to 1/,
    )
    expect(await explained("groq")).toMatch(/address +`https:\/\/api\.groq\.com\/openai\/v1`\n.*GROQ_API_KEY/)
    expect(await explained("exactMatch")).toMatch(/range +better +unit\n +0 to 1 +higher +share\n/)
  })

  it("explains figures, verdicts, fields of configs and reports, and members of groups", async () => {
    expect(await explained("ttftMs")).toContain("how long until something appears")
    expect(await explained("not_comparable")).toContain("NOT COMPARABLE (verdict)")
    expect(await explained("config.margin")).toContain("Largest loss")
    // The word first, then the field of that name.
    expect(await explained("margin")).toMatch(/^margin \(word\)[\s\S]*config\.margin/)
    expect(await explained("contextRecall")).toContain("contextRecall")
    expect(await explained("report.variants")).toContain("speed.ttftMs: Distribution")
    expect(await explained("tone")).toContain("rubrics.tone")
  })

  it("has a word for each verdict, and no two for one spelling in one place", () => {
    const spelt = terms.flatMap(({ id, title, also = [], place = "everywhere" }) =>
      [...new Set([id, title.toLowerCase(), ...also])].map((word) => `${word} (${place})`),
    )
    expect(spelt.filter((word, i) => spelt.indexOf(word) !== i)).toEqual([])
    const ids = terms.map(({ id }) => id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
    for (const word of Object.values(verdictWords)) expect(terms.map(({ title }) => title)).toContain(word)
  })

  it("explains a word that means several things in several places once for each", async () => {
    const page = await explained("failed")
    expect(page).toContain("failed (reason)")
    expect(await explained("length")).toContain("length (outcome)")
    expect(await explained("TTFT p50/p99 ms")).toMatch(/^time to first token \(figure\)/)
  })

  it("explains every code that says how something ended: requests, answers without a score, limits, verdicts", async () => {
    const codes = [...outcomes, ...Object.values(outcomeWords), ...Object.keys(unscoredCodes)]
    for (const name of [...codes, ...Object.values(limitWords), ...Object.values(verdictWords)])
      expect(await explained(name), name).not.toBe("")
  })

  it("explains every command", async () => {
    for (const { usage } of commandTable) expect(await explained(usage.split(" ")[0]), usage).not.toBe("")
    expect(await explained("evalkit compare")).toContain("evalkit compare")
  })

  it("explains figures that a limit may name and columns of figures, which have no term of the field", async () => {
    expect(await explained("longestStopMs")).toMatch(
      /^report\.variants\.speed\.longestStopMs: Distribution\n\nThe longest time inside each answer/,
    )
    expect(await explained("speed.longestStopMs.p95")).toBe(await explained("longestStopMs"))
    expect(await explained("perQueryUsd")).toContain("US dollars of one request")
    expect(await explained("memoryBytes")).toContain("resident memory")
    expect(await explained("liveShare")).toContain("asked live")
    expect(JSON.parse(await explained("stopShare", true))).toMatchObject([{ kind: "report" }])
    await expect(explained("longestStopM")).rejects.toThrow('did you mean "longestStopMs"')
  })

  it("lists all names, as text and as JSON", async () => {
    const list = await explained()
    for (const name of [
      "inconclusive",
      "ttft",
      "exactMatch",
      "rubrics.correctness",
      "groq",
      "config.margin",
      "report.variants",
    ])
      expect(list).toContain(name)
    for (const line of list.split("\n")) expect(line.length).toBeLessThanOrEqual(100)
    expect((JSON.parse(await explained(undefined, true)) as unknown[]).length).toBeGreaterThan(250)
    expect(JSON.parse(await explained("rouge", true))).toMatchObject([{ name: "rouge", kind: "metric" }])
  })

  it("says what was probably meant", async () => {
    await expect(explained("exactMach")).rejects.toThrow(UsageError)
    await expect(explained("exactMach")).rejects.toThrow('did you mean "exactMatch"')
    await expect(explained("\u001b[31mxyzzyxyzzy")).rejects.toThrow("evalkit explain")
  })
})
