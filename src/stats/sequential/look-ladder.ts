/** Fewest samples between two looks, and fewest at the first. */
const step = 10
const first = 20
/** How many times as many samples the next look has. */
const growth = 1.15

/**
 * Numbers of samples at which a run of unknown length is looked at: 20, then 15 % (at least 10) more each time, up to `most`.
 * With `sequentialDesign(…, { spending: "looks" })` such a run ends, on average, after little more than the number that a
 * test at a fixed number would have needed, although that was not known.
 *
 * @param max all samples that there are, at least 1
 * @example lookLadder(65) // [20, 30, 40, 50, 65]: a last step that is too small is joined with the one before
 */
export function lookLadder(max: number): number[] {
  if (!(max >= 1)) throw new RangeError(`a ladder needs at least one sample, not ${max}`)
  const looks: number[] = []
  for (let at = first; at + step <= max; at = Math.max(at + step, Math.ceil(at * growth))) looks.push(at)
  return [...looks, Math.floor(max)]
}
