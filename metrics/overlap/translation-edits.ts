import { BeamEditDistance, Step } from "./beam-edit-distance.ts"

const maxShiftSize = 10
const maxShiftDistance = 50
const maxShiftCandidates = 1_000

/**
 * Edits and shifts that turn a hypothesis into a reference, as Tercom finds them: shift the block of words that lowers the
 * edit distance most, again and again, until no shift lowers it; then count what is left.
 *
 * @param hypothesis words as integers
 * @param reference words, numbered as the hypothesis's
 */
export function translationEdits(hypothesis: Int32Array, reference: Int32Array): number {
  if (reference.length === 0) return hypothesis.length
  const beam = new BeamEditDistance(reference, hypothesis.length)
  let words = hypothesis
  let shifts = 0
  let candidates = 0
  for (;;) {
    const best = bestShift(words, reference, beam, candidates)
    candidates = best.candidates
    if (candidates >= maxShiftCandidates || best.gain <= 0) break
    shifts++
    words = best.words
  }
  return shifts + beam.distance(words)
}

interface Shift {
  readonly gain: number
  readonly words: Int32Array
  readonly candidates: number
}

/** Tries every block of the hypothesis that also occurs elsewhere in the reference, up to the limit of candidates. */
function bestShift(words: Int32Array, reference: Int32Array, beam: BeamEditDistance, tried: number): Shift {
  const before = beam.distance(words)
  const { align, hypothesisErrors, referenceErrors } = alignment(beam.trace(), words.length, reference.length)
  let candidates = tried
  let best: { gain: number; length: number; start: number; target: number; words: Int32Array } | undefined
  const pairs = before === 0 ? [] : blocks(words, reference)
  for (const [start, startReference, length] of pairs) {
    // Both the words and their target must be wrong now, and the target must be outside the block.
    if (hypothesisErrors[start + length] === hypothesisErrors[start]) continue
    if (referenceErrors[startReference + length] === referenceErrors[startReference]) continue
    const aligned = align[startReference] as number
    if (start <= aligned && aligned < start + length) continue
    let previous = -1
    for (let offset = -1; offset < length; offset++) {
      const target = startReference + offset === -1 ? 0 : (align[startReference + offset] as number) + 1
      if (target === previous) continue
      previous = target
      const shifted = shift(words, start, length, target)
      const gain = before - beam.distance(shifted)
      candidates++
      // Tercom's ranking: the largest gain, the longest block, the earliest block, the earliest place.
      const better =
        best === undefined ||
        (gain - best.gain || length - best.length || best.start - start || best.target - target) > 0
      if (better) best = { gain, length, start, target, words: shifted }
    }
    if (candidates >= maxShiftCandidates) break
  }
  return { gain: best?.gain ?? 0, words: best?.words ?? words, candidates }
}

/** Every pair of equal blocks: its start in the hypothesis, its start in the reference, its length. */
function* blocks(words: Int32Array, reference: Int32Array): Generator<readonly [number, number, number]> {
  for (let start = 0; start < words.length; start++) {
    const end = Math.min(reference.length - 1, start + maxShiftDistance)
    for (let startReference = Math.max(0, start - maxShiftDistance); startReference <= end; startReference++) {
      const longest = Math.min(maxShiftSize, words.length - start, reference.length - startReference)
      for (let length = 1; length <= longest; length++) {
        if (words[start + length - 1] !== reference[startReference + length - 1]) break
        yield [start, startReference, length]
      }
    }
  }
}

/** Where each word of the reference is aligned, and running counts of the words that are wrong. */
function alignment(trace: readonly number[], hypothesisLength: number, referenceLength: number) {
  const align = new Int32Array(referenceLength)
  const hypothesisErrors = new Int32Array(hypothesisLength + 1)
  const referenceErrors = new Int32Array(referenceLength + 1)
  let hypothesis = 0
  let reference = 0
  for (const step of trace) {
    const wrong = step === Step.keep ? 0 : 1
    if (step !== Step.insert) {
      hypothesisErrors[hypothesis + 1] = (hypothesisErrors[hypothesis] as number) + wrong
      hypothesis++
    }
    if (step !== Step.delete) {
      align[reference] = hypothesis - 1
      referenceErrors[reference + 1] = (referenceErrors[reference] as number) + wrong
      reference++
    }
  }
  return { align, hypothesisErrors, referenceErrors }
}

/** The words with the block moved before position `target`, which may lie inside the block's own span. */
function shift(words: Int32Array, start: number, length: number, target: number): Int32Array {
  const shifted = new Int32Array(words.length)
  const block = words.subarray(start, start + length)
  if (target < start) {
    shifted.set(words)
    shifted.set(block, target)
    shifted.set(words.subarray(target, start), target + length)
    return shifted
  }
  // After the block is taken out, it goes behind the words up to `end`.
  const end = Math.min(words.length, target > start + length ? target : target + length)
  shifted.set(words)
  shifted.set(words.subarray(start + length, end), start)
  shifted.set(block, start + end - start - length)
  return shifted
}
