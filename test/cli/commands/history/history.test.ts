import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { differenceWords } from "../../../../reports/wording/difference-words.ts"
import { runDifferences } from "../../../../src/analyse/summary/run-difference.ts"
import { localTime } from "../../../../src/cli/history/local-time.ts"
import { main } from "../../../../src/cli/main.ts"
import type { RunRecord, VariantRecord } from "../../../../src/core/run/run-record.ts"
import { openRunStore } from "../../../../src/store/run-store.ts"
import { fakeIo } from "../../../support/fake-io.ts"
import { hostileTexts } from "../../../support/hostile-texts.ts"
import { scratchDirectory } from "../../../support/scratch.ts"
import { syntheticInput } from "../../../support/synthetic/report.ts"
import { keepRun } from "../../../support/synthetic/store.ts"

let cwd: string

beforeAll(async () => {
  cwd = await scratchDirectory()
  const folder = join(cwd, ".evalkit")
  const input = syntheticInput({ samples: 3 })
  await keepRun(folder, input, { id: "aaaa1111", startedAt: "2026-11-21T23:40:00.000Z" })
  const later = {
    ...input,
    report: { ...input.report, run: { ...input.report.run, seed: 7, versions: { evalkit: "0.2.0" } } },
  }
  await keepRun(folder, later, { id: "bbbb2222", startedAt: "2026-11-22T10:00:00.000Z" })
})

async function evalkit(...argv: string[]) {
  const io = fakeIo({ cwd, environment: { TZ: "Asia/Kolkata" } })
  return { code: await main(argv, io), out: io.stdout(), err: io.stderr() }
}

describe("a run that is named by an empty text, as an unset variable gives it", () => {
  it.each([
    ["rm", "", "--yes"],
    ["show", ""],
    ["report", ""],
  ])("is refused: evalkit %s", async (...argv) => {
    const { code, err } = await evalkit(...argv)
    expect([code, err]).toEqual([2, "evalkit: the run's id is an empty text; list the runs with: npx evalkit runs\n"])
    expect(JSON.parse((await evalkit("runs", "--json")).out)).toHaveLength(2)
  })
})

describe("tags and notes of runs", () => {
  it("are written, taken away, printed, and stand in the list of runs", async () => {
    expect((await evalkit("tag", "aaaa", "release", "baseline")).out).toBe("run aaaa1111: baseline, release\n")
    expect((await evalkit("tag", "aaaa", "--remove", "baseline")).out).toBe("run aaaa1111: release\n")
    expect(await evalkit("tag", "bbbb", "--remove", "nobody")).toMatchObject({
      ...{ code: 0, out: "run bbbb2222: no tags\n" },
      err: 'evalkit: run bbbb2222 has no tag "nobody" to remove\n',
    })
    expect((await evalkit("tag", "bbbb")).out).toBe("run bbbb2222: no tags\n")
    expect((await evalkit("note", "aaaa", "before the new prompt")).code).toBe(0)
    expect(JSON.parse((await evalkit("note", "aaaa", "--json")).out)).toMatchObject([{ text: "before the new prompt" }])
    const { out } = await evalkit("runs")
    expect(out).toMatch(/aaaa1111 .*release "before the new prompt"\n/)
    const tagged = JSON.parse((await evalkit("runs", "--tag", "release", "--json")).out)
    expect(tagged).toMatchObject([{ id: "aaaa1111", tags: ["release"], notes: [{ text: "before the new prompt" }] }])
  })

  it("say of a tag that no run has that none has it, not that there are no runs", async () => {
    expect((await evalkit("runs", "--tag", "nobody")).out).toBe(
      "No run has the tag nobody. List all with: npx evalkit runs\n",
    )
  })

  it("refuse what is no tag and no note, and write nothing of it", async () => {
    for (const words of [["two words"], ["a,b"], [""], ["x".repeat(41)], ["a\u001b[2Jb"]])
      expect((await evalkit("tag", "bbbb", ...words)).code).toBe(2)
    expect((await evalkit("note", "bbbb", " ")).code).toBe(2)
    expect((await evalkit("tag", "bbbb")).out).toBe("run bbbb2222: no tags\n")
    expect((await evalkit("tag", "zzzz", "x")).err).toContain("there is no such run")
  })

  it("reach no terminal as commands, whatever a note holds", async () => {
    for (const text of hostileTexts) if (text.trim() !== "") await evalkit("note", "bbbb", "--", text.slice(0, 2000))
    const { out } = await evalkit("note", "bbbb")
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })
})

describe("the list of runs", () => {
  it("shows when they began by the clock on the wall, with its zone", async () => {
    const { out } = await evalkit("runs")
    expect(out).toContain("2026-11-22 05:10 GMT+5:30")
    expect(out.split("\n")[0]).toMatch(/^ {2}run +name +started/)
  })

  it("falls back to UTC, and to the text where it is no time", () => {
    expect(localTime("2026-11-22T10:00:00.000Z", { TZ: "Nowhere/Town" })).toBe("2026-11-22 10:00 UTC")
    expect(localTime("yesterday", {})).toBe("yesterday")
  })
})

describe("evalkit diff", () => {
  it("says what a later run asked differently", async () => {
    const { out, code } = await evalkit("diff", "aaaa", "bbbb")
    expect(code).toBe(0)
    expect(out).toContain("from run aaaa1111 to run bbbb2222")
    expect(out).toMatch(/settings\n {2}seed\n {4}- 42\n {4}\+ 7\n/)
    expect(out).toMatch(/versions\n[\s\S]* {2}evalkit\n {4}- 0\.1\.0\n {4}\+ 0\.2\.0\n/)
    expect((await evalkit("diff", "aaaa", "aaaa")).out).toBe(
      "Both are run aaaa1111: name two runs to see what they asked differently.\n",
    )
    expect(JSON.parse((await evalkit("diff", "aaaa", "bbbb", "--json")).out)).toContainEqual({
      about: "setting",
      path: "seed",
      before: "42",
      after: "7",
    })
  })

  it("says in a line what one of the runs has alone, and cuts no value", async () => {
    const folder = join(cwd, "alone")
    const input = syntheticInput({ samples: 3 })
    const { report } = input
    const [first, ...others] = report.variants
    const source = `a table of prices ${"with a long name ".repeat(20)}end of it`
    await keepRun(folder, input, { id: "cccc3333", startedAt: "2026-11-22T11:00:00.000Z" })
    const later = { ...report, variants: others, dataset: { ...report.dataset, source } }
    await keepRun(folder, { ...input, report: later }, { id: "dddd4444", startedAt: "2026-11-22T12:00:00.000Z" })
    const { out } = await evalkit("diff", "cccc", "dddd", "--directory", "alone")
    expect(out).toMatch(new RegExp(`variants\n  - ${first?.name} \\(`))
    expect(out).not.toContain(`variants.${first?.name}.`)
    expect(out.replace(/\s+/g, " ")).toContain("end of it")
    expect(out).not.toContain("\u2026")
  })

  it("says prompt, parameters and price of a variant that changed, in plain words, and its fingerprint where nothing else says it", () => {
    const store = openRunStore(join(cwd, ".evalkit"), { readonly: true })
    const [run] = store.runs()
    store.close()
    const [first, second] = run!.variants as [VariantRecord, VariantRecord]
    const asked = (maxTokens: number, template: string, usdPerHour: number): RunRecord => ({
      ...run!,
      variants: [
        { ...first, fingerprint: `f${maxTokens}`, priceSource: `a (${usdPerHour})` },
        { ...second, fingerprint: `g${maxTokens}` },
      ],
      config: {
        variants: [
          {
            ...{ name: first.name, provider: { kind: "local", gpu: false }, prompt: { kind: "template", template } },
            ...{ parameters: { temperature: 0, maxTokens }, price: { kind: "hourly", usdPerHour }, limits: {} },
          },
        ],
      },
    })
    const differences = runDifferences(asked(32, "Q: {input}", 1), asked(64, "{input}", 2))
    expect(differences.map(({ path }) => path)).toContain(`variants.${first.name}.parameters.maxTokens`)
    const own = differences.filter((difference) => difference.of === first.name)
    expect(own.map((difference) => [differenceWords(difference), difference.before, difference.after])).toEqual([
      [`${first.name}: prompt: template`, "Q: {input}", "{input}"],
      [`${first.name}: parameters: max tokens`, "32", "64"],
      [`${first.name}: price: usd per hour`, "1", "2"],
      [`${first.name}: all that changes its answers (fingerprint)`, "f32", "f64"],
      [`${first.name}: source of its price`, "a (1)", "a (2)"],
    ])
    expect(differences.filter((row) => row.of === second.name).map(({ keys }) => keys)).toEqual([["fingerprint"]])
  })

  it("pairs variants by name, whatever their order, and names one that is new", () => {
    const store = openRunStore(join(cwd, ".evalkit"), { readonly: true })
    const [run] = store.runs()
    store.close()
    const turned = { ...run!, variants: run!.variants.toReversed() }
    expect(runDifferences(run!, turned)).toEqual([])
    const fewer = { ...run!, variants: run!.variants.slice(1) }
    const gone = runDifferences(run!, fewer)
    expect(gone.length).toBeGreaterThan(0)
    for (const difference of gone) expect(difference).toMatchObject({ about: "variant", after: null })
  })
})
