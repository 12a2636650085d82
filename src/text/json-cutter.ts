/** A row of a JSON document: an element of one of its lists, or a member of an object whose name is a whole number. */
export interface JsonRow {
  /** The path of the list: names of members, joined by `/`; empty for the document itself. */
  readonly list: string
  /** Its index, or the name of the member. */
  readonly name: string
  /** JSON, not parsed. */
  readonly text: string
}

/** A list or an object outside of rows that has not ended. */
interface Container {
  readonly path: string
  readonly isList: boolean
  readonly holdsRows: boolean
  /** Of the member that was met last. */
  name: string
  /** Of rows. */
  count: number
}

/** Rows that stand in the outline, too. */
const outlineRows = 8

/**
 * Cuts a JSON document into the texts of its rows and an outline, without parsing them: it only follows strings and brackets. The outline is
 * the document with the first eight rows of each list. Memory: a row, and the outline.
 */
export class JsonCutter {
  readonly #lists: ReadonlySet<string>
  readonly #open: Container[] = []
  #outline = ""
  #row: string | null = null
  /** Of brackets within the row. */
  #depth = 0
  #inString = false
  #isEscaped = false
  /** The list of rows that just began may be empty. */
  #mayEnd = false
  #string = ""
  #isDone = false
  #hasMore = false

  /** @param lists paths of the lists (and of objects with numbers for names) that hold rows */
  constructor(lists: ReadonlySet<string>) {
    this.#lists = lists
  }

  /** JSON where the document {@link isWhole} and undamaged. */
  get outline(): string {
    return this.#outline
  }

  /** The document has ended, and nothing follows. */
  get isWhole(): boolean {
    return this.#isDone && !this.#hasMore
  }

  /** Something follows the document. */
  get hasMore(): boolean {
    return this.#hasMore
  }

  /** Characters of the row that has not ended, or of the outline. */
  get length(): number {
    return (this.#row ?? this.#outline).length
  }

  /** @returns the rows that end within the next part of the document */
  cut(text: string): readonly JsonRow[] {
    const rows: JsonRow[] = []
    const { length } = text
    let from = 0
    let stringFrom = 0
    let i = this.#isEscaped && length > 0 ? 1 : 0
    if (length > 0) this.#isEscaped = false
    let inString = this.#inString
    let depth = this.#depth
    while (i < length && !this.#hasMore) {
      if (inString) {
        const end = endOfString(text, i)
        inString = end === 0
        if (inString) this.#isEscaped = backslashesBefore(text, length, i) % 2 === 1
        i = end || length
        if (!inString && this.#row === null) this.#string += text.slice(stringFrom, i - 1)
        continue
      }
      const code = text.charCodeAt(i)
      if (this.#row !== null) {
        if (code === quote) inString = true
        else if (code === openBrace || code === openBracket) depth++
        else if (depth > 0 && (code === closeBrace || code === closeBracket)) depth--
        else if (depth === 0 && (code === comma || code === closeBrace || code === closeBracket)) {
          const isNext = code === comma && this.#endRow(rows, text.slice(from, i))
          if (code !== comma) this.#endRow(rows, text.slice(from, i))
          from = isNext ? i + 1 : i
          this.#row = isNext ? "" : null
          if (!isNext) continue
        }
        i++
      } else if (isSpace(code)) i++
      else if (this.#mayEnd && code !== closeBracket) {
        this.#outline += text.slice(from, i)
        this.#row = ""
        this.#mayEnd = false
        from = i
      } else {
        if (code === quote) {
          inString = true
          this.#string = ""
          stringFrom = i + 1
        } else if (this.#outside(code)) {
          this.#outline += text.slice(from, i + 1)
          this.#row = ""
          from = i + 1
        }
        i++
      }
    }
    if (this.#row === null) {
      this.#outline += text.slice(from, i)
      if (inString) this.#string += text.slice(stringFrom)
    } else this.#row += text.slice(from)
    this.#inString = inString
    this.#depth = depth
    return rows
  }

  /** @returns whether the next row begins behind the comma */
  #endRow(rows: JsonRow[], rest: string): boolean {
    const container = this.#open.at(-1) as Container
    const { path, isList, count } = container
    const text = this.#row + rest
    rows.push({ list: path, name: isList ? String(count) : container.name, text })
    if (count < outlineRows) this.#outline += isList && count > 0 ? `,${text}` : text
    else if (!isList) this.#outline += "null"
    container.count++
    return isList
  }

  /** A sign outside of rows and strings. @returns whether a row begins behind it */
  #outside(code: number): boolean {
    const container = this.#open.at(-1)
    if (this.#isDone) this.#hasMore = true
    else if (code === colon && container) {
      container.name = this.#string
      return container.holdsRows && !container.isList && /^\d+$/.test(container.name)
    } else if (code === openBrace || code === openBracket) {
      const isList = code === openBracket
      const path = container ? [container.path, container.isList ? "*" : container.name].filter(Boolean).join("/") : ""
      const holdsRows = this.#lists.has(path)
      this.#open.push({ path, isList, holdsRows, name: "", count: 0 })
      this.#mayEnd = isList && holdsRows
    } else if (code === closeBrace || code === closeBracket) {
      this.#open.pop()
      this.#mayEnd = false
      this.#isDone = this.#open.length === 0
    }
    return false
  }
}

const [quote, comma, colon, openBracket, backslash, closeBracket, openBrace, closeBrace] = [
  ...[0x22, 0x2c, 0x3a, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d],
] as const

/** Behind the quote that ends a string; 0 where the text ends before. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at >= 0 && backslashesBefore(text, at, from) % 2 === 1) at = text.indexOf('"', at + 1)
  return at + 1
}

function backslashesBefore(text: string, at: number, from: number): number {
  let first = at
  while (first > from && text.charCodeAt(first - 1) === backslash) first--
  return at - first
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
