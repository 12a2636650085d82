/**
 * Each token as a number that is equal for equal tokens in every process (a 52-bit hash): rows that are kept as JSON and compared
 * across answers cannot use the numbers of a {@link Vocabulary}. Two of a million different tokens collide with probability 1e-4.
 */
export function tokenHashes(tokens: readonly string[]): number[] {
  return tokens.map(hash52)
}

function hash52(token: string): number {
  let a = 0x811c9dc5 | 0
  let b = 0x1b873593 | 0
  for (let i = 0; i < token.length; i++) {
    const code = token.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 13
  }
  a = Math.imul(a ^ (a >>> 16), 0x7feb352d)
  b = Math.imul(b ^ (b >>> 15), 0x846ca68b)
  return ((a ^ (a >>> 15)) >>> 0) * 2 ** 20 + ((b ^ (b >>> 14)) >>> 12)
}

/** Hashed tokens of many answers as small integers, the same for equal ones. */
export function numberHashes(rows: readonly (readonly number[])[]): Int32Array[] {
  const numbers = new Map<number, number>()
  return rows.map((row) =>
    Int32Array.from(row, (hash) => {
      const existing = numbers.get(hash)
      if (existing !== undefined) return existing
      numbers.set(hash, numbers.size)
      return numbers.size - 1
    }),
  )
}
