import type { Random } from "../../core/random.ts"

/** The four words of the generator (xoshiro128**) that `indexStream` runs on. */
export type IndexState = Int32Array

/** The state that `indexStream` begins with: four numbers are taken from the stream. */
export function indexState(random: Random): IndexState {
  const words = Array.from({ length: 4 }, () => random.integer(4294967296) | 0)
  return Int32Array.from(words, (word, i) => (i === 3 ? word | 1 : word))
}

/**
 * The states of a generator at its beginning, after so many steps, after twice as many, and so on: whoever has one of them goes on from
 * there without taking the steps before. A step is linear in the bits of the state, so that many of them are a power of one matrix.
 *
 * @param count how many states are wanted
 */
export function statesEvery(steps: number, count: number, start: IndexState): readonly IndexState[] {
  const states: IndexState[] = [start.slice()]
  const jump = count > 1 ? power(steps) : null
  while (jump && states.length < count) states.push(product(jump, states.at(-1) as IndexState))
  return states
}

/** A linear map of states: what becomes of each of the 128 bits, four words each. */
type BitMatrix = Int32Array

const bits = 128

function matrix(map: (state: IndexState) => IndexState): BitMatrix {
  const columns = new Int32Array(bits * 4)
  for (let bit = 0; bit < bits; bit++) {
    const unit = new Int32Array(4)
    unit[bit >> 5] = 1 << (bit & 31)
    columns.set(map(unit), bit * 4)
  }
  return columns
}

function product(columns: BitMatrix, state: IndexState): IndexState {
  const sum = new Int32Array(4)
  for (let bit = 0; bit < bits; bit++) {
    if ((((state[bit >> 5] as number) >>> (bit & 31)) & 1) === 0) continue
    for (let word = 0; word < 4; word++) sum[word]! ^= columns[bit * 4 + word] as number
  }
  return sum
}

/** So many steps as one map, by squaring. */
function power(steps: number): BitMatrix {
  let result = matrix((state) => state)
  let square = matrix(step)
  for (let left = steps; left > 0; left = Math.floor(left / 2)) {
    const [before, factor] = [result, square]
    if (left % 2 === 1) result = matrix((state) => product(factor, product(before, state)))
    square = matrix((state) => product(factor, product(factor, state)))
  }
  return result
}

function step(state: IndexState): IndexState {
  let [s0, s1, s2, s3] = state as unknown as [number, number, number, number]
  const shifted = s1 << 9
  s2 ^= s0
  s3 ^= s1
  s1 ^= s2
  s0 ^= s3
  return Int32Array.of(s0, s1, s2 ^ shifted, (s3 << 11) | (s3 >>> 21))
}
