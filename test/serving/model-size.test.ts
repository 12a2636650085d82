import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { modelSize } from "../../src/serving/model-size.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()
const file = (name: string, bytes: number) => writeFileSync(join(folder, name), Buffer.alloc(bytes))
file("big.gguf", 1000)
file("draft.gguf", 10)
for (const i of [1, 2, 3]) file(`split-0000${i}-of-00003.gguf`, 100 * i)
file("torn-00001-of-00002.gguf", 5)
file("config.json", 7)
mkdirSync(join(folder, "hub"))
for (const [name, bytes] of [
  ["hub/model-00001-of-00002.safetensors", 30],
  ["hub/model-00002-of-00002.safetensors", 12],
  ["hub/pytorch_model.bin", 99],
  ["hub/tokenizer.json", 5],
] as const)
  file(name, bytes)

describe("the size of the model that a command names", () => {
  it.each<[string, string[], number | null]>([
    ["llama-server's -m", ["-m", "big.gguf", "--port", "8080"], 1000],
    ["the model, not its draft", ["-m", "big.gguf", "-md", "draft.gguf"], 1000],
    ["--model=", ["--model=big.gguf"], 1000],
    ["an absolute path", ["-m", join(folder, "big.gguf")], 1000],
    ["all parts", ["-m", "split-00001-of-00003.gguf"], 600],
    ["a folder's safetensors alone", ["serve", "hub", "--port", "8000"], 42],
    ["the only file of weights", ["serve", "big.gguf", "config.json"], 1000],
  ])("is known from %s", async (_, args, bytes) => {
    expect(await modelSize(args, folder)).toBe(bytes)
  })

  it.each<[string, string[]]>([
    ["a hub's name", ["serve", "meta-llama/Llama-3.1-8B"]],
    ["a missing part", ["-m", "torn-00001-of-00002.gguf"]],
    ["two models", ["big.gguf", "draft.gguf"]],
    ["no weights", ["-m", "config.json"]],
    ["a flag without a value", ["-m"]],
    ["nothing", []],
  ])("is unknown with %s", async (_, args) => {
    expect(await modelSize(args, folder)).toBeNull()
  })
})
