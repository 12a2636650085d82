import { EvalkitError } from "../../../core/errors.ts"
import { fromHalf } from "../../../platform/half.ts"

/** A tensor's values, widened to float32. */
export interface Weights {
  readonly shape: readonly number[]
  /** Row-major. */
  readonly data: Float32Array
}

/** Reads tensors of a safetensors file with fp16 values. Format: huggingface.co/docs/safetensors. */
export function readSafetensors(file: Buffer): (name: string) => Weights {
  const headerLength = Number(file.readBigUInt64LE(0))
  const header = new Map(Object.entries(JSON.parse(file.toString("utf8", 8, 8 + headerLength)) as Header))
  return (name) => {
    const entry = header.get(name)
    if (entry?.dtype !== "F16")
      throw new EvalkitError(`the weights have no fp16 tensor ${name}`, { code: "bad_weights" })
    const [start, end] = entry.data_offsets
    // Copied, since halves must begin at an even address.
    const halves = new Uint16Array(
      Uint8Array.from(file.subarray(8 + headerLength + start, 8 + headerLength + end)).buffer,
    )
    const data = new Float32Array(halves.length)
    for (let i = 0; i < data.length; i++) data[i] = fromHalf(halves[i] as number)
    return { shape: entry.shape, data }
  }
}

type Header = Readonly<Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>>
