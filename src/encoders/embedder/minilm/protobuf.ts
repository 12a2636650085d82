/** A field of a protocol buffer message, encoded. */
export type Field = Uint8Array

/** An integer field. Source of the encoding: protobuf.dev/programming-guides/encoding. */
export function integerField(number: number, value: number | bigint): Field {
  return Buffer.concat([varint(number << 3), varint(value)])
}

/** A field of 32-bit floating point. */
export function floatField(number: number, value: number): Field {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint((number << 3) | 5), bytes])
}

/** A field of bytes: a text, a nested message or raw data. */
export function bytesField(number: number, content: string | Uint8Array | readonly Field[]): Field {
  const parts =
    typeof content === "string" ? [Buffer.from(content)] : content instanceof Uint8Array ? [content] : [...content]
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([varint((number << 3) | 2), varint(length), ...parts])
}

function varint(value: number | bigint): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  do {
    const low = Number(rest & 127n)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 128 : low)
  } while (rest > 0n)
  return Uint8Array.from(bytes)
}
