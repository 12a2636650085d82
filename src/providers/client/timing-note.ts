/** What the stamps of somebody else's client are, as a note of the session. */
export function timingNote(library: string): string {
  return `timings: taken where ${library} hands on each part; connection, headers and bytes on the wire are not known`
}
