/**
 * A read-only array whose elements are made when they are read, and forgotten: a million entries that nobody holds. It is
 * an array to everyone who reads it (length, index, iteration, `map`, `filter`, spread).
 *
 * @example [...arrayView(3, (i) => i * i)] // [0, 1, 4]
 */
export function arrayView<Element>(length: number, at: (index: number) => Element): readonly Element[] {
  const indexOf = (key: string | symbol): number => {
    if (typeof key !== "string" || key === "") return -1
    const index = Number(key)
    return Number.isInteger(index) && index >= 0 && index < length ? index : -1
  }
  const refuse = () => {
    throw new TypeError("the rows are read-only: copy the list before you change it")
  }
  const own = walks(length, at)
  return new Proxy(withoutElements<Element>(length), {
    get(target, key) {
      const walk = own.get(key)
      if (walk) return walk
      const index = indexOf(key)
      return index < 0 ? Reflect.get(target, key) : at(index)
    },
    has: (target, key) => indexOf(key) >= 0 || Reflect.has(target, key),
    ownKeys: () => [...Array.from({ length }, (_, i) => String(i)), "length"],
    getOwnPropertyDescriptor(target, key) {
      const index = indexOf(key)
      if (index < 0) return Reflect.getOwnPropertyDescriptor(target, key)
      return { value: at(index), writable: true, enumerable: true, configurable: true }
    },
    set: refuse,
    deleteProperty: refuse,
  })
}

/** Arrays longer than this have no room of their own for each element. */
const maxWithRoomLength = 2 ** 25

/**
 * An array of this length without room for its elements, which takes 8 bytes each from the start: a report has a dozen views of a
 * million. One that was long for a moment keeps a table of the elements that it has.
 */
function withoutElements<Element>(length: number): Element[] {
  const empty: Element[] = []
  empty.length = maxWithRoomLength + 1
  empty.length = length
  return empty
}

/** The walks over a whole array, which ask for no index by its name: several times faster than those of arrays. */
function walks<Element>(length: number, at: (index: number) => Element): ReadonlyMap<string | symbol, unknown> {
  type Visit<Result> = (element: Element, index: number, all: readonly Element[]) => Result
  function map<Result>(this: readonly Element[], visit: Visit<Result>): Result[] {
    const made = new Array<Result>(length)
    for (let i = 0; i < length; i++) made[i] = visit(at(i), i, this)
    return made
  }
  function filter(this: readonly Element[], visit: Visit<boolean>): Element[] {
    const kept: Element[] = []
    for (let i = 0; i < length; i++) {
      const element = at(i)
      if (visit(element, i, this)) kept.push(element)
    }
    return kept
  }
  function some(this: readonly Element[], visit: Visit<boolean>): boolean {
    for (let i = 0; i < length; i++) if (visit(at(i), i, this)) return true
    return false
  }
  function every(this: readonly Element[], visit: Visit<boolean>): boolean {
    for (let i = 0; i < length; i++) if (!visit(at(i), i, this)) return false
    return true
  }
  function forEach(this: readonly Element[], visit: Visit<void>): void {
    for (let i = 0; i < length; i++) visit(at(i), i, this)
  }
  function flatMap<Result>(this: readonly Element[], visit: Visit<Result | readonly Result[]>): Result[] {
    const made: Result[] = []
    for (let i = 0; i < length; i++) {
      const result = visit(at(i), i, this)
      if (Array.isArray(result)) for (const item of result) made.push(item)
      else made.push(result as Result)
    }
    return made
  }
  function values(): IterableIterator<Element> {
    let i = 0
    return {
      next: () => (i < length ? { done: false, value: at(i++) } : { done: true, value: undefined }),
      [Symbol.iterator]() {
        return this
      },
    }
  }
  return new Map<string | symbol, unknown>([
    ...Object.entries({ map, filter, some, every, forEach, flatMap, values }),
    [Symbol.iterator, values],
  ])
}
