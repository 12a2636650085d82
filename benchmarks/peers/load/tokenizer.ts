import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readGguf } from "../../../src/local-model/gguf/read-gguf.ts"

const controlToken = 3

/** Writes the tokenizer of SmolLM2's GGUF file (byte-level BPE, each digit alone) as load tools read one, which would fetch it from a hub. */
export async function saveTokenizer(model: string, folder: string): Promise<void> {
  const { metadata } = await readGguf(model)
  const list = (name: string) => metadata.get(`tokenizer.ggml.${name}`)?.value as readonly (string | number)[]
  const [tokens, kinds] = [list("tokens") as readonly string[], list("token_type")]
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }
  const special = tokens.flatMap((content, id) => (kinds[id] === controlToken ? [{ id, content, ...flags }] : []))
  const bytes = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true }
  const tokenizer = {
    ...{ version: "1.0", truncation: null, padding: null, added_tokens: special, normalizer: null },
    pre_tokenizer: { type: "Sequence", pretokenizers: [{ type: "Digits", individual_digits: true }, bytes] },
    ...{ post_processor: null, decoder: bytes },
    model: { type: "BPE", vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges: list("merges") },
  }
  mkdirSync(folder)
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer))
  const settings = {
    tokenizer_class: "PreTrainedTokenizerFast",
    eos_token: tokens[Number(metadata.get("tokenizer.ggml.eos_token_id")?.value)],
    chat_template: metadata.get("tokenizer.chat_template")?.value,
  }
  writeFileSync(join(folder, "tokenizer_config.json"), JSON.stringify(settings))
}
