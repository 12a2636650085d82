import { checkOptions } from "../../core/options.ts"
import { codecOf, decodeTensor, encodeTensor } from "./codec.ts"
import { GgufError } from "./gguf-error.ts"
import type { GgufTensor, GgufValue } from "./gguf-file.ts"
import { openForReading, readRange } from "./read-file.ts"
import { readGguf } from "./read-gguf.ts"
import { type TensorType, tensorTypes } from "./tensor-type.ts"
import { type WrittenGguf, writeGguf } from "./write-gguf.ts"

/** The types that {@link quantizeGguf} can make, with llama.cpp's number for the file as a whole. */
export const quantizationTypes = {
  F32: 0,
  F16: 1,
  Q4_0: 2,
  Q4_1: 3,
  Q8_0: 7,
  Q5_0: 8,
  Q2_0: 41,
  MXFP4: 38,
} as const satisfies Partial<Record<TensorType, number>>

/** One of {@link quantizationTypes}. @public */
export type QuantizationType = keyof typeof quantizationTypes

/** How {@link quantizeGguf} departs from "every matrix in one type". @public */
export interface QuantizeOptions {
  /** Another type for the token embedding, which hurts most when it is coarse. Default: the type itself. */
  readonly embeddingType?: QuantizationType
  /** More metadata for the new file. */
  readonly metadata?: ReadonlyMap<string, GgufValue>
}

const chunkElements = 1 << 20
const keptAsTheyAre = /(_norm|\.ffn_gate_inp|^position_embd|^token_types)\.weight$/

/**
 * Makes a quantized copy of a GGUF model. Matrices take the new type; vectors, norms and routers stay as they are.
 * Tensors are streamed in pieces of about four megabytes; the target appears at once and complete.
 *
 * @throws {GgufError} naming tensor and block size when rows do not fit, or the source's type when it cannot be read.
 * @public
 */
export async function quantizeGguf(
  sourcePath: string,
  targetPath: string,
  type: QuantizationType,
  options: QuantizeOptions = {},
): Promise<WrittenGguf> {
  checkOptions("quantizeGguf", options)
  const source = await readGguf(sourcePath)
  const handle = await openForReading(sourcePath)
  try {
    const metadata = new Map([
      ...source.metadata,
      ["general.file_type", { type: "uint32", value: quantizationTypes[type] }],
      ["general.quantization_version", { type: "uint32", value: 2 }],
      ...(options.metadata ?? []),
    ])
    const tensors = source.tensors.map((tensor) => {
      const target = targetType(tensor, type, options.embeddingType ?? type)
      return { ...tensor, type: target, chunks: () => convert(tensor, target) }
    })
    return await writeGguf(targetPath, metadata, tensors)
  } finally {
    await handle.close()
  }

  async function* convert(tensor: GgufTensor, target: TensorType): AsyncGenerator<Uint8Array> {
    const { blockElements, blockBytes } = tensorTypes[tensor.type]
    if (target !== tensor.type && codecOf(tensor.type) === undefined) {
      const hint = "start from an F16, F32 or Q8_0 file"
      throw new GgufError(`tensor ${tensor.name} is ${tensor.type}, which cannot be converted`, sourcePath, hint)
    }
    const row = tensor.shape[0] as number
    const rowBytes = (row / blockElements) * blockBytes
    const chunkBytes = Math.max(1, Math.floor(chunkElements / row)) * rowBytes
    for (let at = 0; at < tensor.bytes; at += chunkBytes) {
      const bytes = await readRange(handle, tensor.offset + at, Math.min(chunkBytes, tensor.bytes - at), sourcePath)
      yield target === tensor.type ? bytes : encodeTensor(target, decodeTensor(tensor.type, bytes))
    }
  }
}

function targetType(tensor: GgufTensor, type: QuantizationType, embeddingType: QuantizationType): TensorType {
  if (tensor.shape.length < 2 || keptAsTheyAre.test(tensor.name)) return tensor.type
  return tensor.name === "token_embd.weight" ? embeddingType : type
}
