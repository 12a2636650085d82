/**
 * How long the end of a body is waited for behind its `[DONE]`, in milliseconds. Gateways keep the connection open for a minute; a server
 * that ends the body does so with the same write or the next.
 */
export const doneGraceMs = 10

/** A connection whose answer is over is read on for so long, so that it can be used again. */
export const lingerMs = 1000

/** Behind a finish reason and token counts, a stream is silent for so long before it counts as over. */
export const silenceMs = 1000

const [lineFeed, carriageReturn, space, closingBracket, colon] = [10, 13, 32, 93, 58]
const marker = Buffer.from("[DONE]")

/** Whether a body ends with the event `[DONE]`, so far. */
export function endsWithDone(bytes: Uint8Array, length: number): boolean {
  let end = length
  while (end > 0 && isBlank(bytes[end - 1] as number)) end--
  // Nearly every read ends here.
  if (bytes[end - 1] !== closingBracket || end === length) return false
  let at = end - marker.length
  if (at < 0 || marker.some((byte, i) => bytes[at + i] !== byte)) return false
  while (at > 0 && bytes[at - 1] === space) at--
  return bytes[at - 1] === colon
}

function isBlank(byte: number): boolean {
  return byte === lineFeed || byte === carriageReturn || byte === space
}
