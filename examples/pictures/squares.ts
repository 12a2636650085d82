import { deflateSync, inflateSync } from "node:zlib"

/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number]

/** Pixels of a side. */
const side = 16

/** A square as a PNG: one colour, and a stain of another in its upper left corner. */
export function squareOf(colour: Colour, stain: Colour): Buffer {
  const rows = Array.from({ length: side }, (_, y) => [
    0,
    ...Array.from({ length: side }, (_column, x) => (x < 3 && y < 3 ? stain : colour)).flat(),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2], 8)
  const pixels = deflateSync(Buffer.from(rows.flat()))
  const signature = Buffer.from("89504e470d0a1a0a", "hex")
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))])
}

/** The pixels of such a square, row by row. */
export function pixelsOf(png: Uint8Array): readonly Colour[] {
  const bytes = Buffer.from(png)
  const start = bytes.indexOf("IDAT")
  const rows = inflateSync(bytes.subarray(start + 4, start + 4 + bytes.readUInt32BE(start - 4)))
  return Array.from({ length: side * side }, (_, i): Colour => {
    const at = Math.floor(i / side) * (1 + 3 * side) + 1 + 3 * (i % side)
    return [rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0]
  })
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  let check = 0xffffffff
  for (const byte of body) {
    check ^= byte
    for (let bit = 0; bit < 8; bit++) check = check & 1 ? (check >>> 1) ^ 0xedb88320 : check >>> 1
  }
  sum.writeUInt32BE((check ^ 0xffffffff) >>> 0)
  return Buffer.concat([length, body, sum])
}
