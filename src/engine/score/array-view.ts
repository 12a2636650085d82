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
  return new Proxy(new Array<Element>(length), {
    get(target, key) {
      const index = indexOf(key)
      return index < 0 ? Reflect.get(target, key) : at(index)
    },
    has: (target, key) => indexOf(key) >= 0 || Reflect.has(target, key),
    set: refuse,
    deleteProperty: refuse,
  })
}
