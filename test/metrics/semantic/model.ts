import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TransformersOptions, transformers } from "../../../src/encoders/embedder/transformers.ts"

/** Where tests build the model: once for all test files and runs. */
export const modelCache = join(tmpdir(), "evalkit-test-models")

/** The real all-MiniLM-L6-v2. */
export function realModel(options: TransformersOptions = {}) {
  return transformers({ cacheDirectory: modelCache, ...options })
}

/** Sentences of ours with their paraphrases. */
export const paraphrases = readFileSync(new URL("./paraphrases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly text: string; readonly paraphrase: string })
