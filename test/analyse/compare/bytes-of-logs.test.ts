import { setTimeout } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, it } from "vitest"
import { fileSource } from "../../../src/analyse/source/file-source.ts"
import { firstCharacters } from "../../../src/core/first-characters.ts"
import type { ForeignLog } from "../../../src/core/foreign/foreign-log.ts"
import { contentHash } from "../../../src/core/json.ts"
import { foreignAnswer } from "../../../src/interop/foreign-answer.ts"
import { foreignSample } from "../../../src/interop/foreign-sample.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const samples = 5_000
const words = 60

function bytesInUse(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** A log of long questions, made as it is read: it holds nothing itself. */
function logOf(file: string, atEnd: () => void): ForeignLog {
  return {
    ...{ tool: "ragas", file, dataset: "d", startedAt: null, metrics: new Map(), notes: [] },
    async *records() {
      for (let i = 0; i < samples; i++) {
        const input = Array.from({ length: words }, (_, word) => `question${word}`).join(" ")
        yield {
          ...{ variant: "m", repeat: 0, where: file, scores: { pass: i % 2 } },
          sample: foreignSample({ id: firstCharacters(`${contentHash(i, 64)}`, 16), input: `${input} ${i}` }),
          answer: foreignAnswer({ text: `answer ${file} ${i}` }, "Ragas"),
        }
      }
      atEnd()
    },
  }
}

it("holds two thousand bytes a sample of two logs while the second is read, and a thousand after it: no text, and one side's questions at a time", async () => {
  const before = bytesInUse()
  let reading = 0
  const log = (name: string) => ({
    ...{ name, variant: null, log: logOf(name, () => (reading = (bytesInUse() - before) / samples)) },
  })
  const source = await fileSource([log("a"), log("b")], { id: [], on: [], lower: [] })
  // What the readers of the logs held goes a turn after they have ended.
  await setTimeout(50)
  const after = (bytesInUse() - before) / samples
  expect(reading).toBeLessThan(2050)
  expect(after).toBeLessThan(1100)
  expect(source.baseline.answers.length).toBe(samples)
})
