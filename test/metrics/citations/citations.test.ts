import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type CitationRow,
  citationPrecision,
  citationRecall,
  inventedCitations,
  missingCitations,
} from "../../../metrics/citations/citations.ts"
import type { EntailmentModel } from "../../../metrics/hallucination/entailment.ts"
import type { Metric } from "../../../src/core/metric/metric.ts"
import type { Provider } from "../../../src/core/provider.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { answerOf, measure, noTools, sampleOf, scoreOf } from "../lexical-fixtures.ts"

const context = ["Ada was born in London.", "Ada died in 1852.", "Cats sleep a lot."]
const score = (metric: Metric<CitationRow>, output: string) => scoreOf(metric, output, [], { context })

describe("citations by words and facts", () => {
  it.each<[string, number, number, number, number]>([
    // answer, recall, precision, missing, invented
    ["Ada was born in London [1]. Ada died in 1852 [2].", 1, 1, 0, 0],
    ["Ada was born in London [1]. She died in 1852.", 1 / 2, 1, 1 / 2, 0],
    ["Ada was born in London [2]. Ada died in 1852 [2].", 1 / 2, 1 / 2, 0, 0],
    ["Ada was born in London [1][3].", 1, 1 / 2, 0, 0],
    ["Ada was born in London and died in 1852 [1][2].", 1, 1, 0, 0],
    ["Ada was born in London [4]. Ada died in 1852 [2].", 1 / 2, 1, 0, 1],
    ["Ada was born in London. Ada died in 1852.", 0, 0, 1, 0],
    ["Ada was born in London. [1] Ada died in 1852. [2]", 1, 1, 0, 0],
    ["Ada was born in London.[1] Ada died in 1852.[2]", 1, 1, 0, 0],
    ["Ada died in 1852 [2]. The passages do not say why.", 1, 1, 0, 0],
  ])("scores %s", async (output, recall, precision, missing, invented) => {
    expect(await score(citationRecall(), output)).toBeCloseTo(recall, 12)
    expect(await score(citationPrecision(), output)).toBeCloseTo(precision, 12)
    expect(await score(missingCitations(), output)).toBeCloseTo(missing, 12)
    expect(await score(inventedCitations(), output)).toBeCloseTo(invented, 12)
  })

  it("is unscored where there is nothing to cite or nothing is stated", async () => {
    expect(await scoreOf(citationRecall(), "Ada [1].")).toMatch(/^no_context/)
    expect(await score(citationRecall(), "I do not know.")).toMatch(/^abstained/)
    expect(await score(citationPrecision(), " ")).toMatch(/^empty_output/)
  })

  it("marks in the answer what no passage supports, and why", async () => {
    const output = "Ada was born in Paris [1]. Ada died in 1852 [9]. Cats sleep."
    const measured = await measure(citationRecall(), output, [], { context })
    if (measured.status !== "scored") throw new Error(measured.reason)
    expect(measured.row.offences.map(({ start, reason }) => [output.slice(start).slice(0, 4), reason])).toEqual([
      ["Ada ", "not supported by passage 1"],
      ["Ada ", "cites passage 9, of 3"],
      ["Cats", "cites no passage"],
    ])
  })
})

/** A model that says of each set of passages what a table says. */
function modelOf(
  entails: (premise: string, hypothesis: string) => boolean,
): EntailmentModel & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    identity: "table",
    asked,
    entailment: async (pairs) =>
      pairs.map(({ premise, hypothesis }) => {
        asked.push(`${premise} => ${hypothesis}`)
        return entails(premise, hypothesis) ? 0.9 : 0.1
      }),
  }
}

describe("citations by a model", () => {
  it("agrees with ALCE's rules for any answer and any model", async () => {
    const sentence = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 5 }), fc.integer(), async (cited, seed) => {
        const entails = (premise: string, hypothesis: string) => hashOf(`${seed}${premise}${hypothesis}`) % 2 === 0
        const model = modelOf(entails)
        const passages = ["P1", "P2", "P3", "P4"]
        const sentences = cited.map(
          (marks, i) => `Statement number ${"x".repeat(i + 1)}${marks.map((m) => `[${m}]`).join("")}.`,
        )
        const sample = sampleOf([], { context: passages })
        const answer = answerOf(sentences.join(" "))
        const value = async (metric: ReturnType<typeof citationRecall>) => {
          const measured = await metric.measure(sample, answer, noTools)
          if (measured.status !== "scored") throw new Error(measured.reason)
          return metric.value(measured.row)
        }
        const expected = alce(
          cited.map((marks, i) => ({ text: `Statement number ${"x".repeat(i + 1)}.`, cites: [...new Set(marks)] })),
          passages,
          entails,
        )
        expect(await value(citationRecall({ support: model }))).toBeCloseTo(expected.recall, 12)
        const asked = model.asked.length
        expect(await value(citationPrecision({ support: model }))).toBeCloseTo(expected.precision, 12)
        expect(model.asked).toHaveLength(asked) // nothing is checked twice
      }),
      { numRuns: 300 },
    )
  })

  it("shows its statement and passages to a judge as data, and does not score what the judge does not decide", async () => {
    const seen: string[] = []
    const provider = { model: "judge", open: () => Promise.reject(new Error("not opened")) } as unknown as Provider
    const tools = (text: string, outcome = "ok") => ({
      ...noTools,
      models: {
        call: async (_: Provider, { messages }: { messages: readonly { content: unknown }[] }) => {
          seen.push(...messages.map(({ content }) => String(content)))
          return { outcome, text, replayed: false, costUsd: 0 } as never
        },
      },
    })
    const metric = citationRecall({ support: provider })
    expect(metric.asks).toEqual([provider])
    const say = async (text: string, outcome?: string) => {
      const measured = await metric.measure(
        sampleOf([], { context }),
        answerOf("Ada sleeps [1]."),
        tools(text, outcome),
      )
      return measured.status === "scored" ? metric.value(measured.row) : measured.reason
    }
    expect(await say('{"supported": true}')).toBe(1)
    expect(await say('{"supported": false}')).toBe(0)
    expect(await say("maybe")).toMatch(/^claims_unparseable/)
    expect(await say("", "http_error")).toMatch(/^claims_failed/)
    const [system, user] = seen
    expect(system).toContain("never an instruction")
    expect(system).not.toContain("Ada")
    expect(user).toContain("Ada was born in London.")
    expect(user).not.toContain("[1]")
  })

  it("asks two models of one name each for itself, and one model once for recall and precision", async () => {
    const providerOf = () =>
      ({ model: "judge", open: () => Promise.reject(new Error("not opened")) }) as unknown as Provider
    const [yes, no] = [providerOf(), providerOf()]
    let asked = 0
    const tools = {
      ...noTools,
      models: {
        call: async (provider: Provider) => {
          asked++
          return { outcome: "ok", text: `{"supported": ${provider === yes}}`, replayed: false, costUsd: 0 } as never
        },
      },
    }
    const [sample, answer] = [sampleOf([], { context }), answerOf("Ada sleeps [1].")]
    const figureOf = async (metric: Metric<CitationRow>) => {
      const measured = await metric.measure(sample, answer, tools)
      return measured.status === "scored" ? metric.value(measured.row) : measured.reason
    }
    expect(await figureOf(citationRecall({ support: yes }))).toBe(1)
    expect(await figureOf(citationRecall({ support: no }))).toBe(0)
    expect(await figureOf(citationPrecision({ support: no }))).toBe(0)
    expect(asked).toBe(2)
  })

  it("refuses another kind of support", () => {
    expect(() => citationRecall({ support: "words" as never })).toThrow(/support does not know "words"/)
  })
})

describe("the report's part of citations", () => {
  it("counts sentences and citations by variant", async () => {
    const rowsOf = async (metric: ReturnType<typeof citationRecall>, outputs: string[]) =>
      Promise.all(
        outputs.map(async (output, i) => {
          const measured = await measure(metric, output, [], { context })
          const value = measured.status === "scored" ? metric.value(measured.row) : null
          return { sampleId: `s${i}`, repeat: 0, measured, value }
        }),
      )
    const outputs = [
      "Ada was born in London [1][3].",
      "Ada died in 1852. She was born in Paris [1].",
      "Cats sleep [7].",
    ]
    const recall = citationRecall()
    const section = recall.section!([{ variant: "m", rows: await rowsOf(recall, outputs) }])!
    expect(section.kind).toBe("citations")
    expect((section.data as TableData).rows[0]!.map(plain)).toEqual(["m", 3, 1 / 3, 1 / 6, 4])
    const precision = citationPrecision()
    const other = precision.section!([{ variant: "m", rows: await rowsOf(precision, outputs) }])!
    expect((other.data as TableData).rows[0]!.map(plain)).toEqual(["m", 3, 1 / 6, 3, 1, 1, 1 / 3])
    expect(other.sentences[0]).toContain("16.7 % of an answer's citations help")
  })
})

function plain(cell: unknown): unknown {
  return typeof cell === "object" && cell !== null && "value" in cell ? cell.value : cell
}

function hashOf(text: string): number {
  let hash = 7
  for (const character of text) hash = (hash * 31 + character.charCodeAt(0)) >>> 0
  return hash >>> 3
}

/** The published evaluation's rules, written down a second time: Gao et al. 2023, section 4 and its appendix. */
function alce(
  sentences: readonly { text: string; cites: readonly number[] }[],
  passages: readonly string[],
  entails: (premise: string, hypothesis: string) => boolean,
): { recall: number; precision: number } {
  let [supported, precise, citations] = [0, 0, 0]
  const joined = (cites: readonly number[]) => cites.map((cite) => passages[cite - 1]).join("\n")
  for (const { text, cites } of sentences) {
    if (cites.length === 0 || cites.some((cite) => cite > passages.length)) continue
    citations += cites.length
    if (!entails(joined(cites), text)) continue
    supported++
    if (cites.length === 1) precise++
    else
      for (const cite of cites) {
        const rest = cites.filter((other) => other !== cite)
        if (entails(joined([cite]), text) || !entails(joined(rest), text)) precise++
      }
  }
  return { recall: supported / sentences.length, precision: citations === 0 ? 0 : precise / citations }
}
