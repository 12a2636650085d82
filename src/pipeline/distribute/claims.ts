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
  const late = new Set<Key>()
  const release = (key: Key): void => {
    if (unlessLost(() => releaseClaim(key))) late.delete(key)
    else late.add(key)
  }
  return {
    take(key) {
      const isOurs = take(key)
      if (isOurs) late.delete(key)
      return isOurs
    },
    release,
    releaseLate() {
      for (const key of late) release(key)
    },
  }
}
