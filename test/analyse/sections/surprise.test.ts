import { describe, expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { perplexity } from "../../../metrics/perplexity/perplexity.ts"
import { sentencePeaks } from "../../../src/analyse/sections/sentence-peaks.ts"
import { reportInput } from "../../../src/analyse/summary/report-input.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import { systemClock } from "../../../src/core/clock.ts"
import type { Provider } from "../../../src/core/provider.ts"
import type { KnownFigure } from "../../../src/core/report/figure.ts"
import type { ReportAnswer } from "../../../src/core/report/report-sample.ts"
import type { SectionOfKind } from "../../../src/core/report/report-sections.ts"
import { evaluate } from "../../../src/pipeline/evaluate.ts"
import { textScorer } from "../../../src/providers/text-scorer.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { noResources } from "../../support/fake-provider.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** Every word with the space before it is a token; `nats` says how surprising it is. */
function scorer(name: string, nats: (word: string, text: string) => number): Provider {
  return textScorer({
    kind: "fake",
    model: name,
    label: name,
    endpoint: "fake",
    identity: { name },
    open: async () => ({
      scoreText: async (text: string) =>
        (text.match(/\s*\S+/gu) ?? []).map((token) => ({ token, logprob: -nats(token.trim(), text), top: [] })),
      request: () => Promise.reject(new Error("nothing is to be generated")),
      resources: async () => noResources,
      notes: () => [],
      close: async () => {},
    }),
  } as unknown as Provider)
}

/** Forty texts of sixteen words; each has one word that no other has, and those on law twice as often "whereas". */
const texts = Array.from({ length: 40 }, (_, i) => ({
  id: `t${String(i).padStart(2, "0")}`,
  input: `the cat sat on the mat and the dog sat rare${i} here. It ${i % 2 ? "was" : "whereas"} so.`,
  domain: i % 2 ? "home" : "law",
}))
const isRare = (word: string) => /^rare\d/.test(word)

async function run(candidate: (word: string, text: string) => number, alpha = 0.05) {
  const store = openRunStore(scratchDirectory())
  const evaluation = await validateConfig({
    name: "texts",
    dataset: inline(texts),
    variants: [
      { name: "f16", provider: scorer("f16", () => 2), price: null },
      { name: "q4", provider: scorer("q4", candidate), price: null },
    ],
    metrics: [perplexity()],
    alpha,
  })
  const facts = { id: "run1", startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null }
  const signal = new AbortController().signal
  const options = {
    evaluation,
    store,
    clock: systemClock,
    environment: {},
    cacheDirectory: scratchDirectory(),
    facts,
    signal,
  }
  const { report, record } = await evaluate(options)
  const answers: ReportAnswer[] = []
  for await (const sample of reportInput(store, record).samples()) answers.push(...sample.answers)
  store.close()
  const section = report.sections.find(
    ({ kind, title }) => kind === "perplexity" && title.startsWith("Perplexity by"),
  ) as SectionOfKind<"perplexity">
  const rows = new Map(section.data.rows.map((row) => [String(row[0]), row]))
  const changeOf = (part: string) => rows.get(part)?.[4] as KnownFigure
  return { report, section, rows, changeOf, answers }
}

describe("perplexity by word frequency, position and field", () => {
  it("shows that a quantization forgets rare words only", async () => {
    // Each rare word costs ln 3 more, with some spread over the texts.
    const spread = (text: string) => 0.1 * ((text.length * 7) % 5) - 0.2
    const { section, rows, changeOf } = await run((word, text) => 2 + (isRare(word) ? Math.log(3) + spread(text) : 0))
    expect(rows.get("words: seen once or twice")?.slice(1, 3)).toEqual([40, expect.closeTo(Math.exp(2), 10)])
    const rare = changeOf("words: seen once or twice")
    expect(rare.value).toBeGreaterThan(180)
    expect(rare.value).toBeLessThan(220)
    expect(rare.low as number).toBeLessThan(rare.value)
    expect(changeOf("words: seen over 100 times").value).toBeCloseTo(0, 10)
    // The rare word is the eleventh: it counts among the tokens 9 to 32.
    expect(changeOf("position: tokens 1 to 8").value).toBeCloseTo(0, 10)
    expect(changeOf("position: tokens 9 to 32").value).toBeGreaterThan(10)
    expect(section.sentences[0]).toMatch(
      /^q4 differs from f16 in \d of \d+ parts of the texts, most in words seen once or twice \(\+/,
    )
  })

  it("has a row for each field of few values, by the sums of its texts", async () => {
    const { rows, changeOf } = await run(
      (_word, text) => (text.includes("whereas") ? 2.5 : 2) + 0.001 * (text.length % 3),
    )
    expect([...rows.keys()].filter((name) => name.startsWith("domain"))).toEqual(["domain: home", "domain: law"])
    expect(changeOf("domain: law").value / 100 + 1).toBeCloseTo(Math.exp(0.5), 1)
    expect(Math.abs(changeOf("domain: home").value)).toBeLessThan(1)
  })

  it("says nothing moved where nothing did, and gives intervals at the run's level", async () => {
    const noise = (_word: string, text: string) => 2 + 0.01 * (((text.length * 31 + text.charCodeAt(43)) % 7) - 3)
    const [at95, at50] = [await run(noise), await run(noise, 0.5)]
    const width = ({ low, high }: KnownFigure) => (high as number) - (low as number)
    expect(width(at50.changeOf("all: texts"))).toBeLessThan(width(at95.changeOf("all: texts")))
    expect(at50.section.sentences.join(" ")).toContain("Benjamini and Hochberg at 50 %")
  })

  it("marks the sentence that surprises most, with its figures, in the text that the page shows", async () => {
    const { answers } = await run((_word, text) => (text.includes("whereas") ? 2.5 : 2))
    const plain = answers.flatMap(({ highlights = [] }) => highlights)
    expect(plain).toEqual([])
    const { answers: marked } = await run((word) => (["It", "was", "whereas", "so."].includes(word) ? 6 : 1))
    const [first] = marked.filter(({ generation }) => generation.variant === "q4")
    expect(first?.highlights).toEqual([
      {
        kind: "surprising",
        metric: "perplexity",
        start: texts[0]!.input.indexOf("It"),
        length: "It whereas so.".length,
        reason: expect.stringMatching(
          /^6\.00 nats a token, where the text has 2\.\d\d; most surprising: "It" \(6\.0 nats\)$/,
        ),
      },
    ])
  })
})

describe("sentencePeaks", () => {
  const tokens = (text: string, nats: (token: string) => number) =>
    (text.match(/\s*\S+/gu) ?? []).map((token) => ({ token, logprob: -nats(token), top: [] }))

  it("finds nothing where the tokens are not the pieces of the text, or there is one sentence", () => {
    expect(
      sentencePeaks(
        "one two three.",
        tokens("one two four.", () => 1),
      ),
    ).toEqual([])
    expect(
      sentencePeaks(
        "one two three",
        tokens("one two three", () => 1),
      ),
    ).toEqual([])
    expect(sentencePeaks("", [])).toEqual([])
  })
  it("reads a text of which only the end was scored", () => {
    const text = "Given before. A plain short line. Odd zebra quartz hums."
    const scored = tokens(" A plain short line. Odd zebra quartz hums.", (token) =>
      /Odd|zebra|quartz|hums/.test(token) ? 9 : 1,
    )
    const [peak, ...more] = sentencePeaks(text, scored)
    expect(text.slice(peak?.start, (peak?.start ?? 0) + (peak?.length ?? 0))).toBe("Odd zebra quartz hums.")
    expect(peak).toMatchObject({ nats: 9, textNats: 5, token: "Odd" })
    expect(more).toEqual([])
  })
})
