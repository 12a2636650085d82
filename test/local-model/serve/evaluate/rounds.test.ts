import type { Token } from "node-llama-cpp"
import { expect, it } from "vitest"
import type { NativeContext } from "../../../../src/local-model/serve/evaluate/native-context.ts"
import { createRounds } from "../../../../src/local-model/serve/evaluate/rounds.ts"

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A context that writes down its batches, and rounds over it; the batch of that number fails. */
function recorded({ batchSize = 8, failing = -1 } = {}) {
  const batches: string[][] = []
  let [places, evaluating] = [0, false]
  const native = {
    initBatch() {
      expect(evaluating).toBe(false)
      batches.push([])
      places = 0
    },
    addToBatch(id: number, first: number, tokens: Uint32Array, expected: Uint32Array) {
      batches.at(-1)?.push(`${id}@${first}:${tokens.length}`)
      return expected.map(() => places++)
    },
    async decodeBatch() {
      evaluating = true
      for (let i = 0; i < 5; i++) await turn()
      evaluating = false
      if (batches.length - 1 === failing) throw new Error("no slot")
    },
  }
  const rounds = createRounds(native as unknown as NativeContext, batchSize)
  const sample = async (position: number, index: number) => {
    expect(evaluating).toBe(false)
    await turn()
    return `${position}/${index}`
  }
  const sequenceOf = (id: number) => ({ _sequenceId: id, _nextTokenIndex: 0, _contextTokens: [] as Token[] })
  const read = (sequence: ReturnType<typeof sequenceOf>, length: number, from = length - 1) =>
    rounds.evaluate({
      ...{
        sequence,
        tokens: Array.from({ length }, (_, i) => i as Token),
        isSampled: (i: number) => i >= from,
        sample,
      },
    })
  /** A prompt of two tokens, and so many steps less one. */
  const answer = async (id: number, steps: number) => {
    const sequence = sequenceOf(id)
    for (let step = 0; step < steps; step++) {
      await read(sequence, step === 0 ? 2 : 1)
      // The work between two steps.
      for (let hops = 0; hops < 50; hops++) await Promise.resolve()
    }
  }
  const sizes = () => batches.map((batch) => batch.length)
  return { rounds, batches, sizes, sequenceOf, read, answer, isEvaluating: () => evaluating }
}

it("puts all answers into each batch: those that begin in the middle of one, and whose samples come last", async () => {
  const { answer, sizes } = recorded()
  await Promise.all([answer(0, 5), answer(1, 4), answer(2, 4)])
  // The first one found nobody else.
  expect(sizes()).toEqual([1, 3, 3, 3, 3])
})

it("keeps an answer that is alone waiting for nobody", async () => {
  const { read, sequenceOf, sizes } = recorded()
  const sequence = sequenceOf(0)
  for (let step = 0; step < 3; step++) {
    const asked = read(sequence, 1)
    for (let hops = 0; hops < 10; hops++) await Promise.resolve()
    expect(sizes()).toHaveLength(step + 1)
    await asked
  }
})

it("reads a long prompt in parts, beside the steps of others, and hands over its samples in order", async () => {
  const { answer, batches, read, sequenceOf } = recorded()
  const sequence = sequenceOf(7)
  const [sampled] = await Promise.all([turn().then(() => read(sequence, 18, 15)), answer(0, 6)])
  expect(batches.map((batch) => batch.join(" "))).toEqual([
    ...["0@0:2", "0@2:1 7@0:7", "0@3:1 7@7:7", "0@4:1 7@14:4", "0@5:1", "0@6:1"],
  ])
  expect(sampled).toEqual(["1/15", "2/16", "3/17"])
  expect(sequence._nextTokenIndex).toBe(18)
  expect(sequence._contextTokens).toHaveLength(18)
})

it("works on a sequence only while nothing is evaluated, and before the next round", async () => {
  const { answer, rounds, sizes, isEvaluating } = recorded()
  const first = answer(0, 3)
  await turn()
  expect(isEvaluating()).toBe(true)
  await rounds.between(async () => expect(isEvaluating()).toBe(false))
  await Promise.all([first, answer(1, 1)])
  expect(sizes()).toEqual([1, 2, 1])
})

it("lets answers go on between many works", async () => {
  const { answer, rounds } = recorded()
  const log: string[] = []
  const works = async () => {
    for (let i = 0; i < 6; i++) await rounds.between(async () => void log.push("work"))
  }
  await Promise.all([works(), answer(0, 3).then(() => log.push("answer"))])
  expect(log.indexOf("answer")).toBeLessThan(6)
})

it("goes on after a batch that fails, with its error for all who were in it", async () => {
  const { answer, rounds, sizes } = recorded({ failing: 1 })
  const all = await Promise.allSettled([answer(0, 2), answer(1, 1), answer(2, 1)])
  expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
  await expect(rounds.between(() => Promise.reject(new Error("no room")))).rejects.toThrow("no room")
  await answer(3, 2)
  await rounds.settled()
  expect(sizes()).toEqual([1, 3, 1, 1])
})
