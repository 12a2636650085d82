import { fromHalf, toHalf } from "../../platform/half.ts"
import type { BlockCodec } from "./block-codec.ts"
import { mxfp4 } from "./mxfp4.ts"
import { q2_0 } from "./q2-0.ts"
import { q4_0, q4_1, q5_0, q8_0 } from "./round-to-nearest.ts"
import { type TensorType, tensorTypes } from "./tensor-type.ts"

const codecs = new Map<TensorType, BlockCodec>([
  [
    "F32",
    {
      encode: (values, at, out, outAt) => out.setFloat32(outAt, values[at] as number, true),
      decode: (block, at, out, outAt) => {
        out[outAt] = block.getFloat32(at, true)
      },
    },
  ],
  [
    "F16",
    {
      encode: (values, at, out, outAt) => out.setUint16(outAt, toHalf(values[at] as number), true),
      decode: (block, at, out, outAt) => {
        out[outAt] = fromHalf(block.getUint16(at, true))
      },
    },
  ],
  ["Q8_0", q8_0],
  ["Q5_0", q5_0],
  ["Q4_1", q4_1],
  ["Q4_0", q4_0],
  ["MXFP4", mxfp4],
  ["Q2_0", q2_0],
])

/** The codec of a type; undefined for those that can be sized but not converted (the K- and I-quants). */
export function codecOf(type: TensorType): BlockCodec | undefined {
  return codecs.get(type)
}

/** Numbers to the bytes of a type. The count must be a multiple of the type's block. */
export function encodeTensor(type: TensorType, values: Float32Array): Uint8Array {
  const { blockElements, blockBytes } = tensorTypes[type]
  const codec = codecs.get(type)
  if (codec === undefined) throw new RangeError(`${type} cannot be written`)
  if (values.length % blockElements !== 0) throw new RangeError(`${values.length} is no multiple of ${blockElements}`)
  const out = new Uint8Array((values.length / blockElements) * blockBytes)
  const view = new DataView(out.buffer)
  for (let at = 0, outAt = 0; at < values.length; at += blockElements, outAt += blockBytes) {
    codec.encode(values, at, view, outAt)
  }
  return out
}

/** The bytes of a type back to numbers. */
export function decodeTensor(type: TensorType, bytes: Uint8Array): Float32Array {
  const { blockElements, blockBytes } = tensorTypes[type]
  const codec = codecs.get(type)
  if (codec === undefined) throw new RangeError(`${type} cannot be converted`)
  const out = new Float32Array((bytes.length / blockBytes) * blockElements)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0, outAt = 0; at < bytes.length; at += blockBytes, outAt += blockElements) {
    codec.decode(view, at, out, outAt)
  }
  return out
}
