import { NgramIndex } from "./ngram-index.ts"

const index = new NgramIndex()
let highest = new Int32Array(0)
let lastReference = new Int32Array(0)

/** How many n-grams of order n a text of `length` tokens has. */
export function ngramTotal(length: number, order: number): number {
  return Math.max(0, length - order + 1)
}

/**
 * For each order 1..maxOrder, how many n-grams of the hypothesis are in the references, each counted at most as often as
 * in the reference that has it most often (BLEU's clipping; with one reference: the overlap of two bags).
 *
 * Time and memory are linear in (tokens × maxOrder).
 *
 * @param hypothesis tokens as integers ≥ 0
 * @param references each as tokens, numbered as the hypothesis's
 * @example ngramMatches([1, 2, 1], [[1, 2, 3]], 2) // [2, 1]
 */
export function ngramMatches(
  hypothesis: ArrayLike<number>,
  references: readonly ArrayLike<number>[],
  maxOrder: number,
): number[] {
  const matches = new Array<number>(maxOrder).fill(0)
  countReferences(references, maxOrder)
  const { counts } = index
  for (let start = 0; start < hypothesis.length; start++) {
    const end = Math.min(maxOrder, hypothesis.length - start)
    let gram = NgramIndex.root
    for (let order = 0; order < end; order++) {
      gram = index.find(gram, hypothesis[start + order] as number)
      // No longer n-gram can be in the references either.
      if (gram < 0) break
      const left = counts[gram] as number
      if (left > 0) {
        counts[gram] = left - 1
        matches[order] = (matches[order] as number) + 1
      }
    }
  }
  return matches
}

/** Fills the index with the n-grams of the references; the count of each is the highest of any one reference. */
function countReferences(references: readonly ArrayLike<number>[], maxOrder: number): void {
  let capacity = 0
  for (const reference of references) capacity += reference.length * maxOrder
  index.reset(capacity)
  if (references.length === 1) {
    addOne(references[0] as ArrayLike<number>, maxOrder)
    return
  }
  if (highest.length < index.counts.length) {
    highest = new Int32Array(index.counts.length)
    lastReference = new Int32Array(index.counts.length)
  }
  for (let number = 0; number < references.length; number++)
    addOfMany(references[number] as ArrayLike<number>, number + 1, maxOrder)
  for (let gram = 1; gram <= index.size; gram++) index.counts[gram] = highest[gram] as number
}

function addOne(reference: ArrayLike<number>, maxOrder: number): void {
  const { counts } = index
  for (let start = 0; start < reference.length; start++) {
    const end = Math.min(maxOrder, reference.length - start)
    let gram = NgramIndex.root
    for (let order = 0; order < end; order++) {
      gram = index.add(gram, reference[start + order] as number)
      counts[gram] = (counts[gram] as number) + 1
    }
  }
}

function addOfMany(reference: ArrayLike<number>, number: number, maxOrder: number): void {
  const { counts } = index
  for (let start = 0; start < reference.length; start++) {
    const end = Math.min(maxOrder, reference.length - start)
    let gram = NgramIndex.root
    for (let order = 0; order < end; order++) {
      const size = index.size
      gram = index.add(gram, reference[start + order] as number)
      if (gram > size) {
        highest[gram] = 0
        lastReference[gram] = 0
      }
      if (lastReference[gram] !== number) {
        lastReference[gram] = number
        counts[gram] = 0
      }
      const count = (counts[gram] as number) + 1
      counts[gram] = count
      if (count > (highest[gram] as number)) highest[gram] = count
    }
  }
}
