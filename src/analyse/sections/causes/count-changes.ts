import type { UnitNumbers } from "../../../stats/resampling/units.ts"
import { mcnemarExact } from "../../../stats/tests/mcnemar.ts"
import { overRepresentation } from "../../../stats/tests/over-representation.ts"
import { momentsByCell, partTestOf, type UnitMoments } from "../../../stats/tests/part-test.ts"

/** What became of a sample. */
export const change = { notCompared: 0, none: 1, loss: 2, gain: 3 } as const

/** What is still to be explained. */
export interface Left {
  readonly changes: Uint8Array
  readonly units: UnitNumbers | null
  /** Correlation of the losses of a cluster, 0..1. */
  readonly correlation: number
  /** Of each cluster what is counted at the moment; 0 in between. */
  readonly marks: Int32Array
}

export interface Counts {
  readonly samples: number
  readonly losses: number
  readonly gains: number
  /** Clusters with a sample, and with a lost one. */
  readonly units: number
  readonly lossUnits: number
  readonly effect: number
}

export function leftOf(changes: Uint8Array, units: UnitNumbers | null): Left {
  const left = { changes, units, correlation: 0, marks: new Int32Array(units?.count ?? 0) }
  if (!units) return left
  const all = countAll(left)
  const rate = all.losses / all.samples
  const sizes = new Int32Array(units.count)
  const losses = new Int32Array(units.count)
  for (const [position, kind] of changes.entries()) {
    if (kind === change.notCompared) continue
    sizes[units.of[position] as number]! += 1
    if (kind === change.loss) losses[units.of[position] as number]! += 1
  }
  let [around, squares] = [0, 0]
  for (const [unit, size] of sizes.entries()) {
    around += ((losses[unit] as number) - rate * size) ** 2
    squares += size ** 2
  }
  const effect = (around * all.units) / Math.max(1, all.units - 1) / (all.samples * rate * (1 - rate))
  const size = squares / all.samples
  return { ...left, correlation: size > 1 && effect > 1 ? Math.min(1, (effect - 1) / (size - 1)) : 0 }
}

/** Some samples by their positions (null: all), and what became of them. */
interface Counted<Inside> {
  readonly inside: Inside
  readonly counts: Counts
}

/** Whether a part of some samples loses more than the rest of them: where it does not clearly, the p of the first test alone. */
export function besideRest(
  { inside, counts: part }: Counted<ArrayLike<number>>,
  { inside: field, counts: whole }: Counted<ArrayLike<number> | null>,
  left: Left,
  alpha: number,
): number {
  if (part.losses * whole.samples <= whole.losses * part.samples) return 1
  const rest = {
    samples: whole.samples - part.samples,
    losses: whole.losses - part.losses,
    gains: whole.gains - part.gains,
  }
  const [drawnMarked, marked] = [part.losses / part.effect, part.samples / part.effect]
  const p = fisher(drawnMarked, {
    drawn: drawnMarked + rest.losses / whole.effect,
    marked,
    all: marked + rest.samples / whole.effect,
  })
  if (p > alpha) return p
  const [a, b] = left.units ? momentsByUnit(inside, field, left, left.units) : [momentsOf(rest), momentsOf(part)]
  const test = a && b && partTestOf(b, a)
  return Math.max(p, test?.p ?? 0)
}

/** Of numbers that are no whole ones, the less telling. */
export function fisher(
  drawnMarked: number,
  { drawn, marked, all }: { readonly drawn: number; readonly marked: number; readonly all: number },
): number {
  return overRepresentation({
    drawnMarked: Math.floor(drawnMarked + 1e-9),
    drawn: Math.round(drawn),
    marked: Math.round(marked),
    all: Math.round(all),
  })
}

/** Gains minus losses of the rest and of the part, by cluster. */
function momentsByUnit(
  inside: ArrayLike<number>,
  field: ArrayLike<number> | null,
  { changes }: Left,
  units: UnitNumbers,
): readonly UnitMoments[] {
  const cells = new Int8Array(changes.length).fill(field ? -1 : 0)
  for (let i = 0; i < (field?.length ?? 0); i++) cells[field?.[i] as number] = 0
  for (let i = 0; i < inside.length; i++) cells[inside[i] as number] = 1
  const values = Float64Array.from(changes, (kind) => Number(kind === change.gain) - Number(kind === change.loss))
  return momentsByCell(values, units, 2, (i) => (changes[i] === change.notCompared ? -1 : (cells[i] as number)))
}

function momentsOf({ samples, losses, gains }: Pick<Counts, "samples" | "losses" | "gains">): UnitMoments {
  const sum = gains - losses
  return { units: samples, values: samples, sum, squares: gains + losses, products: sum, sizes: samples }
}

/** One-sided exact sign test. */
export function moreThan(count: number, reverse: number): number {
  return count <= reverse ? 1 : mcnemarExact(count, reverse) / 2
}

export function countAll(left: Left): Counts {
  return countsOf(Array.from(left.changes.keys()), left)
}

export function countsOf(inside: ArrayLike<number>, { changes, units, correlation, marks }: Left): Counts {
  const counts = [0, 0, 0, 0]
  for (let i = 0; i < inside.length; i++) counts[changes[inside[i] as number] as number]! += 1
  const [, none = 0, losses = 0, gains = 0] = counts
  const samples = none + losses + gains
  if (!units) return { samples, losses, gains, units: samples, lossUnits: losses, effect: 1 }
  let [squares, members, lossUnits] = [0, 0, 0]
  for (let i = 0; i < inside.length; i++) {
    const position = inside[i] as number
    if (changes[position] === change.notCompared) continue
    const unit = units.of[position] as number
    const before = marks[unit] as number
    const isLossy = Number(changes[position] === change.loss)
    // Samples of the cluster so far in steps of two, and whether one was lost in the last bit.
    const size = before >> 1
    if (size === 0) members++
    if (isLossy > (before & 1)) lossUnits++
    squares += 2 * size + 1
    marks[unit] = (size + 1) * 2 + (isLossy | (before & 1))
  }
  for (let i = 0; i < inside.length; i++) marks[units.of[inside[i] as number] as number] = 0
  const effect = samples === 0 ? 1 : 1 + (squares / samples - 1) * correlation
  return { samples, losses, gains, units: members, lossUnits, effect }
}

export function lossesIn(inside: ArrayLike<number>, { changes }: Left): number[] {
  return Array.from(inside).filter((position) => changes[position] === change.loss)
}
