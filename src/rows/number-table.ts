/** Rows of a page: large enough that pages cost nothing, small enough that the last one wastes little. */
const pageRows = 4096

type Page = Int8Array | Int16Array | Int32Array | Float64Array

/** What a {@link NumberTable} holds, as another thread can be sent it. */
export interface BareTable {
  readonly length: number
  readonly width: number
  readonly pages: readonly Page[]
}

/**
 * Rows of numbers, all of one width, in pages: a million rows take what their numbers take, and growing copies nothing. A page
 * holds 8-bit integers (a byte a number) until a row has a larger one (2 or 4 bytes from then on), or any other number (8 bytes).
 */
export class NumberTable {
  length = 0
  readonly width: number
  private readonly pages: Page[] = []

  constructor(width = 1) {
    this.width = width
  }

  /** The table of what {@link bare} gave. */
  static of({ length, width, pages }: BareTable): NumberTable {
    const table = new NumberTable(width)
    table.length = length
    table.pages.push(...pages)
    return table
  }

  /** Its own pages, not copies. */
  get bare(): BareTable {
    const { length, width, pages } = this
    return { length, width, pages }
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
    const numbers: number[] = []
    for (let k = 0; k < this.width; k++) numbers.push(page[offset + k] as number)
    return numbers
  }

  /** Makes room for a row, and says where in the last page it begins. */
  private begin(): number {
    const offset = (this.length++ % pageRows) * this.width
    if (offset === 0) this.pages.push(new Int8Array(pageRows * this.width))
    return offset
  }

  private write(offset: number, value: number): void {
    let page = this.pages.at(-1) as Page
    if (!holds(page, value)) {
      page = widened(page, value)
      this.pages[this.pages.length - 1] = page
    }
    page[offset] = value
  }
}

/** Whether a page gives the number back as it is. −0 is no integer here: it would come back as 0. */
function holds(page: Page, value: number): boolean {
  if (page instanceof Float64Array) return true
  if (page instanceof Int8Array) return Object.is((value << 24) >> 24, value)
  return page instanceof Int16Array ? Object.is((value << 16) >> 16, value) : Object.is(value | 0, value)
}

/** The numbers of a page in the narrowest one that holds another number as well. */
function widened(page: Page, value: number): Page {
  if (page instanceof Int8Array && Object.is((value << 16) >> 16, value)) return Int16Array.from(page)
  return Object.is(value | 0, value) ? Int32Array.from(page) : Float64Array.from(page)
}
