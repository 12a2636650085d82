import { createHash, randomUUID } from "node:crypto"
import { open, rename, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { makeFolder } from "../../platform/make-folder.ts"
import { GgufError } from "./gguf-error.ts"
import { align, type GgufScalar, type GgufValue, type GgufValueType, valueTypes } from "./gguf-file.ts"
import { type TensorType, tensorBytes, tensorTypes } from "./tensor-type.ts"

/** A tensor to be written; its content is asked for in pieces when its turn comes. @experimental */
export interface GgufTensorSource {
  readonly name: string
  /** `shape[0]` is the row length. */
  readonly shape: readonly number[]
  readonly type: TensorType
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** What was written. @experimental */
export interface WrittenGguf {
  readonly path: string
  readonly bytes: number
  /** Lower-case hex; also in the file `<path>.sha256`, in the format of `sha256sum`. */
  readonly sha256: string
}

/**
 * Writes a GGUF v3 file: to a temporary name in the same folder, flushed, then renamed, so that a reader never sees
 * half a file. Tensors are streamed one after the other.
 *
 * @throws {GgufError} when a row is not a multiple of its type's block, or a tensor gives another number of bytes.
 * @experimental
 */
export async function writeGguf(
  path: string,
  metadata: ReadonlyMap<string, GgufValue>,
  tensors: readonly GgufTensorSource[],
): Promise<WrittenGguf> {
  const alignment = Number(metadata.get("general.alignment")?.value ?? 32)
  for (const tensor of tensors) checkRows(tensor, path)
  makeFolder(dirname(path))
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
  const hash = createHash("sha256")
  let written = 0
  try {
    const handle = await open(temporary, "wx")
    const put = async (bytes: Uint8Array) => {
      hash.update(bytes)
      await handle.writeFile(bytes)
      written += bytes.length
    }
    const pad = () => put(new Uint8Array(align(written, alignment) - written))
    try {
      await put(encodeHeader(metadata, tensors, alignment))
      await pad()
      for (const tensor of tensors) {
        const start = written
        for await (const chunk of tensor.chunks()) await put(chunk)
        const expected = tensorBytes(tensor.type, tensor.shape)
        if (written - start !== expected) {
          throw new GgufError(`tensor ${tensor.name} gave ${written - start} bytes instead of ${expected}`, path)
        }
        await pad()
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    const sha256 = hash.digest("hex")
    await rm(`${path}.sha256`, { force: true })
    await rename(temporary, path)
    await writeFile(`${path}.sha256`, `${sha256}  ${basename(path)}\n`)
    return { path, bytes: written, sha256 }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

function checkRows(tensor: GgufTensorSource, path: string): void {
  const { blockElements } = tensorTypes[tensor.type]
  const row = tensor.shape[0] ?? 0
  if (row === 0 || row % blockElements !== 0) {
    throw new GgufError(
      `tensor ${tensor.name} has rows of ${row}, which ${tensor.type}'s block of ${blockElements} does not divide`,
      path,
      "choose a type with a smaller block",
    )
  }
}

function encodeHeader(
  metadata: ReadonlyMap<string, GgufValue>,
  tensors: readonly GgufTensorSource[],
  alignment: number,
): Uint8Array {
  const parts: Buffer[] = [Buffer.from("GGUF"), uint32(3), uint64(tensors.length), uint64(metadata.size)]
  for (const [key, entry] of metadata) {
    parts.push(text(key), uint32(valueTypes.indexOf(entry.type)))
    if (entry.type === "array") {
      parts.push(uint32(valueTypes.indexOf(entry.of)), uint64(entry.value.length))
      for (const element of entry.value) parts.push(scalar(entry.of, element))
    } else {
      parts.push(scalar(entry.type, entry.value))
    }
  }
  let offset = 0
  for (const { name, shape, type } of tensors) {
    parts.push(text(name), uint32(shape.length), ...shape.map(uint64), uint32(tensorTypes[type].id), uint64(offset))
    offset = align(offset + tensorBytes(type, shape), alignment)
  }
  return Buffer.concat(parts)
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}

function uint64(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8")
  return Buffer.concat([uint64(bytes.length), bytes])
}

const scalarWidth = { uint8: 1, int8: 1, uint16: 2, int16: 2, uint32: 4, int32: 4, float32: 4, float64: 8 } as const

function scalar(type: Exclude<GgufValueType, "array">, value: GgufScalar): Buffer {
  if (type === "string") return text(String(value))
  if (type === "bool") return Buffer.from([value === true ? 1 : 0])
  if (type === "uint64" || type === "int64") {
    const buffer = Buffer.alloc(8)
    buffer.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)))
    return buffer
  }
  const buffer = Buffer.alloc(scalarWidth[type])
  const number = Number(value)
  if (type === "float32") buffer.writeFloatLE(number)
  else if (type === "float64") buffer.writeDoubleLE(number)
  else if (type.startsWith("u")) buffer.writeUIntLE(number, 0, scalarWidth[type])
  else buffer.writeIntLE(number, 0, scalarWidth[type])
  return buffer
}
