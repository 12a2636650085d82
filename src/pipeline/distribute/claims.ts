import { unlessLost } from "./unless-lost.ts"

/** What a worker has in the store that no other may have: slices, questions. */
export interface Claims<Key> {
  /** True when the worker has it from here on. @throws what the store throws when it cannot be reached */
  take(key: Key): boolean
  /** Gives it back, now or with the first {@link Claims.releaseLate} that reaches the store. */
  release(key: Key): void
  /** Gives back what could not be given back before, and was not taken anew since. */
  releaseLate(): void
}

/** @param take as {@link Claims.take}; `release` throws when the store cannot be reached */
export function createClaims<Key>(take: (key: Key) => boolean, releaseClaim: (key: Key) => void): Claims<Key> {
  const held = new Set<Key>()
  const late = new Set<Key>()
  const release = (key: Key): void => {
    held.delete(key)
    if (unlessLost(() => releaseClaim(key))) late.delete(key)
    else late.add(key)
  }
  return {
    take(key) {
      try {
        if (!take(key)) return false
      } catch (error) {
        // It may be in the store, where nobody else could have it for as long as this worker lives.
        if (!held.has(key)) late.add(key)
        throw error
      }
      held.add(key)
      late.delete(key)
      return true
    },
    release,
    releaseLate() {
      for (const key of late) release(key)
    },
  }
}
