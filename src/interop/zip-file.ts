import { type FileHandle, open } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib"
import { fromRandomAccessReaderPromise, RandomAccessReader } from "yauzl"
import { messageOf, UsageError } from "../core/errors.ts"
import { boundedBytes, maxUnpackedBytes, tooLongUnpacked } from "../platform/unpacked-bytes.ts"
import { zstdDecompress } from "./zstandard.ts"

/** No entry is longer when it is unpacked; nor are all of them together longer than the archive's own length lets expect. */
const maxEntryBytes = 256 * 2 ** 20
/** More entries than a log has. */
const maxEntries = 2_000_000

/** A zip whose entries are read one at a time. */
export interface OpenZip {
  readonly names: readonly string[]
  /** @throws {UsageError} for an entry that is missing, damaged, too long, or packed in an unknown way */
  text(name: string): Promise<string>
  bytes(name: string): Promise<Buffer>
  close(): Promise<void>
}

/** Where an entry stands in its zip, and how it is packed. */
interface PackedEntry {
  /** Of its local header, in bytes. */
  readonly offset: number
  readonly packedBytes: number
  readonly method: number
  readonly crc32: number
  readonly isEncrypted: boolean
}

/**
 * Opens a zip; its entries are stored, deflated or packed with Zstandard (method 93). Memory: some 200 bytes an entry.
 *
 * @throws {UsageError} for a file that is no whole zip
 */
export async function openZip(path: string, file: string): Promise<OpenZip> {
  const handle = await open(path)
  const read = windowOf(handle)
  const { size } = await handle.stat()
  const maxBytes = maxUnpackedBytes(size)
  const counted = new Set<string>()
  let total = 0
  const entries = await directoryOf(read, size).catch(async (error: unknown) => {
    await handle.close()
    throw damaged(file, messageOf(error), error)
  })
  const bytesOf = async (name: string) => {
    const entry = entries.get(name)
    if (!entry) throw damaged(file, `${name} is missing`)
    try {
      const bytes = await unpacked(handle, read, entry, Math.min(maxEntryBytes, maxBytes))
      if (!counted.has(name)) total += bytes.length
      counted.add(name)
      if (total > maxBytes) throw tooLongUnpacked(maxBytes)
      if (crc32(bytes) !== entry.crc32) throw new Error("its checksum is another")
      return bytes
    } catch (error) {
      throw damaged(`${file}#${name}`, messageOf(error), error)
    }
  }
  return {
    names: [...entries.keys()],
    bytes: bytesOf,
    text: async (name) => (await bytesOf(name)).toString("utf8"),
    close: () => handle.close(),
  }
}

async function directoryOf(read: ReadAt, size: number): Promise<ReadonlyMap<string, PackedEntry>> {
  const zip = await fromRandomAccessReaderPromise(new WindowReader(read), size, { autoClose: false })
  if (zip.entryCount > maxEntries) throw new Error(`it has ${zip.entryCount} entries`)
  const entries = new Map<string, PackedEntry>()
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, {
      offset: entry.relativeOffsetOfLocalHeader,
      packedBytes: entry.compressedSize,
      method: entry.compressionMethod,
      crc32: entry.crc32,
      isEncrypted: entry.isEncrypted(),
    })
  return entries
}

class WindowReader extends RandomAccessReader {
  readonly #read: ReadAt

  constructor(read: ReadAt) {
    super()
    this.#read = read
  }

  override read(into: Buffer, at: number, length: number, position: number, done: (error: Error | null) => void): void {
    this.#read(position, length).then((bytes) => {
      bytes.copy(into, at)
      done(bytes.length < length ? new Error("it is cut off") : null)
    }, done)
  }
}

/** Bytes of a file from an offset; fewer at its end. */
type ReadAt = (offset: number, length: number) => Promise<Buffer>

/** Entries that stand close together share a read: two reads for each entry are what a log of many would spend its time on. */
function windowOf(handle: FileHandle): ReadAt {
  let window: Buffer = Buffer.alloc(0)
  let start = 0
  return async (offset, length) => {
    if (offset < start || offset + length > start + window.length) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(length, 64 * 1024)), { position: offset })
      window = buffer.subarray(0, bytesRead)
      start = offset
      return window.subarray(0, length)
    }
    return window.subarray(offset - start, offset - start + length)
  }
}

async function unpacked(handle: FileHandle, read: ReadAt, entry: PackedEntry, max: number): Promise<Buffer> {
  const { method, packedBytes } = entry
  if (entry.isEncrypted) throw new Error("the entry is encrypted")
  if (![0, 8, 93].includes(method)) throw new Error(`compression method ${method} is not known here`)
  const head = await read(entry.offset, headerBytes)
  if (head.length < headerBytes || head.readUInt32LE(0) !== 0x04034b50)
    throw new Error("it does not begin as an entry does")
  const start = entry.offset + headerBytes + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (packedBytes <= maxSmallBytes) {
    const packed = await read(start, packedBytes)
    if (method === 93) return whole(zstdDecompress([packed]), max)
    return method === 0 ? Buffer.from(packed) : inflatedAtOnce(packed, max)
  }
  const raw = piecesOf(handle, start, packedBytes)
  if (method === 93) return whole(zstdDecompress(raw), max)
  if (method === 0) return whole(raw, max)
  const inflate = createInflateRaw()
  pipeline(raw, inflate).catch(() => {})
  return whole(inflate, max)
}

/** A stream of the handle would leave a listener on it for each entry. */
async function* piecesOf(handle: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; ) {
    const size = Math.min(maxSmallBytes, length - at)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), { position: start + at })
    if (bytesRead === 0) throw new Error("it is cut off")
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** Of a local header, without name and extra field. */
const headerBytes = 30

/** An entry that is read at once: a stream of its own takes ten times as long. */
const maxSmallBytes = 256 * 1024

/** At most a thousand times as long as it is packed, which is what deflate can do. */
function inflatedAtOnce(packed: Buffer, max: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: max })
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw tooLongUnpacked(max)
    throw error
  }
}

async function whole(chunks: Parameters<typeof boundedBytes>[0], max: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of boundedBytes(chunks, max)) parts.push(chunk)
  return Buffer.concat(parts)
}

function damaged(where: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`the archive cannot be read: ${why}`, { code: "bad_file", where, cause })
}
