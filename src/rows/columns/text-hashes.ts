import { GrowingIntegers } from "./growing-integers.ts"

/** Hashes of sixteen hexadecimal digits in eight bytes each; other texts are kept as they are. */
export interface TextHashes {
  at(index: number): string
  /** Whether two of them are the same text; quick where both are hashes. */
  isSame(index: number, other: TextHashes, otherPlace: number): boolean
  /** The hash as a number of 32 bits of each half; null for other texts. */
  halves(index: number): readonly [number, number] | null
}

/** Takes hashes one after the other. */
export interface TextHashesBuilder {
  add(text: string): void
  done(): BareHashes
}

/** What is kept of hashes, as another thread can be sent it: the halves, null where all are 0, and texts that are no such hashes. */
export interface BareHashes {
  readonly high: Int32Array | null
  readonly low: Int32Array | null
  readonly others: ReadonlyMap<number, string>
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
    done: () => ({ high: high.done(), low: low.done(), others }),
  }
}

/** The hashes that a {@link TextHashesBuilder} took. */
export function hashesOf({ high: first, low: second, others }: BareHashes): TextHashes {
  const halves: TextHashes["halves"] = (index) =>
    others.has(index) ? null : [first?.[index] ?? 0, second?.[index] ?? 0]
  const at: TextHashes["at"] = (index) =>
    others.get(index) ?? digits(first?.[index] ?? 0) + digits(second?.[index] ?? 0)
  return {
    at,
    halves,
    isSame(index, other, otherPlace) {
      const [mine, theirs] = [halves(index), other.halves(otherPlace)]
      return mine && theirs ? mine[0] === theirs[0] && mine[1] === theirs[1] : at(index) === other.at(otherPlace)
    },
  }
}

/** Texts of a list, as {@link TextHashes} are read. */
export function listedHashes(at: (index: number) => string): TextHashes {
  return { at, halves: () => null, isSame: (index, other, otherPlace) => at(index) === other.at(otherPlace) }
}

function digits(half: number): string {
  return (half >>> 0).toString(16).padStart(8, "0")
}
