/** An object of a text, and where its source stands in it. */
export interface JsonObjectAt {
  readonly members: Readonly<Record<string, unknown>>
  readonly start: number
  readonly end: number
}

/** Opening braces that are tried, at most: a text of only braces must not take long. */
const maxBraces = 100

/**
 * Every outermost JSON object of a text, by matching braces outside strings. An object whose strings hold line breaks or LaTeX as models
 * write it (`"\(x\)"`) is read, too. Inside of braces that are no JSON, objects are looked for, too.
 */
export function jsonObjectsAt(text: string): readonly JsonObjectAt[] {
  return scanObjects(text, false).objects
}

/**
 * The outermost objects of a text.
 *
 * @param stopsAtBroken what begins as an object but is broken or cut off is passed over whole, and said: what stands inside of it may be quoted
 */
export function scanObjects(
  text: string,
  stopsAtBroken: boolean,
): { readonly objects: readonly JsonObjectAt[]; readonly isBroken: boolean } {
  const objects: JsonObjectAt[] = []
  for (let start = text.indexOf("{"), tried = 0; start !== -1 && tried < maxBraces; tried++) {
    const end = endOfObject(text, start)
    const members = end === -1 ? null : parseObject(text.slice(start, end))
    if (members) objects.push({ members, start, end })
    else if (stopsAtBroken && /^\{\s{0,50}(?:["'“]|\w{1,50}\s{0,20}:)/.test(text.slice(start, start + 130)))
      return { objects, isBroken: true }
    start = text.indexOf("{", members ? end : start + 1)
  }
  return { objects, isBroken: false }
}

function endOfObject(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let i = start; i < text.length; i++) {
    const character = text[i]
    if (inString) {
      if (character === "\\") i++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === "{") depth++
    else if (character === "}" && --depth === 0) return i + 1
  }
  return -1
}

function parseObject(source: string): Readonly<Record<string, unknown>> | null {
  for (const text of [source, withEscapes(source)]) {
    try {
      const value = JSON.parse(text) as unknown
      return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : null
    } catch {}
  }
  return null
}

/** With line breaks as blanks, and backslashes that begin no escape as themselves. */
function withEscapes(source: string): string {
  return source.replace(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|[\\\n\r\t]/g, (match) =>
    match === "\\" ? "\\\\" : match.length === 1 ? " " : match,
  )
}
