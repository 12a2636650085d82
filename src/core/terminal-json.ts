/**
 * A value as JSON that may be shown on a terminal: what JSON leaves as it is and a terminal obeys (C1 controls) is escaped, as is what other
 * languages take for the end of a line (U+2028, U+2029).
 *
 * @param indent blanks a level; absent: one line
 * @example terminalJson("\u009b31m") // '"\\u009b31m"'
 */
export function terminalJson(value: unknown, indent?: number): string {
  return escapedControls(JSON.stringify(value, null, indent))
}

/** The same of JSON that is a text already. */
export function escapedControls(json: string): string {
  return json.replace(/[\u007f-\u009f\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
