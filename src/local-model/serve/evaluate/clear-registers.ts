import { pbkdf2 } from "node:crypto"
import type { LlamaModel } from "node-llama-cpp"
import { tensorTypes } from "../../gguf/tensor-type.ts"
import { isPoolOfOne } from "./pool-of-one.ts"

/** A tensor of a file: its name, and the number of the type that it is stored in. */
interface Tensor {
  readonly name: string
  readonly ggmlType: number
}

/** Types whose product with one token's row ends without `vzeroupper` on x86, in llama.cpp as node-llama-cpp 3.21.1 has it. */
const leaving = new Set<number>([tensorTypes.Q4_0.id, tensorTypes.IQ4_NL.id, tensorTypes.MXFP4.id])

/** Whether an evaluation of these weights ends in such a product: the last one is that with the output layer, which may be the table of tokens. */
export function leavesUpperHalves(tensors: readonly Tensor[]): boolean {
  const named = (name: string) => tensors.find((tensor) => tensor.name === name)
  return leaving.has((named("output.weight") ?? named("token_embd.weight"))?.ggmlType ?? -1)
}

/**
 * Clears the upper halves of the vector registers between an evaluation and its sampling, where the evaluation leaves something in them.
 *
 * The binding's sampling is compiled for older processors than the mathematical library that it calls. While the upper halves are in use, an Intel
 * processor waits at each change between the two, which is twice for each token of the vocabulary: 0.34 ms in place of 0.11 with a vocabulary of
 * 1,280. What ends with `vzeroupper` on the thread of the pool helps, and SHA-512 of OpenSSL does: of what Node runs there it is the shortest.
 *
 * @returns what puts that work into a pool of one thread; null where there is nothing to clear, or no saying which thread it runs on
 */
export function clearRegisters(model: LlamaModel): (() => void) | null {
  if (process.arch !== "x64" || !isPoolOfOne || !leavesUpperHalves(model.fileInfo.tensorInfo ?? [])) return null
  return () => pbkdf2("", "", 1, 1, "sha512", () => {})
}
