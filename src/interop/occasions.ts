import { contentHash, type JsonValue } from "../core/json.ts"

/** Counts how often something was met: the number of a repeat, from 0. */
export interface Occasions {
  next(...key: readonly string[]): number
  /** The repeat that a log states; where it was met before, the next one that was not. */
  free(stated: number, ...key: readonly string[]): number
  /** The id of a sample; of one whose id asked something else before, it is made another. */
  idOf(id: string, question: JsonValue): string
  /** The value that a key had first. */
  first(key: string, value: string): string
}

/** {@link Occasions} of nothing yet. Memory: a number for each key. */
export function createOccasions(): Occasions {
  const met = new Map<string, number>()
  const values = new Map<string, string>()
  const taken = new Set<string>()
  const occasions: Occasions = {
    free(stated, ...key) {
      let repeat = stated
      const name = () => [repeat, ...key].join("\u0000")
      while (taken.has(name())) repeat++
      taken.add(name())
      return repeat
    },
    idOf(id, question) {
      const hash = contentHash(question, 8)
      return occasions.first(id, hash) === hash ? id : `${id}-${hash}`
    },
    next(...key) {
      const name = key.join("\u0000")
      const count = met.get(name) ?? 0
      met.set(name, count + 1)
      return count
    },
    first(key, value) {
      const existing = values.get(key)
      if (existing === undefined) values.set(key, value)
      return existing ?? value
    },
  }
  return occasions
}
