import { type BareTable, NumberTable } from "./number-table.ts"

/** Lists longer than this are kept as they are: no vector of statistics is. */
const widestVector = 128

/** What a {@link RowColumn} holds, as another thread can be sent it. */
export interface BareRows {
  readonly length: number
  readonly table: BareTable | null
  readonly plain: boolean
  readonly others: readonly unknown[] | null
}

/**
 * A metric's rows, as bare as they come: numbers, and lists of numbers that are all equally long, take four or eight bytes a number;
 * other rows are kept as they are. What is read equals what was added.
 */
export class RowColumn {
  length = 0
  private table: NumberTable | null = null
  /** Rows are plain numbers, not lists of one. */
  private plain = false
  private others: unknown[] | null = null

  add(row: unknown): void {
    if (this.length === 0) this.begin(row)
    if (this.others === null && !this.fits(row)) this.others = Array.from({ length: this.length }, (_, i) => this.at(i))
    if (this.others) this.others.push(row)
    else if (this.plain) this.table?.push(row as number)
    else this.table?.add(row as readonly number[])
    this.length++
  }

  /** The column of what {@link bare} gave. */
  static of({ length, table, plain, others }: BareRows): RowColumn {
    const column = new RowColumn()
    column.length = length
    column.table = table && NumberTable.of(table)
    column.plain = plain
    column.others = others && [...others]
    return column
  }

  get bare(): BareRows {
    const { length, table, plain, others } = this
    return { length, table: table?.bare ?? null, plain, others }
  }

  /** Whether a row is neither a number nor a list of numbers. */
  get hasOthers(): boolean {
    return this.others !== null
  }

  at(i: number): unknown {
    if (this.others) return this.others[i]
    return this.plain ? this.table?.at(i) : this.table?.row(i)
  }

  private begin(row: unknown): void {
    this.plain = typeof row === "number"
    if (this.plain) this.table = new NumberTable()
    else if (isVector(row)) this.table = new NumberTable(row.length)
    else this.others = []
  }

  private fits(row: unknown): boolean {
    if (this.plain) return typeof row === "number"
    return isVector(row) && row.length === this.table?.width
  }
}

function isVector(row: unknown): row is readonly number[] {
  return Array.isArray(row) && row.length <= widestVector && row.every((value) => typeof value === "number")
}
