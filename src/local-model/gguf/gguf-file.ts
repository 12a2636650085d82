import type { TensorType } from "./tensor-type.ts"

/** The scalar types of GGUF metadata, in the order of their numbers in the file; `array` is number 9. @experimental */
export const valueTypes = [
  "uint8",
  "int8",
  "uint16",
  "int16",
  "uint32",
  "int32",
  "float32",
  "bool",
  "string",
  "array",
  "uint64",
  "int64",
  "float64",
] as const

/** One word of {@link valueTypes}. @experimental */
export type GgufValueType = (typeof valueTypes)[number]

/** A plain value; 64-bit integers are bigint. @experimental */
export type GgufScalar = number | bigint | boolean | string

/** A metadata value with the type that it has in the file, so that a copy writes the same bytes. @experimental */
export type GgufValue =
  | { readonly type: Exclude<GgufValueType, "array">; readonly value: GgufScalar }
  | { readonly type: "array"; readonly of: Exclude<GgufValueType, "array">; readonly value: readonly GgufScalar[] }

/** Where a tensor lies and what it is. `shape[0]` is the row length (ggml's ne0). @experimental */
export interface GgufTensor {
  readonly name: string
  readonly shape: readonly number[]
  readonly type: TensorType
  /** From the start of the file. */
  readonly offset: number
  readonly bytes: number
}

/** Everything of a GGUF file besides the tensors' contents. @experimental */
export interface GgufFile {
  readonly version: number
  readonly metadata: ReadonlyMap<string, GgufValue>
  readonly tensors: readonly GgufTensor[]
  /** Bytes that tensors are aligned to. */
  readonly alignment: number
  readonly fileBytes: number
}

/** `offset` rounded up to a multiple of `alignment`. @experimental */
export function align(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment
}

/**
 * The type that most weights of a file have, which is what people call its quantization.
 *
 * @example quantizationOf(await readGguf("tiny-m-q4_0.gguf")) // "Q4_0"
 * @experimental
 */
export function quantizationOf(file: GgufFile): TensorType | null {
  const elements = new Map<TensorType, number>()
  for (const { type, shape } of file.tensors) {
    if (shape.length < 2) continue
    elements.set(type, (elements.get(type) ?? 0) + shape.reduce((product, size) => product * size, 1))
  }
  return [...elements].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
