import type { Random } from "../../core/random.ts"
import { type IndexState, indexState } from "./index-states.ts"

/**
 * Fills an array with uniform indices 0..n−1: the inner loop of every bootstrap. A generator is seeded from the stream
 * once and runs on locals (xoshiro128**, 2 ns an index); index = ⌊r·n / 2³²⌋, whose bias is below n / 2³².
 *
 * @returns a function that fills `into` and can be called again for the next resample
 */
export function indexStream(random: Random, n: number): (into: Int32Array | Uint32Array) => void {
  return indexStreamFrom(indexState(random), n)
}

/** {@link indexStream} from a state on, which stays as it is. */
export function indexStreamFrom(state: IndexState, n: number): (into: Int32Array | Uint32Array) => void {
  let [a, b, c, d] = state as unknown as [number, number, number, number]
  const scale = n / 4294967296
  return (into) => {
    let s0 = a
    let s1 = b
    let s2 = c
    let s3 = d
    for (let i = 0; i < into.length; i++) {
      const m = Math.imul(s1, 5)
      const word = Math.imul((m << 7) | (m >>> 25), 9)
      into[i] = (word >>> 0) * scale
      const t = s1 << 9
      s2 ^= s0
      s3 ^= s1
      s1 ^= s2
      s0 ^= s3
      s2 ^= t
      s3 = (s3 << 11) | (s3 >>> 21)
    }
    a = s0
    b = s1
    c = s2
    d = s3
  }
}
