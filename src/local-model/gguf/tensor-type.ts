/** How a tensor is stored: elements per block and bytes per block, from ggml's `ggml.h` and `ggml-common.h`. */
export interface TensorTypeFacts {
  /** Its number in the file. */
  readonly id: number
  readonly blockElements: number
  readonly blockBytes: number
}

/** Every tensor type that the reader can size. Only those in `codecs` can be converted. */
export const tensorTypes = {
  F32: { id: 0, blockElements: 1, blockBytes: 4 },
  F16: { id: 1, blockElements: 1, blockBytes: 2 },
  Q4_0: { id: 2, blockElements: 32, blockBytes: 18 },
  Q4_1: { id: 3, blockElements: 32, blockBytes: 20 },
  Q5_0: { id: 6, blockElements: 32, blockBytes: 22 },
  Q5_1: { id: 7, blockElements: 32, blockBytes: 24 },
  Q8_0: { id: 8, blockElements: 32, blockBytes: 34 },
  Q8_1: { id: 9, blockElements: 32, blockBytes: 36 },
  Q2_K: { id: 10, blockElements: 256, blockBytes: 84 },
  Q3_K: { id: 11, blockElements: 256, blockBytes: 110 },
  Q4_K: { id: 12, blockElements: 256, blockBytes: 144 },
  Q5_K: { id: 13, blockElements: 256, blockBytes: 176 },
  Q6_K: { id: 14, blockElements: 256, blockBytes: 210 },
  Q8_K: { id: 15, blockElements: 256, blockBytes: 292 },
  IQ2_XXS: { id: 16, blockElements: 256, blockBytes: 66 },
  IQ2_XS: { id: 17, blockElements: 256, blockBytes: 74 },
  IQ3_XXS: { id: 18, blockElements: 256, blockBytes: 98 },
  IQ1_S: { id: 19, blockElements: 256, blockBytes: 50 },
  IQ4_NL: { id: 20, blockElements: 32, blockBytes: 18 },
  IQ3_S: { id: 21, blockElements: 256, blockBytes: 110 },
  IQ2_S: { id: 22, blockElements: 256, blockBytes: 82 },
  IQ4_XS: { id: 23, blockElements: 256, blockBytes: 136 },
  I8: { id: 24, blockElements: 1, blockBytes: 1 },
  I16: { id: 25, blockElements: 1, blockBytes: 2 },
  I32: { id: 26, blockElements: 1, blockBytes: 4 },
  I64: { id: 27, blockElements: 1, blockBytes: 8 },
  F64: { id: 28, blockElements: 1, blockBytes: 8 },
  IQ1_M: { id: 29, blockElements: 256, blockBytes: 56 },
  BF16: { id: 30, blockElements: 1, blockBytes: 2 },
  TQ1_0: { id: 34, blockElements: 256, blockBytes: 54 },
  TQ2_0: { id: 35, blockElements: 256, blockBytes: 66 },
  MXFP4: { id: 39, blockElements: 32, blockBytes: 17 },
  Q2_0: { id: 42, blockElements: 64, blockBytes: 18 },
} as const satisfies Record<string, TensorTypeFacts>

/** The name of a tensor type, as llama.cpp prints it. @public */
export type TensorType = keyof typeof tensorTypes

const byId = new Map<number, TensorType>(
  (Object.keys(tensorTypes) as TensorType[]).map((name) => [tensorTypes[name].id, name]),
)

/** The type behind a number in a file; undefined when this reader does not know it. */
export function tensorTypeOf(id: number): TensorType | undefined {
  return byId.get(id)
}

/** Bytes of a tensor of a type. `shape[0]` is the row length and must be a multiple of the block. */
export function tensorBytes(type: TensorType, shape: readonly number[]): number {
  const { blockElements, blockBytes } = tensorTypes[type]
  return (shape.reduce((product, size) => product * size, 1) / blockElements) * blockBytes
}
