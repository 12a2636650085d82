import { GgufError } from "./gguf-error.ts"
import { align, type GgufFile, type GgufScalar, type GgufTensor, type GgufValue, valueTypes } from "./gguf-file.ts"
import { tensorBytes, tensorTypeOf, tensorTypes } from "./tensor-type.ts"

const maximumEntries = 1 << 20
const maximumStringBytes = 1 << 26
const maximumNameBytes = 65_535
const maximumDimensions = 4
const scalarBytes = [1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8] as const

/** The given bytes end before the header does: more must be read. */
export class HeaderTruncated extends Error {}

/**
 * The header of a GGUF file from its first bytes.
 *
 * @param fileBytes - the whole file's size; counts and offsets are checked against it.
 * @throws {HeaderTruncated} when `bytes` ends inside the header; {@link GgufError} when the header is wrong.
 */
export function parseGgufHeader(bytes: Uint8Array, fileBytes: number, path: string): GgufFile {
  const fail = (what: string, hint?: string) => new GgufError(what, path, hint)
  const cursor = new Cursor(bytes, fileBytes, path)
  if (fileBytes < 24) throw fail("this is not a GGUF file: it is too short")
  if (cursor.uint32() !== 0x46554747) throw fail("this is not a GGUF file: it does not start with GGUF")
  const version = cursor.uint32()
  if (version === 0x03000000 || version === 0x02000000) throw fail("big-endian GGUF files are not supported")
  if (version !== 2 && version !== 3) throw fail(`GGUF version ${version} is not supported`, "versions 2 and 3 are")
  const tensorCount = cursor.count(24, maximumEntries, "tensors")
  const metadataCount = cursor.count(13, maximumEntries, "metadata entries")

  const metadata = new Map<string, GgufValue>()
  for (let i = 0; i < metadataCount; i++) {
    const key = cursor.string(maximumNameBytes)
    if (metadata.has(key)) throw fail(`metadata key ${JSON.stringify(key)} occurs twice`)
    metadata.set(key, cursor.value(key))
  }

  const alignment = Number(metadata.get("general.alignment")?.value ?? 32)
  if (!Number.isInteger(alignment) || alignment < 8 || alignment > 65_536 || alignment % 8 !== 0) {
    throw fail(`general.alignment is ${alignment}`, "a multiple of 8 up to 65,536 was expected")
  }

  const relative: GgufTensor[] = []
  const names = new Set<string>()
  for (let i = 0; i < tensorCount; i++) {
    const tensor = readTensor(cursor, fail)
    if (names.has(tensor.name)) throw fail(`tensor ${JSON.stringify(tensor.name)} occurs twice`)
    names.add(tensor.name)
    relative.push(tensor)
  }

  const dataStart = align(cursor.position, alignment)
  const tensors = relative.map((tensor) => ({ ...tensor, offset: dataStart + tensor.offset }))
  for (const { name, offset, bytes: length } of tensors) {
    if ((offset - dataStart) % alignment !== 0) throw fail(`tensor ${name} is not aligned to ${alignment} bytes`)
    if (offset + length > fileBytes) {
      const missing = offset + length - fileBytes
      throw fail(`tensor ${name} ends ${missing} bytes after the file does`, "download or copy it again")
    }
  }
  return { version, metadata, tensors, alignment, fileBytes }
}

function readTensor(cursor: Cursor, fail: (what: string, hint?: string) => GgufError): GgufTensor {
  const name = cursor.string(maximumNameBytes)
  const dimensions = cursor.uint32()
  if (dimensions < 1 || dimensions > maximumDimensions) throw fail(`tensor ${name} has ${dimensions} dimensions`)
  const shape: number[] = []
  for (let i = 0; i < dimensions; i++) shape.push(cursor.size(`a dimension of tensor ${name}`))
  const id = cursor.uint32()
  const type = tensorTypeOf(id)
  if (type === undefined) throw fail(`tensor ${name} has the unknown type ${id}`)
  const { blockElements } = tensorTypes[type]
  if ((shape[0] as number) % blockElements !== 0) {
    throw fail(`tensor ${name} has rows of ${shape[0]}, which ${type}'s block of ${blockElements} does not divide`)
  }
  const bytes = tensorBytes(type, shape)
  if (!Number.isSafeInteger(bytes)) throw fail(`tensor ${name} is too large`)
  return { name, shape, type, offset: cursor.size(`the offset of tensor ${name}`), bytes }
}

/** Reads little-endian values one after the other and knows how much the file can still hold. */
class Cursor {
  position = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #fileBytes: number
  readonly #path: string
  readonly #decoder = new TextDecoder("utf-8")

  constructor(bytes: Uint8Array, fileBytes: number, path: string) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#fileBytes = fileBytes
    this.#path = path
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true)
  }

  /** A 64-bit number that must fit a double exactly. */
  size(what: string): number {
    const value = this.#view.getBigUint64(this.#take(8), true)
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new GgufError(`${what} is ${value}`, this.#path)
    return Number(value)
  }

  /** A number of things of at least `bytesEach` bytes that must still fit in the file. */
  count(bytesEach: number, maximum: number, what: string): number {
    const value = this.size(`the number of ${what}`)
    if (value > maximum || value * bytesEach > this.#fileBytes - this.position) {
      throw new GgufError(`the header claims ${value} ${what}, more than the file can hold`, this.#path)
    }
    return value
  }

  string(maximumBytes: number): string {
    const length = this.count(1, maximumBytes, "bytes of a text")
    const start = this.#take(length)
    return this.#decoder.decode(this.#bytes.subarray(start, start + length))
  }

  value(key: string): GgufValue {
    const id = this.uint32()
    const type = valueTypes[id]
    if (type === undefined) throw new GgufError(`metadata ${key} has the unknown type ${id}`, this.#path)
    if (type !== "array") return { type, value: this.#scalar(type) }
    const of = valueTypes[this.uint32()]
    if (of === undefined || of === "array") {
      throw new GgufError(`metadata ${key} is an array of something that is not supported`, this.#path)
    }
    const length = this.count(scalarBytes[valueTypes.indexOf(of)] as number, 1 << 26, `elements of ${key}`)
    const value: GgufScalar[] = []
    for (let i = 0; i < length; i++) value.push(this.#scalar(of))
    return { type, of, value }
  }

  #scalar(type: Exclude<(typeof valueTypes)[number], "array">): GgufScalar {
    const view = this.#view
    switch (type) {
      case "uint8":
        return view.getUint8(this.#take(1))
      case "int8":
        return view.getInt8(this.#take(1))
      case "uint16":
        return view.getUint16(this.#take(2), true)
      case "int16":
        return view.getInt16(this.#take(2), true)
      case "uint32":
        return view.getUint32(this.#take(4), true)
      case "int32":
        return view.getInt32(this.#take(4), true)
      case "float32":
        return view.getFloat32(this.#take(4), true)
      case "bool":
        return view.getUint8(this.#take(1)) !== 0
      case "string":
        return this.string(maximumStringBytes)
      case "uint64":
        return view.getBigUint64(this.#take(8), true)
      case "int64":
        return view.getBigInt64(this.#take(8), true)
      case "float64":
        return view.getFloat64(this.#take(8), true)
    }
  }

  /** Moves over `length` bytes and returns where they start. */
  #take(length: number): number {
    const start = this.position
    if (start + length > this.#bytes.length) throw new HeaderTruncated()
    this.position = start + length
    return start
  }
}
