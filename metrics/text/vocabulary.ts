const limit = 200_000

/**
 * Words as integers, for comparing words of one sample. The numbers are only good until the next {@link Vocabulary.fit}.
 * A `Map`, never an object: "constructor" and "__proto__" are words. Bounded: emptied when it holds 200,000 words.
 */
export class Vocabulary {
  private readonly words = new Map<string, number>()

  /** Call once per sample, before its texts are numbered: empties the vocabulary where it has grown too large. */
  fit(): void {
    if (this.words.size > limit) this.words.clear()
  }

  /** The number of each word; equal words have equal numbers, 0 … size − 1. */
  number(words: readonly string[]): Int32Array {
    const numbers = new Int32Array(words.length)
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as string
      let id = this.words.get(word)
      if (id === undefined) {
        id = this.words.size
        this.words.set(word, id)
      }
      numbers[i] = id
    }
    return numbers
  }

  /** Numbers given so far. */
  get size(): number {
    return this.words.size
  }
}
