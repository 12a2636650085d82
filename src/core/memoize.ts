const maxKept = 4_000

/** What was made of a key is made once; of the keys beyond a bound, anew each time. */
export function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, Value>()
  return (key) => {
    const value = cache.get(key)
    if (value !== undefined) return value
    const made = make(key)
    if (cache.size < maxKept) cache.set(key, made)
    return made
  }
}
