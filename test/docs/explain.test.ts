import { describe, expect, it } from "vitest"
import { terms } from "../../reports/wording/terms/all.ts"
import { verdictWords } from "../../reports/wording/verdict-words.ts"
import { command } from "../../src/cli/commands/explain.ts"
import { UsageError } from "../../src/core/errors.ts"
import { recordingIo } from "../cli/commands/command-support.ts"

async function explained(name?: string, json = false): Promise<string> {
  const io = recordingIo("/")
  expect(await command.run({ name, json }, io)).toBe(0)
  return io.printed()
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
    const page = await explained("verdict")
    expect(page).toContain("verdict (word)")
    expect(page).toContain("verdict (of a load) (word)")
    expect(await explained("Change of tiny-s-q4_0")).toMatch(/^change \(figure\)/)
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
