import { hashOf } from "./question-words.ts"

const maxAdded = 8
const maxAddedShare = 0.2
const bands = 6
const rows = 3

/** Words that turn a question into another one. */
const negations = new Set(
  "not no never none without except nor cannot don't doesn't isn't aren't can't nicht kein keine keinen nie ohne ne pas jamais sans non sin nunca sem não niet geen без не нет"
    .split(" ")
    .map(hashOf),
)

/** Whether one list of words is the other with few words added: at most 8, a fifth of the longer one, and no negation. */
export function isAddition(first: Uint32Array, second: Uint32Array): boolean {
  const [short, long] = first.length < second.length ? [first, second] : [second, first]
  const added = long.length - short.length
  if (added === 0 || added > Math.min(maxAdded, maxAddedShare * long.length)) return false
  let index = 0
  for (const word of long) {
    if (index < short.length && word === short[index]) index++
    else if (negations.has(word)) return false
  }
  return index === short.length
}

/**
 * MinHash over the set of words in 6 bands of 3: two lists whose sets share the part J agree in a band with the probability
 * 1 − (1 − J³)⁶: 0.986 for J = 0.8, 0.9997 for 0.9. [Broder 1997]
 *
 * @param seed begins each band's hash
 */
export function sketchBands(words: Uint32Array, seed: number): number[] {
  const set = Uint32Array.from(new Set(words))
  return Array.from({ length: bands }, (_, band) => {
    let mark = seed ^ Math.imul(band + 1, 0x9e3779b1)
    for (let row = 0; row < rows; row++) {
      const factor = multipliers[band * rows + row] as number
      let min = 0xffffffff
      for (let i = 0; i < set.length; i++) {
        let mixed = Math.imul((set[i] as number) ^ factor, 0x85ebca6b)
        mixed = (mixed ^ (mixed >>> 13)) >>> 0
        if (mixed < min) min = mixed
      }
      mark = Math.imul(mark ^ min, 0x01000193) ^ (min >>> 7)
    }
    return mark >>> 0
  })
}

const multipliers = Array.from({ length: bands * rows }, (_, i) => hashOf(`row ${i}`))
