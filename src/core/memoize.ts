const maxKept = 4_000

/** What was made of a key is made once; of the keys beyond a bound, anew each time. */
export function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    if (known.size < maxKept) known.set(key, made)
    return made
  }
}
