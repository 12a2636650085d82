import { describe, expect, it } from "vitest"
import { type CombinedRow, hallucination } from "../../../metrics/hallucination/combined.ts"
import { detectorMetric } from "../../../metrics/hallucination/detector.ts"
import { type RowEntry, scored, unscored } from "../../../src/core/metric/metric.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

/** A detector that flags answers with a word in them. */
const detector = (word: string) =>
  detectorMetric({
    name: word,
    signature: word,
    threshold: 0,
    cost: `reading for ${word}`,
    blindSpot: `all but ${word}`,
    assess(_sample, { text }) {
      if (text === "blank") return unscored("no_context")
      const start = text.indexOf(word)
      const offences = start < 0 ? [] : [{ text: word, start, reason: "found" }]
      return { score: offences.length, checked: 1, unsupported: offences.length, offences }
    },
  })
const detectors = [detector("red"), detector("blue"), detector("green")]

async function entries(texts: readonly [string, boolean][], flag: "any" | "most" | "all") {
  const metric = hallucination({ detectors, flag })
  const result: RowEntry<CombinedRow>[] = []
  for (const [i, [text, label]] of texts.entries()) {
    const measured = await metric.measure(sampleOf([], { label }), answerOf(text), noTools)
    if (measured.status === "scored") result.push({ row: measured.row, sampleId: `s${i}`, repeat: 0 })
  }
  return result
}

const texts: [string, boolean][] = [
  ["red", true],
  ["red blue", true],
  ["red blue green", true],
  ["nothing", false],
]

describe("hallucination", () => {
  it.each([
    ["any", 0.75],
    ["most", 0.5],
    ["all", 0.25],
  ] as const)("flags what %s of the detectors flag", async (flag, rate) => {
    expect(hallucination({ detectors, flag }).summarise(await entries(texts, flag)).value).toBe(rate)
  })

  it("keeps the places of all detectors with the detector that found each", async () => {
    const [, second] = await entries(texts, "any")
    expect(second?.row.offences).toEqual([
      { text: "red", start: 0, reason: "red: found", detector: "red" },
      { text: "blue", start: 4, reason: "blue: found", detector: "blue" },
    ])
  })

  it("has the figures of each detector from rows that an older version stored without its name, too", async () => {
    const today = await entries(texts, "any")
    const older = today.map((entry) => ({
      ...entry,
      row: { ...entry.row, offences: entry.row.offences.map(({ detector: _, ...offence }) => offence) },
    }))
    const metric = hallucination({ detectors })
    expect(metric.summarise(older)).toEqual(metric.summarise(today))
  })

  it("shows each detector and all together, with precision, recall, cost and blind spot", async () => {
    const metric = hallucination({ detectors })
    const rows = (await entries(texts, "any")).map(({ row, ...location }) => ({
      ...location,
      measured: scored(row),
      value: metric.value(row),
    }))
    const section = metric.section!([{ variant: "m", rows }])!
    const data = section.data as unknown as TableData
    expect(data.rows.map((cells) => cells[1])).toEqual(["together (any of them)", "red", "blue", "green"])
    expect(data.rows[0]).toMatchObject([
      "m",
      expect.anything(),
      { value: 0.75 },
      { value: 1 },
      { value: 1 },
      1,
      "that of all",
      expect.any(String),
    ])
    expect(data.rows[2]).toMatchObject([
      "m",
      "blue",
      { value: 0.5 },
      { value: 1, n: 2 },
      { value: expect.closeTo(2 / 3, 12), n: 3 },
      expect.closeTo(5 / 6, 12),
      "reading for blue",
      "all but blue",
    ])
    expect(section.sentences).toEqual(["m: any of 3 detectors flag 75 % of 4 answers."])
  })

  it("leaves out a detector that cannot check an answer, and is unscored when none can", async () => {
    const sees = detectorMetric({
      name: "always",
      signature: "always",
      cost: "none",
      blindSpot: "all",
      threshold: 0,
      assess: () => ({ score: 1, checked: 1, unsupported: 1, offences: [] }),
    })
    const metric = hallucination({ detectors: [detector("red"), sees], flag: "all" })
    const measured = await metric.measure(sampleOf([]), answerOf("blank"), noTools)
    expect(measured).toMatchObject({
      status: "scored",
      row: { flagged: true, detectors: [{ reason: "no_context" }, { flagged: true }] },
    })
    expect(await hallucination({ detectors }).measure(sampleOf([]), answerOf("blank"), noTools)).toMatchObject({
      status: "unscored",
      reason: expect.stringMatching(/^no_detector: no_context/),
    })
    expect(() => hallucination({ detectors: [] })).toThrow(/detectors/)
    expect(() => hallucination({ detectors: [detector("red"), detector("red")] })).toThrow(/different names/)
  })
})
