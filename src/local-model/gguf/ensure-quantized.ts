import { readFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { checkOptions } from "../../core/options.ts"
import { filesSha256 } from "../../platform/hash-files.ts"
import { type QuantizationType, quantizeGguf } from "./quantize-gguf.ts"
import { readGguf } from "./read-gguf.ts"

/** Raised when the quantizers change, so that files made by an older one are made anew. */
const quantizerVersion = 1
/** Says in a made file what it was made from. */
export const provenanceKey = "evalkit.quantized_from"

/** Where to put the file, and how the embedding is stored. @experimental */
export interface EnsureQuantizedOptions {
  /** Folder of the made files. Default: that of the source. */
  readonly directory?: string
  readonly embeddingType?: QuantizationType
}

/**
 * The path of a model in a quantization: made on first use, reused when its checksum and its source are still right.
 * Safe to call from several processes at once: each writes its own temporary file, and the last rename wins.
 *
 * @example await ensureQuantized("models/tiny/tiny-m-f16.gguf", "Q4_0") // "models/tiny/tiny-m-q4_0.gguf"
 * @experimental
 */
export async function ensureQuantized(
  sourcePath: string,
  type: QuantizationType,
  options: EnsureQuantizedOptions = {},
): Promise<string> {
  checkOptions("ensureQuantized", options)
  const stem = basename(sourcePath)
    .replace(/\.gguf$/i, "")
    .replace(/[-.](f16|f32|bf16)$/i, "")
  const mixed = options.embeddingType && options.embeddingType !== type ? `-embedding-${options.embeddingType}` : ""
  const name = `${stem}-${type}${mixed}.gguf`.toLowerCase()
  const target = join(options.directory ?? dirname(sourcePath), name)
  const provenance = `${await filesSha256(sourcePath)} ${type}${mixed} v${quantizerVersion}`
  if (await isCurrent(target, provenance)) return target
  await quantizeGguf(sourcePath, target, type, {
    ...(options.embeddingType ? { embeddingType: options.embeddingType } : {}),
    metadata: new Map([[provenanceKey, { type: "string", value: provenance }]]),
  })
  return target
}

/** True when the file has the content that its checksum states and was made from the same source in the same way. */
export async function isCurrent(path: string, provenance: string): Promise<boolean> {
  try {
    const expected = (await readFile(`${path}.sha256`, "utf8")).slice(0, 64)
    if ((await readGguf(path)).metadata.get(provenanceKey)?.value !== provenance) return false
    return (await filesSha256(path)) === expected
  } catch {
    return false
  }
}
