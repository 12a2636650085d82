/** Finds a text in a list: the place where it is first, undefined where it is not. */
export type FindPlace = (text: string) => number | undefined

/** Places that are looked at for one text, at most: more means that somebody chose texts that fall on each other. */
const maxSteps = 1000

/**
 * Where each text of a list is. A table of four bytes a place, half of which are free: a Map of a million texts takes five times as much.
 *
 * @param at the text at a place
 * @param hash a number of 32 bits of a text
 */
export function findPlaces(length: number, at: (index: number) => string, hash = hashOf): FindPlace {
  const size = 2 ** Math.ceil(Math.log2(Math.max(16, 2 * length)))
  const mask = size - 1
  /** One more than the place; 0 is free. */
  const table = new Int32Array(size)
  const slotOf = (text: string): number => {
    let slot = hash(text) & mask
    for (let steps = 0; steps < maxSteps; steps++) {
      const index = table[slot] as number
      if (index === 0 || at(index - 1) === text) return slot
      slot = (slot + 1) & mask
    }
    return -1
  }
  for (let index = 0; index < length; index++) {
    const slot = slotOf(at(index))
    if (slot < 0) return findInMap(length, at)
    if (table[slot] === 0) table[slot] = index + 1
  }
  return (text) => {
    const slot = slotOf(text)
    return slot < 0 || table[slot] === 0 ? undefined : (table[slot] as number) - 1
  }
}

function findInMap(length: number, at: (index: number) => string): FindPlace {
  const positions = new Map<string, number>()
  for (let index = length - 1; index >= 0; index--) positions.set(at(index), index)
  return (text) => positions.get(text)
}

/** Fowler, Noll and Vo's hash (FNV-1a) of a text's units, mixed so that its low bits depend on all of them. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  return hash ^ (hash >>> 15)
}
