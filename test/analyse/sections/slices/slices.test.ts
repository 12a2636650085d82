import { describe, expect, it } from "vitest"
import { inline } from "../../../../datasets/inline.ts"
import { exactMatch } from "../../../../metrics/match/exact-match.ts"
import { validateConfig } from "../../../../src/config/validate.ts"
import { systemClock } from "../../../../src/core/clock.ts"
import type { RunReport } from "../../../../src/core/report/report.ts"
import type { ReportSection, SectionOfKind } from "../../../../src/core/report/report-sections.ts"
import type { RunStore } from "../../../../src/core/run/run-store.ts"
import { evaluate } from "../../../../src/pipeline/evaluate.ts"
import { fakeAnswer, fakeProvider } from "../../../support/fake-provider.ts"
import { scratchDirectory } from "../../../support/scratch.ts"
import { scratchStore } from "../../../support/scratch-store.ts"

const cacheDirectory = scratchDirectory()
const subjects = ["law", "history", "physics", "music"]

/** 240 questions of four subjects; those of law mention a contract. */
const questions = Array.from({ length: 240 }, (_, i) => {
  const subject = subjects[i % 4] as string
  return {
    id: `q${i}`,
    input: `${subject === "law" ? "By the contract, name" : "Name"} number ${i}${" please".repeat(i % 7)}`,
    reference: `${i}`,
    subject,
    author: `author ${i}`,
    vars: { level: `l${i % 2}`, text: `one of two long texts that name no kind of question: ${i % 2}` },
    level: String(1 + (i % 3)),
  }
})

/** Says the number of the question, but a wrong one where `isWrong`. */
const model = (name: string, isWrong: (number: number) => boolean) =>
  fakeProvider(name, (request) => {
    const [number = ""] = /\d+/.exec(String(request.messages[0]?.content)) ?? []
    return fakeAnswer(isWrong(Number(number)) ? "wrong" : number)
  })

const strong = () => model("strong", (i) => i % 11 === 0)
/** Wrong on half of the questions of law besides. */
const lawless = () => model("lawless", (i) => i % 11 === 0 || (i % 4 === 0 && i % 8 === 0))

async function run(
  store: RunStore,
  variants: readonly { readonly name: string; readonly provider: ReturnType<typeof model> }[],
  config: object = {},
  day = 1,
): Promise<RunReport> {
  const evaluation = await validateConfig({
    name: "test",
    dataset: inline(questions),
    variants: [...variants],
    metrics: [exactMatch()],
    ...config,
  })
  const facts = { id: `run${day}`, startedAt: `2026-01-0${day}T00:00:00.000Z`, versions: {}, configPath: null }
  const signal = new AbortController().signal
  const options = { evaluation, store, clock: systemClock, environment: {}, cacheDirectory, facts, signal }
  return (await evaluate(options)).report
}

const swap = () => [
  { name: "strong", provider: strong() },
  { name: "lawless", provider: lawless() },
]

function slicesOf({ sections }: RunReport): SectionOfKind<"slices"> {
  return sections.find(({ kind }) => kind === "slices") as SectionOfKind<"slices">
}

function brokeOf({ sections }: RunReport): SectionOfKind<"what_broke"> | undefined {
  return sections.find((section: ReportSection) => section.kind === "what_broke") as SectionOfKind<"what_broke">
}

async function withStore<T>(work: (store: RunStore) => Promise<T>): Promise<T> {
  const store = scratchStore()
  return await work(store)
}

describe("slices of a run", () => {
  it("are the length of the prompt and the fields of few values, and the one that got worse is named", async () => {
    const report = await withStore((store) => run(store, swap()))
    const { data, sentences } = slicesOf(report)
    expect(data.axes.map(({ axis }) => axis)).toEqual([
      ...["promptLength", "metadata.subject", "metadata.vars.level", "metadata.level"],
    ])
    expect(data.axes[2]?.title).toBe("vars.level")
    const subject = data.axes[1]
    expect(subject?.slices.map(({ slice, samples }) => [slice, samples])).toEqual(
      subjects.toSorted().map((text) => [text, 60]),
    )
    const law = subject?.slices
      .find(({ slice }) => slice === "law")
      ?.changes.find(({ figure }) => figure === "exactMatch")
    // Of the 60 questions of law, i = 0, 4, 8 …: 27 that strong has right are multiples of 8.
    expect(law).toMatchObject({ candidate: "lawless", before: 54 / 60, after: 27 / 60, moved: "worse" })
    expect(law?.difference).toMatchObject({ value: -27 / 60, n: 60 })
    const others = subject?.slices.filter(({ slice }) => slice !== "law").flatMap(({ changes }) => changes)
    expect(others?.filter(({ figure }) => figure === "exactMatch").map(({ moved }) => moved)).toEqual([
      null,
      null,
      null,
    ])
    expect(sentences[0]).toContain(
      "lawless is worse than strong on subject law (−45 points where the rest has 0 points; 60 samples, adjusted p < 0.001)",
    )
    expect(sentences.join(" ")).toContain("at most 5 % did not, on average (Benjamini and Hochberg)")
  })

  it("tests each slice against the rest, adjusted over all slices", async () => {
    const { data } = slicesOf(await withStore((store) => run(store, swap(), { slices: ["subject"] })))
    const law = data.axes[0]?.slices.find(({ slice }) => slice === "law")?.changes[0]
    // 27 of 60 lost, 0 of 180: t = 0.45 / √(s² · (1/60 + 1/180)), s² = 27 · 33 / (60 · 59), with its degrees by Satterthwaite.
    expect(law).toMatchObject({ rest: 0, moved: "worse" })
    expect(law?.p).toBeLessThan(1e-6)
    expect(law?.pAdjusted).toBeCloseTo(4 * (law?.p as number), 15)
  })

  it("say what broke: the field, not the words that its inputs have in common, too", async () => {
    const broke = brokeOf(await withStore((store) => run(store, swap())))
    const lines = broke?.data.rows.map(([variant, kind, what, evidence]) => [variant, kind, what, evidence])
    expect(lines?.length).toBeLessThanOrEqual(10)
    // 27 of the 60 questions of law, and none of the others.
    expect(lines).toEqual([
      [
        "lawless",
        "losses, cause 1",
        "subject law; answer lacks numbers",
        "27 of 27 losses: 45 % of 60 samples, between 33 and 58; elsewhere 0 %; adjusted p < 0.001",
      ],
    ])
  })

  it("say what broke where answers fail: messages that differ in their numbers only are one line", async () => {
    const failing = fakeProvider("failing", (request) => {
      const number = Number(/\d+/.exec(String(request.messages[0]?.content))?.[0])
      const ok = fakeAnswer(String(number))
      return number % 10 === 0
        ? {
            ...ok,
            outcome: "http_5xx",
            text: "",
            failure: { message: `worker ${number} of "pool-${number}" died` },
          }
        : ok
    })
    const variants = [
      { name: "strong", provider: strong() },
      { name: "failing", provider: failing },
    ]
    const broke = brokeOf(await withStore((store) => run(store, variants, { retry: false })))
    const [first] = broke?.data.rows ?? []
    expect(first?.slice(0, 4)).toEqual([
      "failing",
      "failure",
      'http_5xx: worker # of "…" died',
      "24 answers, 0 of the baseline",
    ])
    expect(first?.[4]).toMatch(/^q\d*0, q\d*0, q\d*0$/)
  })

  it("are none where the config says so, and those that it names where it names some", async () => {
    const none = await withStore((store) => run(store, swap(), { slices: [] }))
    expect(slicesOf(none)).toBeUndefined()
    expect(brokeOf(none)).toBeUndefined()
    const named = await withStore((store) =>
      run(store, swap(), { slices: ["author", "subject", "script", "answerLength"] }),
    )
    const { data, sentences } = slicesOf(named)
    expect(data.axes.map(({ axis }) => axis)).toEqual(["subject"])
    expect(data.leftOut).toEqual([
      { axis: "script", reason: "it has one value only" },
      { axis: "answerLength", reason: expect.stringMatching(/strong|same/) },
      { axis: "author", reason: "it has no two slices of 10 samples" },
    ])
    expect(sentences).toContain("Not sliced: script, because it has one value only.")
  })

  it("of a field that no sample has are refused before anything is asked", async () => {
    const asked = withStore((store) => run(store, swap(), { slices: ["author", "subjct"] }))
    await expect(asked).rejects.toMatchObject({
      code: "unknown_slice",
      where: "slices[1]",
      hint: 'did you mean "subject"?',
    })
  })

  it("by difficulty read other variants of earlier runs, never those that are compared", async () => {
    await withStore(async (store) => {
      const first = { slices: ["difficulty"] }
      const alone = await run(store, swap(), first, 1)
      expect(slicesOf(alone).data.leftOut).toEqual([
        {
          axis: "difficulty",
          reason: "no earlier run of the store has other variants with exactMatch on this data set",
        },
      ])
      // The same two variants again: what they scored before says nothing of how hard the samples are for others.
      expect(slicesOf(await run(store, swap(), first, 2)).data.axes).toEqual([])
      await run(store, [{ name: "old", provider: model("old", (i) => i < 80) }], {}, 3)
      const { data, sentences } = slicesOf(await run(store, swap(), first, 4))
      expect(data.axes[0]?.slices.map(({ slice, samples }) => [slice, samples])).toEqual([
        ["never right before", 80],
        ["always right before", 160],
      ])
      expect(sentences).toContain(
        "Difficulty is what 1 variant of run run3 scored in exactMatch; none of them is compared here.",
      )
    })
  })

  it("of few samples are pooled where they are enough together, and left out where they are not", async () => {
    const rare = questions.map((question, i) => ({
      ...question,
      kind: i < 6 ? "a" : i < 12 ? "b" : i < 120 ? "c" : "d",
      odd: i < 4 ? "x" : i < 100 ? "y" : "z",
    }))
    const config = { dataset: inline(rare), slices: ["kind", "odd"] }
    const { data, sentences } = slicesOf(await withStore((store) => run(store, swap(), config)))
    expect(data.axes.map(({ slices, small }) => [slices.map(({ slice, samples }) => [slice, samples]), small])).toEqual(
      [
        [
          [
            ["c", 108],
            ["d", 120],
            ["other (2 small slices)", 12],
          ],
          { slices: 2, samples: 12, pooled: true },
        ],
        [
          [
            ["y", 96],
            ["z", 140],
          ],
          { slices: 1, samples: 4, pooled: false },
        ],
      ],
    )
    expect(sentences).toContain(
      "Slices of fewer than 10 samples: 2 slices of kind (12 samples) pooled and 1 slice of odd (4 samples) left out.",
    )
  })

  it("of one variant alone are its figures", async () => {
    const report = await withStore((store) =>
      run(store, [{ name: "strong", provider: strong() }], { slices: ["subject"] }),
    )
    const { data, sentences } = slicesOf(report)
    expect(data.axes[0]?.slices[0]).toMatchObject({ changes: [], levels: [{ variant: "strong" }] })
    expect(data.axes[0]?.slices[0]?.levels[0]?.figures[0]).toMatchObject({ status: "known", n: 60 })
    expect(sentences).toEqual([])
  })
})
