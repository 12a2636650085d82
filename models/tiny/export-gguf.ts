import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { encodeTensor } from "../../src/local-model/gguf/codec.ts"
import type { GgufValue } from "../../src/local-model/gguf/gguf-file.ts"
import { type WrittenGguf, writeGguf } from "../../src/local-model/gguf/write-gguf.ts"
import { controlTokens, tokenIds, type Vocabulary } from "./tokenizer/train-bpe.ts"

/** What `train.py` says of a model beside its numbers. */
interface Description {
  readonly width: number
  readonly layers: number
  readonly heads: number
  readonly feed_forward: number
  readonly vocabulary: number
  readonly context: number
  /** Python's order: the last size is the row length. */
  readonly tensors: readonly { readonly name: string; readonly shape: readonly number[] }[]
}

/** The prompt format of the tiny models. */
const chatTemplate =
  "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'user' %}<|user|>{{ m['content'] }}<|assistant|>" +
  "{% elif m['role'] == 'assistant' %}{{ m['content'] }}<|end|>{% endif %}{% endfor %}"

/** Makes `target` (F16, norms in F32) from `build/NAME.f32`, `build/NAME.json` and `build/vocabulary.json`. */
export async function exportGguf(buildFolder: string, name: string, target: string): Promise<WrittenGguf> {
  const read = async <T>(file: string) => JSON.parse(await readFile(join(buildFolder, file), "utf8")) as T
  const description = await read<Description>(`${name}.json`)
  const vocabulary = await read<Vocabulary>("vocabulary.json")
  const raw = await readFile(join(buildFolder, `${name}.f32`))
  const all = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength))

  let start = 0
  const tensors = description.tensors.map(({ name: tensor, shape }) => {
    const values = all.subarray(start, start + shape.reduce((product, size) => product * size, 1))
    start += values.length
    const type = shape.length === 1 ? ("F32" as const) : ("F16" as const)
    return { name: tensor, shape: [...shape].reverse(), type, chunks: () => [encodeTensor(type, values)] }
  })
  return writeGguf(target, metadataOf(`tiny-${name}`, description, vocabulary), tensors)
}

function metadataOf(name: string, shape: Description, vocabulary: Vocabulary): Map<string, GgufValue> {
  const isControl = new Set<string>(controlTokens)
  const text = (value: string): GgufValue => ({ type: "string", value })
  const count = (value: number): GgufValue => ({ type: "uint32", value })
  const single = (value: number): GgufValue => ({ type: "float32", value })
  const flag = (value: boolean): GgufValue => ({ type: "bool", value })
  return new Map([
    ["general.architecture", text("llama")],
    ["general.name", text(name)],
    ["general.license", text("mit")],
    ["general.file_type", count(1)],
    ["general.alignment", count(32)],
    ["llama.context_length", count(shape.context)],
    ["llama.embedding_length", count(shape.width)],
    ["llama.block_count", count(shape.layers)],
    ["llama.feed_forward_length", count(shape.feed_forward)],
    ["llama.rope.dimension_count", count(shape.width / shape.heads)],
    ["llama.rope.freq_base", single(10_000)],
    ["llama.attention.head_count", count(shape.heads)],
    ["llama.attention.head_count_kv", count(shape.heads)],
    ["llama.attention.layer_norm_rms_epsilon", single(1e-5)],
    ["llama.vocab_size", count(shape.vocabulary)],
    ["tokenizer.ggml.model", text("gpt2")],
    ["tokenizer.ggml.pre", text("smollm")],
    ["tokenizer.ggml.tokens", { type: "array", of: "string", value: vocabulary.tokens }],
    [
      "tokenizer.ggml.token_type",
      { type: "array", of: "int32", value: vocabulary.tokens.map((token) => (isControl.has(token) ? 3 : 1)) },
    ],
    ["tokenizer.ggml.merges", { type: "array", of: "string", value: vocabulary.merges }],
    ["tokenizer.ggml.bos_token_id", count(tokenIds.bos)],
    ["tokenizer.ggml.eos_token_id", count(tokenIds.end)],
    ["tokenizer.ggml.unknown_token_id", count(tokenIds.unknown)],
    ["tokenizer.ggml.add_bos_token", flag(true)],
    ["tokenizer.ggml.add_eos_token", flag(false)],
    ["tokenizer.chat_template", text(chatTemplate)],
  ])
}
