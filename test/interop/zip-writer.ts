import { writeFileSync } from "node:fs"
import { crc32, deflateRawSync } from "node:zlib"

/** An entry of a zip that a test writes. */
export interface ZipEntry {
  readonly name: string
  readonly data: string | Buffer
  /** Default: deflated. */
  readonly method?: "stored" | "deflated" | "zstandard"
  /** Another checksum than its own. */
  readonly checksum?: number
  /** Bytes as they are packed already. */
  readonly packed?: Buffer
}

const methods = { stored: 0, deflated: 8, zstandard: 93 } as const

/** Writes a zip as the format's specification (APPNOTE 6.3) has it: local headers, a central directory, its end. */
export function writeZip(path: string, entries: readonly ZipEntry[]): void {
  const parts: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const data = Buffer.from(entry.data)
    const { method = "deflated" } = entry
    const packed =
      entry.packed ?? (method === "stored" ? data : method === "deflated" ? deflateRawSync(data) : zstdRaw(data))
    const name = Buffer.from(entry.name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(63, 0)
    facts.writeUInt16LE(0x800, 2)
    facts.writeUInt16LE(methods[method], 4)
    facts.writeUInt32LE(entry.checksum ?? crc32(data), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from("PK\u0003\u0004", "latin1"), facts, name, packed)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.from("PK\u0001\u0002?\u0000", "latin1"), facts, tail, name)
    offset += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write("PK\u0005\u0006", "latin1")
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  writeFileSync(path, Buffer.concat([...parts, directory, end]))
}

/** A Zstandard frame of raw blocks (RFC 8878): packed by nobody, and whole. */
function zstdRaw(data: Buffer): Buffer {
  const blocks: Buffer[] = []
  const largest = 128 * 1024
  for (let from = 0; from === 0 || from < data.length; from += largest) {
    const block = data.subarray(from, from + largest)
    const head = Buffer.alloc(3)
    head.writeUIntLE((block.length << 3) | (from + largest >= data.length ? 1 : 0), 0, 3)
    blocks.push(head, block)
  }
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0])
  head.writeUInt32LE(data.length, 5)
  return Buffer.concat([head, ...blocks])
}

/** A few kilobytes that unpack to so many zeros: a frame of blocks that repeat one byte. */
export function zstdOfZeros(bytes: number): Buffer {
  const largest = 128 * 1024
  const count = Math.ceil(bytes / largest)
  const blocks = Buffer.alloc(count * 4)
  for (let i = 0; i < count; i++) blocks.writeUIntLE((largest << 3) | 2 | (i === count - 1 ? 1 : 0), i * 4, 3)
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]), blocks])
}
