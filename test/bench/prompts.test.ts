import { describe, expect, it } from "vitest"
import { syntheticRequests } from "../../src/bench/prompts.ts"

const options = {
  seed: 1,
  promptTokens: [40],
  maxTokens: [16],
  sharedPrefix: 0,
  trace: null,
  parameters: { temperature: 0 },
}
const words = (request: { messages: readonly { content: string }[] }) => request.messages[0]?.content.split(" ") ?? []

describe("synthetic prompts", () => {
  it("have the stated length, ask for the stated answer and are the same for the same seed", () => {
    const request = syntheticRequests(options, "measured")(3)
    expect(words(request)).toHaveLength(40)
    expect(request.parameters).toEqual({ temperature: 0, maxTokens: 16 })
    expect(syntheticRequests(options, "measured")(3)).toEqual(request)
  })

  it("differ from each other and from those of the warm-up, so that no cache answers them whole", () => {
    const measured = syntheticRequests(options, "measured")
    const warm = syntheticRequests(options, "warm-up")
    const all = [0, 1, 2].flatMap((i) => [measured(i), warm(i)]).map((request) => request.messages[0]?.content)
    expect(new Set(all).size).toBe(6)
  })

  it("have other words of the same lengths in another edition, so that no cache holds them from the load before", () => {
    const mixed = { ...options, promptTokens: [10, 50] }
    const [first, second] = ["/1", "/2"].map((edition) => syntheticRequests(mixed, "measured", edition))
    const indices = Array.from({ length: 20 }, (_, i) => i)
    expect(indices.map((i) => words(first!(i)).length)).toEqual(indices.map((i) => words(second!(i)).length))
    expect(indices.every((i) => first!(i).messages[0]?.content !== second!(i).messages[0]?.content)).toBe(true)
  })

  it("share the stated part of their beginning, and no more", () => {
    const requestOf = syntheticRequests({ ...options, sharedPrefix: 0.5 }, "measured")
    const [a, b] = [words(requestOf(0)), words(requestOf(1))]
    expect(a.slice(0, 20)).toEqual(b.slice(0, 20))
    expect(a.slice(20)).not.toEqual(b.slice(20))
  })

  it("mix several lengths, the same way for the same seed", () => {
    const mixed = { ...options, promptTokens: [10, 50], maxTokens: [4, 8, 16] }
    const requestOf = syntheticRequests(mixed, "measured")
    const lengths = Array.from({ length: 200 }, (_, i) => words(requestOf(i)).length)
    const answers = Array.from({ length: 200 }, (_, i) => requestOf(i).parameters.maxTokens)
    expect(new Set(lengths)).toEqual(new Set([10, 50]))
    expect(new Set(answers)).toEqual(new Set([4, 8, 16]))
    expect(lengths.filter((length) => length === 50).length).toBeGreaterThan(70)
    expect(lengths).toEqual(
      Array.from({ length: 200 }, (_, i) => words(syntheticRequests(mixed, "measured")(i)).length),
    )
  })

  const entry = (promptTokens: number | null, outputTokens: number | null, blocks: readonly string[] | null) => ({
    atMs: 0,
    promptTokens,
    outputTokens,
    blocks,
  })

  it("take lengths from a trace, over and over", () => {
    const trace = [entry(10, 5, null), entry(20, 7, null), entry(null, null, null)]
    const requestOf = syntheticRequests({ ...options, trace }, "measured")
    expect([0, 1, 2, 3].map((i) => words(requestOf(i)).length)).toEqual([10, 20, 40, 10])
    expect([0, 1, 2].map((i) => requestOf(i).parameters.maxTokens)).toEqual([5, 7, 16])
  })

  it("repeat the blocks that a trace names, and nothing else", () => {
    const trace = [entry(1200, 5, ["a", "b", "c"]), entry(1300, 5, ["a", "b", "d"]), entry(600, 5, ["a"])]
    const [first, second, three] = [0, 1, 2].map((i) => words(syntheticRequests({ ...options, trace }, "measured")(i)))
    expect([first?.length, second?.length, three?.length]).toEqual([1200, 1300, 600])
    expect(first?.slice(0, 1024)).toEqual(second?.slice(0, 1024))
    expect(first?.slice(1024)).not.toEqual(second?.slice(1024, 1200))
    expect(three?.slice(0, 512)).toEqual(first?.slice(0, 512))
    expect(three?.slice(512)).not.toEqual(first?.slice(512, 600))
    const warm = words(syntheticRequests({ ...options, trace }, "warm-up")(0))
    expect(warm.slice(0, 512)).not.toEqual(first?.slice(0, 512))
  })
})
