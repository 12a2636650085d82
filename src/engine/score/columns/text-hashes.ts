import { GrowingIntegers } from "./growing-integers.ts"

/** Hashes of sixteen hexadecimal digits in eight bytes each; other texts are kept as they are. */
export interface TextHashes {
  at(place: number): string
}

/** Takes hashes one after the other. */
export interface TextHashesBuilder {
  add(text: string): void
  done(): TextHashes
}

const packable = /^[0-9a-f]{16}$/

/** An empty {@link TextHashesBuilder}. */
export function textHashesBuilder(): TextHashesBuilder {
  const high = new GrowingIntegers()
  const low = new GrowingIntegers()
  const others = new Map<number, string>()
  return {
    add(text) {
      const isPacked = packable.test(text)
      if (!isPacked) others.set(high.length, text)
      high.push(isPacked ? Number.parseInt(text.slice(0, 8), 16) | 0 : 0)
      low.push(isPacked ? Number.parseInt(text.slice(8), 16) | 0 : 0)
    },
    done() {
      const [first, second] = [high.done(), low.done()]
      return { at: (place) => others.get(place) ?? digits(first?.[place] ?? 0) + digits(second?.[place] ?? 0) }
    },
  }
}

function digits(half: number): string {
  return (half >>> 0).toString(16).padStart(8, "0")
}
