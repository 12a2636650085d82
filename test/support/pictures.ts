import { deflateSync } from "node:zlib"

/** A PNG of one colour that any decoder reads. */
export function pngOf(
  width: number,
  height: number,
  colour: readonly [number, number, number] = [200, 30, 30],
): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.concat(Array.from({ length: width }, () => Buffer.from(colour)))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header(width, height)),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

/** A PNG that states a size and holds no pixels. */
export function pngThatStates(width: number, height: number): Buffer {
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header(width, height)),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

function header(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(13)
  bytes.writeUInt32BE(width, 0)
  bytes.writeUInt32BE(height, 4)
  bytes.set([8, 2, 0, 0, 0], 8)
  return bytes
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, sum])
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}

/** A GIF's header and screen. */
export function gifOf(width: number, height: number): Buffer {
  const bytes = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\0\0\0,", "latin1")
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return bytes
}

/** A JPEG's header: an APP0 segment, a comment, a table, and the frame. */
export function jpegOf(width: number, height: number, frame = 0xc0): Buffer {
  const segment = (marker: number, data: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(data.length + 2, 2)
    return Buffer.concat([head, data])
  }
  const size = Buffer.from([8, 0, 0, 0, 0, 3, 1, 34, 0, 2, 17, 1, 3, 17, 1])
  size.writeUInt16BE(height, 1)
  size.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
    segment(0xfe, Buffer.from("a comment that holds \xff\xc0 itself", "latin1")),
    segment(0xc4, Buffer.alloc(30)),
    segment(frame, size),
  ])
}

/** A WebP's header of each of its three kinds. */
export function webpOf(kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number, flags = 0): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write("RIFF", 0, "latin1")
  bytes.write(`WEBP${kind}`, 8, "latin1")
  if (kind === "VP8X") {
    bytes[20] = flags
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  } else if (kind === "VP8L") {
    bytes[20] = 0x2f
    bytes.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21)
  } else {
    bytes.set([0x9d, 0x01, 0x2a], 23)
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  }
  return bytes
}

/** A WAV of silence: 16 bits, one channel, 8,000 samples a second. */
export function wavOf(seconds: number): Buffer {
  const data = Buffer.alloc(Math.round(seconds * 16000))
  const bytes = Buffer.alloc(44)
  bytes.write("RIFF", 0, "latin1")
  bytes.writeUInt32LE(36 + data.length, 4)
  bytes.write("WAVEfmt ", 8, "latin1")
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(8000, 24)
  bytes.writeUInt32LE(16000, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write("data", 36, "latin1")
  bytes.writeUInt32LE(data.length, 40)
  return Buffer.concat([bytes, data])
}
