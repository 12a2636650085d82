/** Counts how often something was met: the number of a repeat, from 0. */
export interface Occasions {
  next(...key: readonly string[]): number
  /** The value that a key had first. */
  first(key: string, value: string): string
}

/** {@link Occasions} of nothing yet. Memory: a number for each key. */
export function createOccasions(): Occasions {
  const met = new Map<string, number>()
  const values = new Map<string, string>()
  return {
    next(...key) {
      const name = key.join("\u0000")
      const count = met.get(name) ?? 0
      met.set(name, count + 1)
      return count
    },
    first(key, value) {
      const known = values.get(key)
      if (known === undefined) values.set(key, value)
      return known ?? value
    },
  }
}
