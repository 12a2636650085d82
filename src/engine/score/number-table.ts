/** Rows of a page: large enough that pages cost nothing, small enough that the last one wastes little. */
const pageRows = 4096

/**
 * Rows of numbers, all of one width, in pages: a million rows take what their numbers take, and growing copies nothing. A page
 * holds 32-bit integers (4 bytes a number) until a row has any other number (8 bytes from then on).
 */
export class NumberTable {
  length = 0
  readonly width: number
  private readonly pages: (Int32Array | Float64Array)[] = []

  constructor(width = 1) {
    this.width = width
  }

  /** Appends a row of `width` numbers. */
  add(row: ArrayLike<number>): void {
    const offset = this.begin()
    for (let k = 0; k < this.width; k++) this.write(offset + k, row[k] as number)
  }

  /** Appends a number to a table of width 1. */
  push(value: number): void {
    this.write(this.begin(), value)
  }

  at(row: number, column = 0): number {
    const page = this.pages[Math.floor(row / pageRows)] as Float64Array
    return page[(row % pageRows) * this.width + column] as number
  }

  /** A row as a list of its own. */
  row(row: number): number[] {
    const page = this.pages[Math.floor(row / pageRows)] as Float64Array
    const offset = (row % pageRows) * this.width
    return Array.from(page.subarray(offset, offset + this.width))
  }

  /** Makes room for a row, and says where in the last page it begins. */
  private begin(): number {
    const offset = (this.length++ % pageRows) * this.width
    if (offset === 0) this.pages.push(new Int32Array(pageRows * this.width))
    return offset
  }

  private write(offset: number, value: number): void {
    let page = this.pages.at(-1) as Int32Array | Float64Array
    // −0 is no integer here: it would come back as 0.
    if (page instanceof Int32Array && !Object.is(value | 0, value)) {
      page = Float64Array.from(page)
      this.pages[this.pages.length - 1] = page
    }
    page[offset] = value
  }
}
