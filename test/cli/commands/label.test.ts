import { describe, expect, it } from "vitest"
import { panel } from "../../../judges/panel.ts"
import { rubric } from "../../../judges/rubric-judge.ts"
import { correctness } from "../../../judges/rubrics/correctness.ts"
import { chooseAnswers } from "../../../src/analyse/judge-validation/choose-answers.ts"
import { judgedAnswers } from "../../../src/analyse/judge-validation/judged-answer.ts"
import { labelScores } from "../../../src/cli/label/scale.ts"
import { main } from "../../../src/cli/main.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { judgedRow, verdict } from "../../analyse/judge-validation/support.ts"
import { judgedRun } from "../../judges/judged-run.ts"
import { fakeJudge, lastUserText, says } from "../../judges/support.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()

/** A run of two variants whose answers two judges see differently where the answer is "maybe". */
async function makeRun(directory: string): Promise<string> {
  const store = openRunStore(directory)
  const rows = Array.from({ length: 12 }, (_, i) => ({ id: `s${i}`, input: `question ${i}`, reference: `r${i}` }))
  const answers = (odd: string) =>
    fakeProvider(`model-${odd}`, (_request, { sampleId }) =>
      fakeAnswer(sampleId === "s3" || sampleId === "s7" ? `maybe ${odd}` : `sure ${odd} ${sampleId}`),
    )
  const lenient = fakeJudge(() => says("yes"), "lenient")
  const strict = fakeJudge((request) => says(lastUserText(request).includes("maybe") ? "no" : "yes"), "strict")
  const judges = [lenient, strict].map((provider) => rubric({ provider, rubric: correctness }))
  const { record } = await judgedRun({
    store,
    cacheDirectory: directory,
    variants: { "variant-one": answers("x"), "variant-two": answers("y") },
    metric: panel(judges, { name: "judged" }),
    rows,
  })
  store.close()
  return record.id
}

async function* press(keys: string): AsyncGenerator<string> {
  yield* keys
}

const label = async (keys: string, args: readonly string[]) => {
  const io = fakeIo({ cwd, keys: () => press(keys), environment: { USER: "tester" } })
  const code = await main(["label", ...args], io)
  return { code, out: io.stdout(), err: io.stderr() }
}

describe("evalkit label", () => {
  it("shows the doubtful answers first, blind, and keeps each label for validate", async () => {
    const run = await makeRun(`${cwd}/.evalkit`)
    const { code, out } = await label("1x2us3", [run, "--limit", "4", "--scores", "0,0.5,1"])
    expect(code).toBe(0)
    expect(out.match(/answer:\nmaybe/g)?.length).toBeGreaterThanOrEqual(4)
    expect(out).not.toMatch(/answer:\nsure/)
    expect(out).not.toMatch(/variant-one|variant-two|model-|lenient|strict/)
    expect(out).toContain("1 = 0, lowest   2 = 0.5   3 = 1, highest   s = skip")
    const store = openRunStore(`${cwd}/.evalkit`, { readonly: true })
    expect(store.labels(run)).toHaveLength(3)
    expect(store.labels(run)[0]).toMatchObject({ metric: "judged", labeller: "tester", drawn: "doubt" })
    store.close()

    // A metric that judged nothing is one thing, a run without a judge another.
    expect(await label("q", [run, "--metric", "nosuch"])).toMatchObject({
      code: 2,
      err: `evalkit: the run has no answers that were judged by "nosuch": run ${run}; choose from: judged\n`,
    })

    const { out: second } = await label("q", [run, "--limit", "4"])
    expect(second.match(/answer:\nmaybe/g)).toHaveLength(1)

    // Labels of doubtful answers say where judges fail, and stay out of the corrected mean.
    const before = fakeIo({ cwd })
    expect(await main(["judge", "validate", "--run", run, "--json"], before)).toBe(0)
    expect(JSON.parse(before.stdout())).toMatchObject({ labelled: 3, corrected_mean: null })

    const { out: byChance } = await label("1".repeat(24), [run, "--by", "chance", "--limit", "24"])
    expect(byChance).toContain("3 answers of the draw had your label already and kept it.")
    const io = fakeIo({ cwd })
    expect(await main(["judge", "validate", "--run", run, "--json"], io)).toBe(0)
    const result = JSON.parse(io.stdout())
    expect(result).toMatchObject({ metric: "judged", n: 24, labelled: 24, judges: { lenient: {}, strict: {} } })
    // The draw by chance met the doubtful answers, too: without them the labelled answers would be too good.
    expect(result.methods.corrected_mean).toContain("corrected by 24 labels")
  }, 60_000)

  it("several people, each by a policy: their disagreement is a queue, and a last word stands beside their labels", async () => {
    const directory = `${cwd}/people`
    const run = await makeRun(directory)
    const by = (name: string, keys: string, ...args: string[]) =>
      label(keys, [run, "--directory", directory, "--scores", "0,1", "--labeller", name, ...args])
    const all = ["--by", "chance", "--limit", "24"]
    await by("ann", "1".repeat(24), ...all)
    await by("ben", "0".repeat(4) + "1".repeat(20), ...all)
    const validated = async (...args: string[]) => {
      const io = fakeIo({ cwd })
      expect(await main(["judge", "validate", "--run", run, "--directory", directory, ...args], io)).toBe(0)
      return io.stdout()
    }
    const before = JSON.parse(await validated("--json"))
    expect(before.people).toMatchObject({ labelled: 24, several: 24, disputed: 4, adjudicated: 0, agreement: 20 / 24 })
    expect(before.people.disputes[0].labels).toMatchObject([
      { labeller: "ann", score: 1, at: expect.stringMatching(/^20/) },
      { labeller: "ben", score: 0 },
    ])

    const { out: third } = await by("eva", "00q", "--by", "dispute")
    expect(third).toContain("1 of 4")
    expect(third).not.toContain("ann")

    const { out: decided } = await by("chief", "01s1", "--adjudicate")
    expect(decided).toContain("labels, of which yours will be the last word:\nann: 1\nben: 0")
    expect(decided).not.toMatch(/lenient|strict|variant-/)
    const after = JSON.parse(await validated("--json"))
    expect(after.people).toMatchObject({ disputed: 4, adjudicated: 3 })
    expect(after.people.labellers.map(({ labeller }: { labeller: string }) => labeller)).toEqual(["ann", "ben", "eva"])
    const store = openRunStore(directory, { readonly: true })
    expect(store.labels(run)).toHaveLength(24 + 24 + 2 + 3)
    store.close()
    // 20 answers that all call right, 3 with a last word (0, 1, 1), and one between 1 and 0, or 1, 0 and 0.
    const last = after.people.disputes.find(({ last_word: word }: { last_word: number | null }) => word === null)
    const mean = last.labels.reduce((sum: number, { score }: { score: number }) => sum + score, 0) / last.labels.length
    expect(after.human_mean).toBeCloseTo((22 + mean) / 24, 12)
    expect(after.people.against.map(({ who }: { who: string }) => who)).toEqual([
      "ann",
      "ben",
      "eva",
      "the majority",
      "the last words",
    ])

    const { out: left } = await by("chief", "s", "--adjudicate")
    expect(left).toContain("1 of 1")
    await by("ann", "0".repeat(24), "--policy", "strict", ...all)
    await by("ben", "0".repeat(24), "--policy", "strict", ...all)
    const policies = JSON.parse(await validated("--json"))
    expect(policies.people.policies).toMatchObject([
      { policy: null, agreement: expect.any(Number) },
      { policy: "strict", agreement: 1, disputed: 0 },
    ])
    const strict = JSON.parse(await validated("--json", "--policy", "strict"))
    expect(strict).toMatchObject({ human_mean: 0, people: { labelled: 24, disputed: 0, policies: [] } })
    const text = await validated()
    expect(text).toContain("3 people labelled 24 answers")
    expect(text).toContain("policy strict: 2 people labelled 24 answers, 24 of them more than once. They differ on 0")
    expect(text).toContain("answers on which people differ")
  }, 60_000)

  it("needs a person at a terminal", async () => {
    const io = fakeIo({ cwd })
    expect(await main(["label"], io)).toBe(2)
    expect(io.stderr()).toContain("labelling needs a person at a terminal")
  })
})

describe("chooseAnswers", () => {
  const answers = judgedAnswers(
    [
      {
        name: "v",
        model: "m",
        rows: [
          judgedRow("agree", [verdict("a", 1), verdict("b", 1)]),
          judgedRow("apart", [verdict("a", 1), verdict("b", 0)]),
          judgedRow("middle", [verdict("a", 0.5), verdict("b", 0.5)]),
          judgedRow("sure", [verdict("a", 0), verdict("b", 0)]),
        ],
      },
    ],
    [],
  )

  it("picks those on which judges disagree and those near the threshold, in random order", () => {
    const chosen = chooseAnswers(answers, { drawn: "doubt", limit: 2, seed: 1, threshold: null })
    expect(chosen.map(({ sampleId }) => sampleId).sort()).toEqual(["apart", "middle"])
    const orders = Array.from(
      { length: 20 },
      (_, seed) => chooseAnswers(answers, { drawn: "doubt", limit: 2, seed, threshold: null })[0]?.sampleId,
    )
    expect(new Set(orders).size).toBe(2)
  })

  it("draws by chance without a look at the scores", () => {
    const seen = new Set(
      Array.from(
        { length: 60 },
        (_, seed) => chooseAnswers(answers, { drawn: "chance", limit: 1, seed, threshold: null })[0]?.sampleId,
      ),
    )
    expect(seen.size).toBe(4)
  })

  it("offers the judges' own choices, or what was asked for", () => {
    expect(labelScores(answers, undefined)).toEqual([0, 0.5, 1])
    expect(labelScores(answers, "1,0")).toEqual([0, 1])
    expect(() => labelScores(answers, "1,x")).toThrow(/different numbers/)
  })
})
