import { expect, it } from "vitest"
import { bareAnswer, unsentLog } from "../../src/core/bare-answer.ts"
import type { Generation } from "../../src/core/generation.ts"
import { readGivenText } from "../../src/core/given-text.ts"
import { readRecordedRow } from "../../src/providers/recorded/row.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { foreignGeneration } from "../../src/text/reading/foreign-generation.ts"
import { scratchDirectory } from "../support/scratch.ts"

const older = bareAnswer({ outcome: "ok", log: unsentLog(0, 0), text: "a b", finishReason: "given_text" })

it("reads a given text that an older version marked by a finish reason", () => {
  expect(readGivenText(older)).toEqual({ ...older, finishReason: null, isGivenText: true })
  const own = { ...older, finishReason: "stop" }
  expect(readGivenText(own)).toBe(own)
})

it("reads it out of stores, caches and records of older versions", () => {
  const store = openRunStore(scratchDirectory())
  const generation: Generation = foreignGeneration({ sampleId: "s", text: "a b", finishReason: "given_text" })
  store.saveGeneration("run", generation)
  store.saveGeneration("run", { ...generation, sampleId: "t", position: 1, finishReason: null, isGivenText: true })
  store.saveCachedAnswer("key", older)
  const marks = [...store.generations("run", "foreign")].map((one) => [one.finishReason, one.isGivenText])
  expect(marks).toEqual([
    [null, true],
    [null, true],
  ])
  expect(store.cachedAnswer("key")?.isGivenText).toBe(true)
  store.close()
  const { answer } = readRecordedRow({ id: "s", text: "a b", finishReason: "given_text" }, "row 1")
  expect([answer.finishReason, answer.isGivenText]).toEqual([null, true])
  const today = readRecordedRow({ id: "s", text: "a b", isGivenText: true }, "row 1").answer
  expect([today.finishReason, today.isGivenText]).toEqual([null, true])
})
