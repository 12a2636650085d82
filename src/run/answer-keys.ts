import type { CopyOf } from "../core/copy-of.ts"
import type { RowEntry } from "../core/metric/metric.ts"
import { NumberTable } from "../rows/number-table.ts"
import type { UnitNumbers } from "../stats/resampling/units.ts"
import { Vocabulary } from "../text/vocabulary.ts"

/** Which answer a row belongs to. */
export type AnswerKey = Omit<RowEntry<unknown>, "row">

/**
 * The keys of many answers: ids, repeats, groups, clusters and originals, packed into arrays of numbers, some forty bytes an answer.
 * They are numbered from 0 in the order in which they were added.
 */
export class AnswerKeys {
  length = 0
  private readonly ids = emptyVocabulary()
  private readonly groups = emptyVocabulary()
  private readonly clusters = emptyVocabulary()
  /** What copies are copies of, as JSON. */
  private readonly originals = emptyVocabulary()
  /** Second and further answers to a sample, as `id number/repeat`. */
  private readonly repeats = emptyVocabulary()
  private readonly idOf = new NumberTable()
  private readonly repeatOf = new NumberTable()
  /** Number of the group, the cluster and the original, −1 for none. */
  private readonly groupOf = new NumberTable()
  private clusterOf = new NumberTable()
  private readonly originalOf = new NumberTable()
  /** The repeat that was the first of its sample to be added; others are in `repeats`. */
  private readonly firstRepeat = new NumberTable()

  /** Appends a key; false, and nothing appended, when the same answer was added before. */
  add({ sampleId, repeat, group, cluster, copyOf }: AnswerKey): boolean {
    const id = this.ids.add(sampleId)
    if (!this.isNew(id, repeat)) return false
    this.idOf.push(id)
    this.repeatOf.push(repeat)
    this.groupOf.push(group === undefined ? -1 : this.groups.add(group))
    this.clusterOf.push(cluster === undefined ? -1 : this.clusters.add(cluster))
    this.originalOf.push(copyOf === undefined ? -1 : this.originals.add(JSON.stringify(copyOf)))
    this.length++
    return true
  }

  /** How many samples the answers are to. */
  get samples(): number {
    return this.ids.size
  }

  /** Whether a sample has several answers. */
  get repeated(): boolean {
    return this.samples < this.length
  }

  /** Gives answers without a cluster that of their sample. */
  addClusters(ofSample: ReadonlyMap<string, string>): void {
    if (ofSample.size === 0) return
    const clusterOf = new NumberTable()
    for (let index = 0; index < this.length; index++) {
      const own = this.clusterOf.at(index)
      const cluster = own < 0 ? ofSample.get(this.ids.text(this.idOf.at(index))) : undefined
      clusterOf.push(cluster === undefined ? own : this.clusters.add(cluster))
    }
    this.clusterOf = clusterOf
  }

  /** The key of an answer. */
  at(index: number): AnswerKey {
    const group = this.groupOf.at(index)
    const cluster = this.clusterOf.at(index)
    const original = this.originalOf.at(index)
    return {
      sampleId: this.ids.text(this.idOf.at(index)),
      repeat: this.repeatOf.at(index),
      ...(group >= 0 && { group: this.groups.text(group) }),
      ...(cluster >= 0 && { cluster: this.clusters.text(cluster) }),
      ...(original >= 0 && { copyOf: JSON.parse(this.originals.text(original)) as CopyOf }),
    }
  }

  /** The answers' numbers in the order of sample id, then repeat. */
  sorted(): Int32Array {
    const { ids, idOf, repeatOf } = this
    return Int32Array.from({ length: this.length }, (_, index) => index).sort(
      (a, b) => ids.compare(idOf.at(a), idOf.at(b)) || repeatOf.at(a) - repeatOf.at(b),
    )
  }

  /** The unit that each of these answers is resampled with: its cluster if it has one, else its sample. */
  units(positions: Int32Array): UnitNumbers {
    const ofSample = new Int32Array(this.ids.size).fill(-1)
    const ofCluster = new Int32Array(this.clusters.size).fill(-1)
    let count = 0
    const of = positions.map((index) => {
      const cluster = this.clusterOf.at(index)
      const [units, key] = cluster < 0 ? [ofSample, this.idOf.at(index)] : [ofCluster, cluster]
      if (units[key] === -1) units[key] = count++
      return units[key] as number
    })
    return { of, count }
  }

  private isNew(id: number, repeat: number): boolean {
    if (id === this.firstRepeat.length) {
      this.firstRepeat.push(repeat)
      return true
    }
    if (this.firstRepeat.at(id) === repeat) return false
    const before = this.repeats.size
    return this.repeats.add(`${id}/${repeat}`) === before
  }
}

function emptyVocabulary(): Vocabulary {
  const vocabulary = new Vocabulary()
  vocabulary.clear()
  return vocabulary
}
