import { describe, expect, it } from "vitest"
import { createEncoder } from "../../../src/encoders/embedder/worker/encode.ts"
import type { LoadedModel } from "../../../src/encoders/embedder/worker/load-model.ts"

/** A model of two layers whose vectors are the number of the token and that of the layer; token 1 begins a text, 2 ends it. */
function fakeModel() {
  let texts = 0
  const layer = (ids: readonly (readonly number[])[], number: number) => ({
    data: Float32Array.from(ids.flat().flatMap((id) => [id, number])),
    dimension: 2,
  })
  const model: LoadedModel = {
    tokenIds: (text, special) => {
      const ids = [...text].map((letter) => letter.charCodeAt(0))
      return special ? [1, ...ids, 2] : ids
    },
    tokenTexts: (ids) => ids.map(String),
    run: async (ids) => {
      texts += ids.length
      return new Map([
        ["hidden_1", layer(ids, 1)],
        ["last_hidden_state", layer(ids, 9)],
      ])
    },
    maxTokens: 8,
    dispose: async () => {},
  }
  return { model, passed: () => texts }
}

const settings = { maxTokens: 0, batchSize: 4, prefix: "" }
const go = () => true

describe("an encoder", () => {
  it("reads texts once for two layers, once it knows that both are wanted", async () => {
    const { model, passed } = fakeModel()
    const encoder = createEncoder(model, settings)
    await encoder.encode(["ab", "c"], null, go)
    await encoder.encode(["ab", "c"], 1, go)
    expect(passed()).toBe(4)
    const long = "long texts are cut into windows"
    const last = await encoder.encode(["de", "f", long], null, go)
    const after = passed()
    const first = await encoder.encode(["f", "de", "new", long], 1, go)
    expect(passed()).toBe(after + 1)

    const alone = createEncoder(fakeModel().model, settings)
    expect(last).toEqual(await alone.encode(["de", "f", long], null, go))
    expect(first).toEqual(await createEncoder(fakeModel().model, settings).encode(["f", "de", "new", long], 1, go))
    expect(first[1]?.vectors).toEqual(Float32Array.of(1, 1, 100, 1, 101, 1, 2, 1))
  })

  it("keeps what it has when the vectors that it gave were moved to another thread", async () => {
    const { model } = fakeModel()
    const encoder = createEncoder(model, settings)
    await encoder.encode(["x"], null, go)
    await encoder.encode(["x"], 1, go)
    await encoder.encode(["ab"], null, go)
    const [embedding] = await encoder.encode(["ab"], 1, go)
    structuredClone(embedding, { transfer: [embedding!.vectors.buffer as ArrayBuffer] })
    expect(embedding?.vectors.length).toBe(0)
    expect((await encoder.encode(["ab"], 1, go))[0]?.vectors.length).toBe(8)
  })

  it("keeps nothing of a pass that was stopped", async () => {
    const { model, passed } = fakeModel()
    const encoder = createEncoder(model, settings)
    await encoder.encode(["x"], null, go)
    await encoder.encode(["x"], 1, go)
    let batches = 0
    await encoder.encode(["a", "bcd"], null, () => ++batches < 2)
    const before = passed()
    expect((await encoder.encode(["bcd"], 1, go))[0]?.vectors.length).toBe(10)
    expect(passed()).toBe(before + 1)
  })
})
