import type { SampleSplit } from "../../core/sample.ts"
import { byText } from "../../stats/order.ts"
import type { UnitNumbers } from "../../stats/resampling/units.ts"
import { type FindPlace, findPlaces } from "./id-places.ts"

/** The sample and the repeat of each of many answers, and what they are split by. */
export interface AnswerListParts {
  readonly ids: readonly string[]
  /** Null where all are the first answers to their samples. */
  readonly repeats: Int32Array | null
  /** Null where no answer is split by anything. */
  readonly splitAt: ((index: number) => SampleSplit | undefined) | null
}

/**
 * Which answers a list of rows, or of facts, is of. Lists of the same answers in the same order share one: ids are kept once for all
 * metrics and variants, and what is derived from them (order, units) is found once.
 */
export class AnswerList {
  readonly ids: readonly string[]
  readonly splitAt: AnswerListParts["splitAt"]
  /** Null where all are the first answers to their samples. */
  readonly repeats: Int32Array | null
  private cache: { order?: Int32Array | null; places?: FindPlace; units?: UnitNumbers } = {}

  constructor({ ids, repeats, splitAt }: AnswerListParts) {
    this.ids = ids
    this.repeats = repeats
    this.splitAt = splitAt
  }

  get length(): number {
    return this.ids.length
  }

  repeat(index: number): number {
    return this.repeats ? (this.repeats[index] as number) : 0
  }

  clusterAt(index: number): string | undefined {
    return this.splitAt?.(index)?.cluster
  }

  /** By sample id, then repeat, as everything that is paired. */
  compare(a: number, other: AnswerList, b: number): number {
    const [first, second] = [this.ids[a] as string, other.ids[b] as string]
    // What is paired is mostly equal, and that is seen sooner than which of two texts comes first.
    return first === second ? this.repeat(a) - other.repeat(b) : byText(first, second)
  }

  /** Places in the order of {@link compare}; null where they lie in it. */
  get order(): Int32Array | null {
    if (this.cache.order === undefined) this.cache.order = this.findOrder()
    return this.cache.order
  }

  /** The text that the list has of a sample's id, so that there need not be another one; the given text where it has none. */
  textOf(sampleId: string): string {
    const position = this.places(sampleId)
    if (position === undefined) return sampleId
    return this.ids[this.repeats && this.order ? (this.order[position] as number) : position] as string
  }

  /** A number of the sample, below the length of the list, that no other sample has; undefined where it is not in the list. */
  sampleNumber(sampleId: string): number | undefined {
    return this.places(sampleId)
  }

  /** The place of an answer; −1 where it is not in the list. Of several of one key, the first. */
  find(sampleId: string, repeat: number): number {
    let index = this.places(sampleId) ?? -1
    if (this.repeats === null) return repeat === 0 ? index : -1
    // Of one sample, the answers are linked by nothing: they follow one another in the order of the list.
    const order = this.order
    for (; index >= 0 && index < this.length; index++) {
      const at = order ? (order[index] as number) : index
      if (this.ids[at] !== sampleId) return -1
      if (this.repeats[at] === repeat) return at
    }
    return -1
  }

  /**
   * The unit that each of these answers is resampled with: its cluster, else its sample, in the order in which they first appear.
   *
   * @param positions in the order of {@link compare}; all answers in this order where it is left out
   */
  units(positions?: Int32Array): UnitNumbers {
    if (positions) return this.findUnits(positions)
    if (!this.cache.units) this.cache.units = this.findUnits(this.order)
    return this.cache.units
  }

  /** Where each sample's first answer is: in the list, or in its order where a sample has several. */
  private get places(): FindPlace {
    if (!this.cache.places) {
      const { ids } = this
      const order = this.repeats === null ? null : this.order
      this.cache.places = findPlaces(this.length, (i) => ids[order ? (order[i] as number) : i] as string)
    }
    return this.cache.places
  }

  private findOrder(): Int32Array | null {
    let isSorted = true
    for (let i = 1; isSorted && i < this.length; i++) isSorted = this.compare(i - 1, this, i) <= 0
    if (isSorted) return null
    return Int32Array.from({ length: this.length }, (_, i) => i).sort((a, b) => this.compare(a, this, b) || a - b)
  }

  private findUnits(positions: Int32Array | null): UnitNumbers {
    const length = positions ? positions.length : this.length
    const of = new Int32Array(length)
    const ofCluster = new Map<string, number>()
    let count = 0
    let last: string | null = null
    let ofLast = -1
    for (let i = 0; i < length; i++) {
      const index = positions ? (positions[i] as number) : i
      const cluster = this.splitAt ? this.clusterAt(index) : undefined
      const id = this.ids[index] as string
      if (cluster !== undefined) {
        const existing = ofCluster.get(cluster)
        of[i] = existing ?? count
        if (existing === undefined) ofCluster.set(cluster, count++)
      } else {
        // Answers to one sample lie side by side.
        if (id !== last) ofLast = count++
        last = id
        of[i] = ofLast
      }
    }
    return { of, count }
  }
}
