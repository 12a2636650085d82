/** Keeps what was used lately, up to a number of bytes. */
export function createRecent<Value>(limitBytes: number, bytesOf: (value: Value) => number) {
  const values = new Map<string, Value>()
  let total = 0
  return {
    get(key: string): Value | undefined {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      values.set(key, value)
      return value
    },
    set(key: string, value: Value): void {
      const before = values.get(key)
      if (before !== undefined) total -= bytesOf(before)
      values.delete(key)
      values.set(key, value)
      total += bytesOf(value)
      for (const [oldest, old] of values) {
        if (total <= limitBytes) break
        values.delete(oldest)
        total -= bytesOf(old)
      }
    },
    clear(): void {
      values.clear()
      total = 0
    },
  }
}
