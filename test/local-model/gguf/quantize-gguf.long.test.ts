import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { ensureQuantized } from "../../../src/local-model/gguf/ensure-quantized.ts"
import { quantizationOf } from "../../../src/local-model/gguf/gguf-file.ts"
import { type QuantizationType, quantizationTypes, quantizeGguf } from "../../../src/local-model/gguf/quantize-gguf.ts"
import { readGguf } from "../../../src/local-model/gguf/read-gguf.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const source = fileURLToPath(new URL("../../../models/tiny/tiny-m-f16.gguf", import.meta.url))
const types = Object.keys(quantizationTypes) as QuantizationType[]
const folder = scratchDirectory()

describe("quantizeGguf on the shipped model", () => {
  it.each(types)("makes %s that node-llama-cpp loads and answers with", async (type) => {
    const target = join(folder, `${type}.gguf`)
    const written = await quantizeGguf(source, target, type)
    expect((await stat(target)).size).toBe(written.bytes)
    expect(quantizationOf(await readGguf(target))).toBe(type)
    expect(await answer(target, "Sort alphabetically: soup, cat, red.")).not.toBe("")
  })

  it("keeps the embedding in another type when asked to", async () => {
    const target = join(folder, "mixed.gguf")
    await quantizeGguf(source, target, "Q2_0", { embeddingType: "Q8_0" })
    const { tensors } = await readGguf(target)
    expect(tensors.find(({ name }) => name === "token_embd.weight")?.type).toBe("Q8_0")
    expect(tensors.find(({ name }) => name === "blk.0.ffn_up.weight")?.type).toBe("Q2_0")
    expect(tensors.find(({ name }) => name === "output_norm.weight")?.type).toBe("F32")
    expect(await answer(target, "What is 3 plus 4?")).not.toBe("")
  })

  it("copies an F16 file to the same tensors", async () => {
    const target = join(folder, "copy.gguf")
    await quantizeGguf(source, target, "F16")
    const [a, b] = await Promise.all([readGguf(source), readGguf(target)])
    const last = a.tensors.at(-1)!
    const second = b.tensors.at(-1)!
    const [left, right] = await Promise.all([readFile(source), readFile(target)])
    const copied = right.subarray(second.offset, second.offset + second.bytes)
    expect(copied.equals(left.subarray(last.offset, last.offset + last.bytes))).toBe(true)
  })
})

describe("ensureQuantized", () => {
  it("makes a file once, and again when it was damaged", async () => {
    const path = await ensureQuantized(source, "Q4_0", { directory: folder })
    expect(path).toBe(join(folder, "tiny-m-q4_0.gguf"))
    const { mtimeMs } = await stat(path)
    const good = await readFile(path)
    expect(await ensureQuantized(source, "Q4_0", { directory: folder })).toBe(path)
    expect((await stat(path)).mtimeMs).toBe(mtimeMs)
    const damaged = Buffer.from(good)
    damaged[damaged.length - 1]! ^= 255
    await writeFile(path, damaged)
    await ensureQuantized(source, "Q4_0", { directory: folder })
    expect(good.equals(await readFile(path))).toBe(true)
  })
})

/** The greedy answer, at most eight tokens. */
async function answer(modelPath: string, prompt: string): Promise<string> {
  const { getLlama, LlamaLogLevel } = await import("node-llama-cpp")
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.error })
  try {
    const model = await llama.loadModel({ modelPath })
    const context = await model.createContext({ contextSize: 256, threads: 1 })
    const sequence = context.getSequence()
    const special = (text: string) => model.tokenize(text, true)
    const tokens = [...special("<|bos|><|user|>"), ...model.tokenize(prompt), ...special("<|assistant|>")]
    const out: Parameters<typeof model.detokenize>[0][number][] = []
    for await (const token of sequence.evaluate(tokens, { temperature: 0 })) {
      out.push(token)
      if (out.length === 8) break
    }
    return model.detokenize(out)
  } finally {
    await llama.dispose()
  }
}
