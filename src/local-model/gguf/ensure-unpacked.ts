import { filesSha256 } from "../../platform/hash-files.ts"
import { isCurrent, provenanceKey } from "./ensure-quantized.ts"
import type { GgufTensor } from "./gguf-file.ts"
import { openForReading, readRange } from "./read-file.ts"
import { readGguf } from "./read-gguf.ts"
import { tensorTypes } from "./tensor-type.ts"
import { unpackQ2_0 } from "./unpack-q2-0.ts"
import { writeGguf } from "./write-gguf.ts"

/** Q2_0 blocks that are read at once. */
const chunkBlocks = 1 << 14

/**
 * The path of a copy whose Q2_0 tensors are stored as Q4_0: the same weights to the bit, for which llama.cpp has vector kernels. It has
 * none for Q2_0, which takes three times as long. The path itself where no tensor is Q2_0. The copy lies beside the file, is made on first
 * use, and again when either has changed.
 *
 * @param path of a GGUF file, in a folder that can be written
 */
export async function ensureUnpacked(path: string): Promise<string> {
  const source = await readGguf(path)
  if (!source.tensors.some(({ type }) => type === "Q2_0")) return path
  const target = `${path.replace(/\.gguf$/i, "")}-unpacked.gguf`
  const provenance = `${await filesSha256(path)} unpacked v1`
  if (await isCurrent(target, provenance)) return target
  const handle = await openForReading(path)
  try {
    const metadata = new Map([...source.metadata, [provenanceKey, { type: "string" as const, value: provenance }]])
    const tensors = source.tensors.map((tensor) => ({
      ...tensor,
      type: tensor.type === "Q2_0" ? ("Q4_0" as const) : tensor.type,
      chunks: () => pieces(tensor),
    }))
    return (await writeGguf(target, metadata, tensors)).path
  } finally {
    await handle.close()
  }

  async function* pieces({ type, offset, bytes }: GgufTensor): AsyncGenerator<Uint8Array> {
    const step = chunkBlocks * tensorTypes[type].blockBytes
    for (let at = 0; at < bytes; at += step) {
      const piece = await readRange(handle, offset + at, Math.min(step, bytes - at), path)
      yield type === "Q2_0" ? unpackQ2_0(piece) : piece
    }
  }
}
