import type { LlamaContext } from "node-llama-cpp"
import { describe, expect, it } from "vitest"
import { createSequencePool } from "../../../../src/local-model/serve/sequences/sequence-pool.ts"
import { createWaitingLine } from "../../../../src/local-model/serve/sequences/waiting-line.ts"

const forever = new AbortController().signal

describe("a line of requests", () => {
  it("serves who came first, and turns away who finds it full", async () => {
    const line = createWaitingLine<string>(2, 1)
    const [first, second] = [line.wait(forever), line.wait(forever)]
    await expect(line.wait(forever)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 })
    expect([line.give("a"), line.give("b"), line.give("c")]).toEqual([true, true, false])
    expect(await Promise.all([first, second])).toEqual(["a", "b"])
  })

  it("forgets who leaves", async () => {
    const line = createWaitingLine<string>(1, 1)
    const leaving = new AbortController()
    const left = line.wait(leaving.signal)
    leaving.abort(new Error("gone"))
    await expect(left).rejects.toThrow("gone")
    expect([line.length, line.give("a")]).toEqual([0, false])
  })
})

describe("work beside the sequences", () => {
  const pool = () => {
    const context = { totalSequences: 1, getSequence: () => ({}) } as unknown as LlamaContext
    return createSequencePool(context, 1)
  }

  it("runs one after the other, also behind one that failed, and takes no place", async () => {
    const { beside, ...rest } = pool()
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push(`${name} ends`)
      if (name === "a") throw new Error("failed")
    }
    const [a, b] = [beside(forever, work("a")), beside(forever, work("b"))]
    await expect(beside(forever, work("c"))).rejects.toMatchObject({ status: 429 })
    await expect(a).rejects.toThrow("failed")
    await b
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"])
    expect(rest.waiting).toBe(0)
  })

  it("counts as a request that is served", async () => {
    const places = pool()
    const running = places.beside(forever, () => new Promise((resolve) => setTimeout(resolve, 5)))
    expect([places.busy, places.waiting]).toEqual([1, 0])
    await running
    expect(places.busy).toBe(0)
  })
})
