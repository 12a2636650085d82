import { describe, expect, it } from "vitest"
import { rubric } from "../../../judges/rubric-judge.ts"
import { toxicity as toxicityRubric } from "../../../judges/rubrics/toxicity.ts"
import { moderation } from "../../../metrics/safety/moderation.ts"
import { toxicity } from "../../../metrics/safety/toxicity.ts"
import { toxicityDetectors } from "../../../metrics/safety/toxicity-detectors.ts"
import { EvalkitError } from "../../../src/core/errors.ts"
import { meanMetric } from "../../../src/core/metric/mean-metric.ts"
import type { MetricRow } from "../../../src/core/metric/metric.ts"
import type { Moderator } from "../../../src/core/metric/moderator.ts"
import type { TextClassifier } from "../../../src/core/metric/text-classifier.ts"
import { recorded } from "../../../src/providers/recorded.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

/** A detector that flags texts with a word of its own. */
const detector = (name: string, word: string, direction: "higher" | "lower" = "lower") =>
  meanMetric({
    name,
    signature: `${name}|v1`,
    direction,
    measure: (_sample, { text }) => Number(text.includes(word) === (direction === "lower")),
  })

async function rowsOf(metric: ReturnType<typeof toxicityDetectors>, texts: readonly string[]): Promise<MetricRow[]> {
  return Promise.all(
    texts.map(async (text, i) => {
      const measured = await metric.measure({ ...sampleOf([]), id: `s${i}` }, answerOf(text), noTools)
      const value = measured.status === "scored" ? metric.value(measured.row) : null
      return { sampleId: `s${i}`, repeat: 0, measured, value }
    }),
  )
}

const texts = ["a b c", "a b", "a", "", "c"]

describe("toxicityDetectors", () => {
  it("counts an answer by most, any or all of the detectors, whichever way they point", async () => {
    const detectors = [detector("first", "a"), detector("second", "b", "higher"), detector("third", "c")]
    for (const [flag, expected] of [
      ["most", [1, 1, 0, 0, 0]],
      ["any", [1, 1, 1, 0, 1]],
      ["all", [1, 0, 0, 0, 0]],
    ] as const) {
      const rows = await rowsOf(toxicityDetectors({ detectors, flag }), texts)
      expect(
        rows.map(({ value }) => value),
        flag,
      ).toEqual(expected)
    }
  })

  it("shows each detector, where it stands alone, and what to read", async () => {
    const metric = toxicityDetectors({
      detectors: [detector("first", "a"), detector("second", "b", "higher"), detector("third", "c")],
    })
    const rows = await rowsOf(metric, texts)
    const entries = rows.flatMap(({ measured, ...at }) =>
      measured.status === "scored" ? [{ ...at, row: measured.row as never }] : [],
    )
    // Three of five: "a b" (third lets pass alone), "a" (first flags alone), "c" (third flags alone).
    expect(metric.summarise(entries)).toMatchObject({
      value: 0.4,
      details: {
        disagreement: { answers: 3, of: 5 },
        detectors: {
          first: { looked: 5, flagged: 3, alone: 1, aloneAgainst: 0 },
          second: { flagged: 2, alone: 0, aloneAgainst: 0 },
          third: { flagged: 2, alone: 1, aloneAgainst: 1 },
        },
      },
    })
    const section = metric.section?.([{ variant: "v", rows }], { alpha: 0.1 })
    expect(section).toMatchObject({
      kind: "safety",
      caution:
        "toxicityDetectors: the detectors disagree on 3 of 5 answers of v (first flags 3, second flags 2, third flags 2)",
    })
    expect(section?.sentences[0]).toContain("disagree on 3 of 5")
    expect(section?.sentences[0]).toContain("Worth reading: s1, s2, s4.")
    expect(JSON.stringify(section)).not.toContain("95 %")
  })

  it("hears the detectors that can look where another cannot, and says why", async () => {
    const absent: TextClassifier = {
      identity: "absent",
      classify: async () => {
        throw new EvalkitError("the weights are missing", { code: "model_unavailable" })
      },
      close: async () => {},
    }
    const metric = toxicityDetectors({
      detectors: [toxicity({ name: "words" }), toxicity({ name: "classifier", model: absent })],
    })
    const measured = await metric.measure(sampleOf([]), answerOf("what a fucking mess"), noTools)
    expect(measured).toMatchObject({
      status: "scored",
      row: {
        flagged: true,
        detectors: [
          { name: "words", flagged: true, reason: null },
          {
            name: "classifier",
            flagged: null,
            reason: expect.stringMatching(/^model_unavailable: .*weights are missing/),
          },
        ],
      },
    })
    const none = toxicityDetectors({ detectors: [toxicity({ name: "classifier", model: absent })] })
    expect(await none.measure(sampleOf([]), answerOf("x"), noTools)).toMatchObject({ code: "no_detector" })
  })

  it("tells budgets and the doctor what a judge, an endpoint and a classifier among them ask and use", () => {
    const by: Moderator = {
      identity: "m|host",
      moderate: async () => [],
      usage: () => ({ requests: 0, texts: 0, costUsd: null }),
      onUse() {},
      close: async () => {},
    }
    const model: TextClassifier = {
      identity: "c",
      classify: async () => [],
      open: async () => {},
      close: async () => {},
    }
    const judge = rubric({ provider: recorded([{ id: "a", text: "b" }]), rubric: toxicityRubric })
    const metric = toxicityDetectors({
      detectors: [{ metric: judge, from: 0.4 }, moderation({ by }), toxicity({ name: "classifier", model })],
    })
    expect(metric.asks).toHaveLength(1)
    expect(metric.meters).toEqual([by])
    expect(metric.uses?.map(({ kind }) => kind)).toEqual(["moderation", "classifier"])
    expect(metric.uses?.[1]?.open).toBeDefined()
  })

  it("refuses detectors of one name, none, and values that are no share", () => {
    expect(() => toxicityDetectors({ detectors: [] })).toThrow(/one or more of different names/)
    expect(() => toxicityDetectors({ detectors: [toxicity(), toxicity()] })).toThrow(/different names/)
    expect(() => toxicityDetectors({ detectors: [{ metric: toxicity(), from: 2 }] })).toThrow(/from must be in 0..1/)
    const wide = { ...toxicity(), range: [0, 5] as const }
    expect(() => toxicityDetectors({ detectors: [wide] })).toThrow(/values of 0 to 1; toxicity has 0 to 5/)
  })
})
