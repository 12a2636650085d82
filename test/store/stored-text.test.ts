import { expect, it } from "vitest"
import { unscored } from "../../src/core/metric/metric.ts"
import { fromStoredText, toStoredText } from "../../src/store/tables/stored-text.ts"
import { fakeSample } from "../support/fake-variant.ts"
import { scratchStore } from "../support/scratch-store.ts"

// SQLite's driver ends a text at U+0000, PostgreSQL refuses it, and half of a surrogate pair has no bytes.
const ids = [
  "a",
  "a\0",
  "a\0b",
  "a\u0001",
  "a\u00010",
  "a\u00012d800",
  "b",
  "Ä",
  "é",
  "Z",
  "𝒳",
  "'; DROP TABLE runs; --",
]
const halves = ["h\ud800", "h\ud801", "h\udc00", "h\udc00\ud800", "h\ufffd"]

it("a store keeps every text as it was, in ids and reasons as well: characters that databases have no place for, and their order", () => {
  const store = scratchStore()
  const all = [...ids, ...halves]
  store.saveSamples(
    "f",
    all.map((id) => fakeSample(id, { input: `${id} \0 and \u0001` })),
    0,
  )
  expect([...store.sampleIds("f")]).toEqual(all)
  expect(new Set(store.samplesOf("f", all).map(({ id }) => id))).toEqual(new Set(all))
  for (const id of all) expect(store.sample("f", id)?.input).toBe(`${id} \0 and \u0001`)
  const rows = all.map((sampleId) => ({
    ...{ variant: "a", metric: "m", sampleId, repeat: 0, value: null },
    measured: unscored("judge_failed", `said \0 ${sampleId}`),
  }))
  store.saveRows("r", rows)
  const read = [...store.rows("r", "a", "m")]
  const byBytes = [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(read.map(({ sampleId }) => sampleId).filter((id) => !halves.includes(id))).toEqual(byBytes)
  expect(read).toHaveLength(all.length)
  for (const { sampleId, measured } of read)
    expect(measured).toMatchObject({ reason: `judge_failed: said \0 ${sampleId}` })
  store.saveRows(
    "r",
    ["m\0x", "m\0y"].map((metric) => ({ ...rows[0]!, metric })),
  )
  expect(new Set(store.scoredMetrics("r", "a"))).toEqual(new Set(["m", "m\0x", "m\0y"]))
})

it("a text that is kept otherwise is read as it was", () => {
  for (const text of [...ids, ...halves, "\u00012", "\u00012dfff\udfff"]) {
    expect(fromStoredText(toStoredText(text))).toBe(text)
    expect(Buffer.from(toStoredText(text)).toString()).toBe(toStoredText(text))
    expect(toStoredText(text)).not.toContain("\0")
  }
})
