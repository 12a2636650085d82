import { describe, expect, it } from "vitest"
import { createRefusalMemory } from "../../../src/providers/refusals/memory.ts"
import { parametersIn, withoutParameters } from "../../../src/providers/refusals/parameters.ts"

const no = (name: string) => ({ status: 400, message: `'${name}' is not supported` })

describe("what is remembered of refusals", () => {
  it("holds for equal parameters and not for others: what one variant may send, another need not", () => {
    const memory = createRefusalMemory()
    const high = { temperature: 0, extra: { reasoning_effort: "high" } }
    const none = { temperature: 0, extra: { reasoning_effort: "none" } }
    const call = memory.call(high)
    call.withheld()
    expect(call.refused(no("temperature"), ["temperature"])).toBe(true)
    expect([...memory.call(high).withheld()]).toEqual(["temperature"])
    expect([...memory.call(none).withheld()]).toEqual([])
    expect(memory.notes(high)).toHaveLength(1)
    expect(memory.notes(none)).toEqual([])
  })

  it("does not tell seeds apart, which move on with every repeat", () => {
    const memory = createRefusalMemory()
    const call = memory.call({ seed: 1 })
    call.withheld()
    call.refused(no("seed"), ["seed"])
    expect([...memory.call({ seed: 2 }).withheld()]).toEqual(["seed"])
  })

  it("puts a parameter back that was named but not to blame, and does not try it again", () => {
    const memory = createRefusalMemory()
    const call = memory.call({ temperature: 0 })
    const refusal = { status: 400, message: "No such deployment (temperature 0)" }
    call.withheld()
    expect(call.refused(refusal, ["temperature"])).toBe(true)
    call.withheld()
    expect(call.refused(refusal, [])).toBe(false)
    expect([...call.withheld()]).toEqual([])
    expect(memory.notes()).toEqual([])
    const next = memory.call({ temperature: 0 })
    next.withheld()
    expect(next.refused(refusal, ["temperature"])).toBe(false)
  })

  it("keeps what an answer came without, however another call is refused in the same words", () => {
    const memory = createRefusalMemory()
    const first = memory.call({ temperature: 0 })
    const second = memory.call({ temperature: 0 })
    first.withheld()
    second.withheld()
    expect(first.refused(no("temperature"), ["temperature"])).toBe(true)
    expect(second.refused(no("temperature"), ["temperature"])).toBe(true)
    first.withheld()
    first.answered()
    second.withheld()
    expect(second.refused(no("temperature"), [])).toBe(false)
    expect([...memory.call({ temperature: 0 }).withheld()]).toEqual(["temperature"])
  })

  it("says how a call differs from what was wanted, without the limit that only changed its name", () => {
    const memory = createRefusalMemory(["seed"])
    const call = memory.call({ temperature: 0, maxTokens: 5, seed: 1 })
    for (const name of ["temperature", "max_tokens"]) {
      call.withheld()
      call.refused(no(name), ["temperature", "max_tokens"])
    }
    call.withheld()
    expect(call.differences(["temperature", "max_tokens", "seed"])).toEqual([
      { parameter: "seed", affects: "repeatability" },
      { parameter: "temperature", affects: "sampling" },
    ])
    expect(memory.notes()).toEqual([
      "temperature: refused by the endpoint; answers are sampled as the endpoint does by itself",
      "max_tokens: refused by the endpoint; the limit of tokens is sent under its other name",
      "seed: not offered by this endpoint; answers cannot be repeated exactly",
    ])
  })

  it("never drops the limit of tokens: it is sent under the other name", () => {
    const withheld = new Set(["max_tokens", "logprobs"])
    expect(withoutParameters({ max_tokens: 5, logprobs: true, top_logprobs: 2, stop: ["x"] }, withheld)).toEqual({
      max_completion_tokens: 5,
      stop: ["x"],
    })
    expect(withoutParameters({ max_completion_tokens: 5 }, withheld)).toEqual({ max_tokens: 5 })
  })

  it("finds and leaves out what stands inside another member, and nothing beside it", () => {
    const body = {
      model: "m",
      generationConfig: { topP: 0.9, seed: 1, maxOutputTokens: 9 },
      p: null,
      output_config: [1],
    }
    expect(parametersIn(body)).toEqual(["seed", "top_p"])
    expect(withoutParameters(body, new Set(["seed", "response_format"]))).toEqual({
      ...body,
      generationConfig: { topP: 0.9, maxOutputTokens: 9 },
    })
    expect(parametersIn({ output_config: { effort: "low", format: {} } })).toEqual(["response_format"])
  })
})
