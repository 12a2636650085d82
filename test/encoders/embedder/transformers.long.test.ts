import { existsSync, rmSync } from "node:fs"
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { MissingPackageError } from "../../../src/core/errors.ts"
import { defaultEmbedderIdentity } from "../../../src/core/metric/embedder.ts"
import { minilmFolder } from "../../../src/encoders/embedder/minilm/minilm-folder.ts"
import { transformers } from "../../../src/encoders/embedder/transformers.ts"
import { modelCache, paraphrases, realModel } from "../../metrics/semantic/model.ts"
import { isNightly } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const embedder = realModel()
// Where onnxruntime reports its use to its maker, it begins with this file.
const reporting = join(tmpdir(), `mat-debug-${process.pid}.log`)
rmSync(reporting, { force: true })
// The first use builds the model, which a busy machine takes its time for.
beforeAll(() => embedder.embed(["warm"]), 120_000)
afterAll(() => embedder.close())

const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, i) => sum + value * (right[i] as number), 0)

describe("transformers", () => {
  it("is the embedder that signatures name when no options are given", () => {
    expect(transformers().identity).toBe(defaultEmbedderIdentity)
    expect(transformers({ dtype: "int8", threads: 2, batchSize: 1 }).identity).toBe(
      "all-MiniLM-L6-v2@6638f625|int8|mean|normalized|windows:256",
    )
  })

  it("lets the engine of the models report nothing to its maker", async () => {
    await embedder.embed(["nobody else's"])
    expect(existsSync(reporting)).toBe(false)
  })

  it("gives the vectors of all-MiniLM-L6-v2", async () => {
    const [vector] = await embedder.embed(["Snow on the rails delayed the train."])
    expect(vector).toHaveLength(384)
    // The first components by @lat.md/embed 0.2.0 (candle in WebAssembly) on the same weights.
    const expected = [-0.06496, 0.001578, 0.067852, 0.132089, 0.066323, 0.075082, -0.023309, 0.071947]
    for (const [i, value] of expected.entries()) expect(vector?.[i]).toBeCloseTo(value, 4)
  })

  it("gives a text the same vector whatever stands beside it", async () => {
    const texts = paraphrases.slice(0, 12).map(({ text }) => text)
    const together = await embedder.embed(texts)
    const [alone] = await embedder.embed(texts.slice(3, 4))
    expect(alone).toEqual(together[3])
  })

  it("marks special tokens, and gives layers in their order", async () => {
    const text = "Unbelievable tracks."
    const [first] = (await embedder.embedTokens?.([text], 0)) ?? []
    const [last] = (await embedder.embedTokens?.([text], 6)) ?? []
    const [lastByName] = (await embedder.embedTokens?.([text], null)) ?? []
    expect(first?.tokens).toEqual(["[CLS]", "unbelievable", "tracks", ".", "[SEP]"])
    expect([...(first?.special ?? [])]).toEqual([1, 0, 0, 0, 1])
    expect(last?.vectors).toEqual(lastByName?.vectors)
    expect(first?.vectors).not.toEqual(last?.vectors)
    // The sentence vector is the mean of the last layer at length 1.
    const [whole] = await embedder.embed([text])
    const pooled = Float32Array.from({ length: 384 }, (_, k) =>
      [0, 1, 2, 3, 4].reduce((sum, token) => sum + (last?.vectors[token * 384 + k] as number) / 5, 0),
    )
    expect(cosine(pooled, whole as Float32Array) / Math.sqrt(cosine(pooled, pooled))).toBeCloseTo(1, 5)
  })

  it("reads long texts in windows, and every token of them", async () => {
    const text = paraphrases.map((pair) => pair.text).join(" ")
    const [tokens] = (await embedder.embedTokens?.([text], 6)) ?? []
    expect(tokens?.tokens.length).toBeGreaterThan(512)
    for (let row = 0; row < (tokens?.tokens.length ?? 0); row++)
      expect(tokens?.vectors.subarray(row * 384, row * 384 + 384).some((value) => value !== 0)).toBe(true)
    const [vector] = await embedder.embed([text])
    expect(cosine(vector as Float32Array, vector as Float32Array)).toBeCloseTo(1, 5)
  })

  it("drifts little in int8 and int4", async () => {
    const texts = paraphrases.slice(0, 16).map(({ text }) => text)
    const exact = await embedder.embed(texts)
    for (const [dtype, least] of [
      ["int8", 0.99],
      ["int4", 0.94],
    ] as const) {
      const quantized = realModel({ dtype })
      const vectors = await quantized.embed(texts)
      await quantized.close()
      const near = vectors.map((vector, i) => cosine(vector, exact[i] as Float32Array))
      expect(near.reduce((sum, value) => sum + value, 0) / near.length).toBeGreaterThan(least)
    }
  }, 120_000)

  it("stops when it is cancelled, and works afterwards", async () => {
    const abort = new AbortController()
    const texts = Array.from({ length: 400 }, (_, i) => `${paraphrases[i % 64]?.text} ${"again ".repeat(i % 40)}${i}`)
    const work = embedder.embed(texts, abort.signal)
    setTimeout(() => abort.abort(new Error("enough")), 30)
    await expect(work).rejects.toThrow("enough")
    expect(await embedder.embed(["a cat"])).toHaveLength(1)
  })

  it("opens again after it was closed", { skip: !isNightly, timeout: 120_000 }, async () => {
    const own = realModel({ dtype: "int8" })
    const [before] = await own.embed(["a cat"])
    await own.close()
    expect(await own.embed(["a cat"])).toEqual([before])
    await own.close()
  })

  it("reads a known multilingual model by its name, and from a folder of that name in the same way", async () => {
    expect(transformers({ model: "multilingual-e5-small" }).identity).toBe(
      "Xenova/multilingual-e5-small@761b726d|fp32|mean|normalized|windows:model|prefix:query: ",
    )
    const scratch = scratchDirectory()
    const folder = join(scratch, "multilingual-e5-small")
    await symlink(await minilmFolder(modelCache, "fp32"), folder)
    const limited = transformers({ model: folder, maxTokens: 256 })
    const stated = realModel({ prefix: "query: " })
    try {
      expect(limited.identity).toBe(`${folder}|fp32|mean|normalized|windows:256|prefix:query: `)
      expect(await limited.embed(["Schnee"])).toEqual(await stated.embed(["Schnee"]))
      expect(await limited.embed(["Schnee"])).not.toEqual(await embedder.embed(["Schnee"]))
    } finally {
      await Promise.all([limited.close(), stated.close()])
    }
  }, 120_000)

  it("reads a folder in which the ONNX file lies beside the tokenizer", async () => {
    const built = await minilmFolder(modelCache, "fp32")
    const folder = scratchDirectory()
    for (const directory of [built, join(built, "onnx")])
      for (const name of await readdir(directory))
        if (name !== "onnx") await symlink(join(directory, name), join(folder, name))
    const flat = transformers({ model: folder, maxTokens: 256 })
    try {
      expect(await flat.embed(["Schnee"])).toEqual(await embedder.embed(["Schnee"]))
    } finally {
      await flat.close()
    }
  }, 120_000)

  it("says what to do when a model cannot be had", async () => {
    const lost = transformers({ model: join(tmpdir(), "no-such-model") })
    await expect(lost.embed(["a"])).rejects.toMatchObject({ code: "model_unavailable" })
    await lost.close()
    expect(new MissingPackageError("p", "x").hint).toBe("install it with: npm i p")
  })

  it("refuses options that it cannot use", () => {
    expect(() => transformers({ dtype: "fp16" })).toThrow("fp32, int8 and int4")
    expect(() => transformers({ batchSize: 0 })).toThrow("batchSize")
    expect(() => transformers({ maxTokens: 2 })).toThrow("maxTokens")
  })
})

describe("minilmFolder", () => {
  it("builds a folder once, and anew when it is damaged", { skip: !isNightly, timeout: 120_000 }, async () => {
    const cache = scratchDirectory()
    const others = ["minilm-6638f625-fp32-v1", "minilm-6638f625-int8-v99", "minilm-of-my-own-int8-v1", "models"]
    for (const name of [...others, "minilm-6638f625-int8-v1"])
      await mkdir(join(cache, name, "onnx"), { recursive: true })
    const folder = await minilmFolder(cache, "int8")
    // What an update left behind goes; other types, later versions and what is not of this module stay.
    expect((await readdir(cache)).sort()).toEqual([...others, basename(folder)].sort())
    for (const name of ["model_quantized.onnx", "weights.bin"]) {
      const path = join(folder, "onnx", name)
      const whole = await readFile(path)
      await writeFile(path, "damaged")
      expect(await minilmFolder(cache, "int8")).toBe(folder)
      expect(whole.equals(await readFile(path))).toBe(true)
    }
    expect(await readdir(cache)).toHaveLength(others.length + 1)
    expect(await minilmFolder(modelCache, "int8")).toContain(modelCache)
  })
})
