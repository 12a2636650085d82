import { crc32, createInflateRaw, inflateRawSync } from "node:zlib"
import { type Entry, openPromise, type ZipFile } from "yauzl"
import { messageOf, UsageError } from "../core/errors.ts"
import { zstdDecompress } from "./zstandard.ts"

/** No entry is longer when it is unpacked: an archive of a few kilobytes may claim to hold terabytes. */
const maxEntryBytes = 256 * 2 ** 20
/** More entries than a log has. */
const mostEntries = 2_000_000

/** A zip whose entries are read one at a time. */
export interface OpenZip {
  readonly names: readonly string[]
  /** @throws {UsageError} for an entry that is missing, damaged, too long, or packed in an unknown way */
  text(name: string): Promise<string>
  bytes(name: string): Promise<Buffer>
  close(): void
}

/**
 * Opens a zip; its entries are stored, deflated or packed with Zstandard (method 93).
 *
 * @throws {UsageError} for a file that is no whole zip
 */
export async function openZip(path: string, file: string): Promise<OpenZip> {
  let zip: ZipFile
  const entries = new Map<string, Entry>()
  try {
    zip = await openPromise(path, { autoClose: false })
  } catch (error) {
    throw damaged(file, messageOf(error), error)
  }
  try {
    if (zip.entryCount > mostEntries) throw new Error(`it has ${zip.entryCount} entries`)
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  } catch (error) {
    zip.close()
    throw damaged(file, messageOf(error), error)
  }
  const bytesOf = async (name: string) => {
    const entry = entries.get(name)
    if (!entry) throw damaged(file, `${name} is missing`)
    try {
      const bytes = await unpacked(zip, entry)
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
    close: () => zip.close(),
  }
}

async function unpacked(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.isEncrypted()) throw new Error("the entry is encrypted")
  const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  if (entry.compressionMethod === 0) return bounded(raw)
  if (entry.compressionMethod === 93) return bounded(zstdDecompress(raw))
  if (entry.compressionMethod !== 8) throw new Error(`compression method ${entry.compressionMethod} is not known here`)
  if (entry.compressedSize <= maxSmallBytes) return inflatedAtOnce(await bounded(raw))
  const inflate = createInflateRaw()
  raw.on("error", (error) => inflate.destroy(error))
  return bounded(raw.pipe(inflate))
}

/** An entry that is unpacked at once: a stream of its own takes ten times as long. */
const maxSmallBytes = 256 * 1024

/** At most a thousand times as long as it is packed, which is what deflate can do. */
function inflatedAtOnce(packed: Buffer): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxEntryBytes })
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw tooLong()
    throw error
  }
}

/** All bytes, unless there are too many of them: then reading ends there. */
async function bounded(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > maxEntryBytes) throw tooLong()
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

function tooLong(): Error {
  return new Error(`the entry is longer than ${maxEntryBytes / 2 ** 20} MB when unpacked`)
}

function damaged(where: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`the archive cannot be read: ${why}`, { code: "bad_file", where, cause })
}
