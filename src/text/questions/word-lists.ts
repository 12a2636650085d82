import { hashOf } from "./question-words.ts"

/** Lists of words, by their hashes. */
export interface WordLists {
  /** Words of all lists together. */
  readonly words: number
  add(words: readonly string[]): void
  /** A view of the list that was added as the index says, from 0. */
  at(index: number): Uint32Array
}

/** Words of an array that many lists share. */
const chunkLength = 2 ** 16

/**
 * No lists yet. Memory: 4 bytes a word and 16 a list; an array for each list takes more than its words.
 *
 * @throws {RangeError} for a list of more than 65,536 words
 */
export function createWordLists(): WordLists {
  const chunks: Uint32Array[] = []
  const starts: number[] = []
  const ends: number[] = []
  let end = 0
  let words = 0
  return {
    get words() {
      return words
    },
    add(list) {
      if (end + list.length > chunks.length * chunkLength) {
        end = chunks.length * chunkLength
        chunks.push(new Uint32Array(chunkLength))
      }
      starts.push(end)
      chunks.at(-1)?.set(list.map(hashOf), end % chunkLength)
      end += list.length
      words += list.length
      ends.push(end)
    },
    at(index) {
      const [start, stop] = [starts[index] as number, ends[index] as number]
      const first = start % chunkLength
      return (chunks[Math.floor(start / chunkLength)] as Uint32Array).subarray(first, first + stop - start)
    },
  }
}
