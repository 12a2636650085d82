/** A seeded stream of random numbers: the same seed gives the same numbers on every machine. @experimental */
export interface Random {
  /** Uniform in [0, 1), 53 random bits. */
  next(): number
  /** Uniform integer in [0, n); n between 1 and 2^32. Unbiased. */
  integer(n: number): number
  /** Standard normal (polar method of Marsaglia). */
  normal(): number
  /** A new array in seeded random order (Fisher–Yates); the input is not changed. */
  shuffle<T>(items: readonly T[]): T[]
  /** An independent stream named by a label; it does not advance this one. */
  fork(label: string): Random
}

/** FNV-1a over UTF-16 units, finished with murmur3's avalanche: a 32-bit seed from a text. */
function hash32(text: string, basis: number): number {
  let h = basis >>> 0
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/**
 * xoshiro128** (Blackman & Vigna 2018), seeded by hashing the seed's text.
 * Used for everything random in evalkit; the seed is in the signature of every figure that drew from it.
 *
 * @example createRandom(42).integer(6) // the same on every machine
 * @experimental
 */
export function createRandom(seed: number | string): Random {
  const text = String(seed)
  let a = hash32(text, 0x811c9dc5)
  let b = hash32(text, 0x9e3779b9)
  let c = hash32(text, 0x7f4a7c15)
  let d = hash32(text, 0x94d049bb) | 1
  let spare: number | undefined

  const next32 = (): number => {
    const m = Math.imul(b, 5)
    const result = Math.imul((m << 7) | (m >>> 25), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return result
  }
  for (let i = 0; i < 16; i++) next32()

  const random: Random = {
    next: () => ((next32() >>> 5) * 67108864 + (next32() >>> 6)) / 9007199254740992,
    integer(n) {
      const limit = 4294967296 - (4294967296 % n)
      let x = next32()
      while (x >= limit) x = next32()
      return x % n
    },
    normal() {
      if (spare !== undefined) {
        const value = spare
        spare = undefined
        return value
      }
      for (;;) {
        const u = 2 * random.next() - 1
        const v = 2 * random.next() - 1
        const s = u * u + v * v
        if (s > 0 && s < 1) {
          const f = Math.sqrt((-2 * Math.log(s)) / s)
          spare = v * f
          return u * f
        }
      }
    },
    shuffle<T>(items: readonly T[]) {
      const copy = [...items]
      for (let i = copy.length - 1; i > 0; i--) {
        const j = random.integer(i + 1)
        const x = copy[i] as T
        copy[i] = copy[j] as T
        copy[j] = x
      }
      return copy
    },
    fork: (label) => createRandom(`${text}/${label}`),
  }
  return random
}
