const beam = 25
const unreached = 1e9

/** The step by which a cell was reached. */
export const Step = { none: 0, keep: 1, substitute: 2, insert: 3, delete: 4 } as const

/**
 * Edit distance of many hypotheses of one length to one reference, within a beam around the diagonal, with its trace.
 * Rows of the matrix are kept: of two hypotheses with a common beginning, the second costs only the rows after it.
 * Memory: rows × width of the beam, linear in the texts.
 */
export class BeamEditDistance {
  private readonly reference: Int32Array
  private readonly length: number
  private readonly ratio: number
  private readonly width: number
  private readonly stride: number
  private readonly costs: Int32Array
  private readonly steps: Uint8Array
  /** The hypothesis whose rows are in the matrix. */
  private readonly previous: Int32Array
  private knownRows = 0

  constructor(reference: Int32Array, length: number) {
    this.reference = reference
    this.length = length
    this.ratio = length > 0 ? reference.length / length : 1
    this.width = beam < this.ratio / 2 ? Math.ceil(this.ratio / 2 + beam) : beam
    // A row holds min_j … max_j − 1, which is at most twice the width; the last row reaches the end of the reference.
    this.stride = Math.min(reference.length + 1, 2 * this.width + 2)
    this.costs = new Int32Array(this.stride * (length + 1))
    this.steps = new Uint8Array(this.stride * (length + 1))
    this.previous = new Int32Array(length)
  }

  /** The distance of a hypothesis of the stated length. */
  distance(hypothesis: Int32Array): number {
    if (this.length === 0) return this.reference.length
    let same = 0
    while (same < this.knownRows && hypothesis[same] === this.previous[same]) same++
    for (let row = same + 1; row <= this.length; row++) this.fillRow(row, hypothesis[row - 1] as number)
    this.previous.set(hypothesis)
    this.knownRows = this.length
    return this.cost(this.length, this.reference.length)
  }

  /** The steps from beginning to end by which {@link BeamEditDistance.distance} was reached last. */
  trace(): number[] {
    const trace: number[] = []
    let row = this.length
    let column = this.reference.length
    while (row > 0 || column > 0) {
      const step = row === 0 ? Step.insert : (this.steps[row * this.stride + column - this.first(row)] as number)
      trace.push(step)
      if (step !== Step.insert) row--
      if (step !== Step.delete) column--
    }
    return trace.reverse()
  }

  private first(row: number): number {
    return row === 0 ? 0 : Math.max(0, Math.floor(row * this.ratio) - this.width)
  }

  private last(row: number): number {
    const columns = this.reference.length + 1
    return row === this.length ? columns : Math.min(columns, Math.floor(row * this.ratio) + this.width)
  }

  private cost(row: number, column: number): number {
    if (row === 0) return column
    const from = this.first(row)
    return column < from || column >= this.last(row)
      ? unreached
      : (this.costs[row * this.stride + column - from] as number)
  }

  private fillRow(row: number, word: number): void {
    const { reference, costs, steps } = this
    const from = this.first(row)
    const to = this.last(row)
    const base = row * this.stride - from
    for (let column = from; column < to; column++) {
      let best = unreached
      let step: number = Step.none
      const above = this.cost(row - 1, column)
      if (column > 0) {
        const same = reference[column - 1] === word
        const diagonal = this.cost(row - 1, column - 1) + (same ? 0 : 1)
        if (diagonal < best) {
          best = diagonal
          step = same ? Step.keep : Step.substitute
        }
      }
      if (above + 1 < best) {
        best = above + 1
        step = Step.delete
      }
      if (column > from) {
        const left = (costs[base + column - 1] as number) + 1
        if (left < best) {
          best = left
          step = Step.insert
        }
      }
      costs[base + column] = best
      steps[base + column] = step
    }
  }
}
