import { UsageError } from "../src/core/errors.ts"

/** The state of the scan of an array. */
type State = "start" | "element_or_end" | "element" | "inside" | "end"

/**
 * Cuts a JSON array into the texts of its elements without parsing them: it only follows strings and brackets, so that
 * a file of any length needs the memory of one element.
 *
 * @throws UsageError when the array is truncated, an element is longer than `maxChars`, or something follows the array.
 */
export async function* jsonElements(
  texts: AsyncIterable<string>,
  file: string,
  maxChars: number,
): AsyncGenerator<string> {
  let state = "start" as State
  let element = ""
  let depth = 0
  let inString = false
  let escaped = false
  let number = 1
  const fail = (what: string) => {
    throw new UsageError(what, { code: "bad_row", where: `${file}#${number}` })
  }

  for await (const text of texts) {
    let from = 0
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (state === "inside") {
        if (inString) {
          if (escaped) escaped = false
          else if (c === 92) escaped = true
          else if (c === 34) inString = false
          continue
        }
        if (c === 34) inString = true
        else if (c === 123 || c === 91) depth++
        else if (depth > 0 && (c === 125 || c === 93)) depth--
        else if (depth === 0 && (c === 44 || c === 93)) {
          yield element + text.slice(from, i)
          element = ""
          number++
          state = c === 44 ? "element" : "end"
        }
        continue
      }
      if (isSpace(c)) continue
      if (state === "start") state = "element_or_end"
      else if (state === "element_or_end" && c === 93) state = "end"
      else if (state === "end") fail("Something follows the JSON array")
      else if (c === 44 || c === 93) fail("An element of the JSON array is missing")
      else {
        state = "inside"
        from = i
        if (c === 34) inString = true
        else if (c === 123 || c === 91) depth = 1
      }
    }
    if (state === "inside") {
      element += text.slice(from)
      if (element.length > maxChars) fail(`A row is longer than ${maxChars} characters (maxLineBytes)`)
    }
  }
  if ((state as State) !== "end") fail("the JSON array is truncated")
}

function isSpace(c: number): boolean {
  return c === 32 || c === 10 || c === 13 || c === 9
}
