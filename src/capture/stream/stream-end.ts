/**
 * How long the end of a body is waited for behind its last event, in milliseconds. Gateways keep the connection open for a minute; a server
 * that ends the body does so with the same write or the next.
 */
export const doneGraceMs = 10

/** A connection whose answer is over is read on for so long, so that it can be used again. */
export const lingerMs = 1000

/** Behind a finish reason and token counts, a stream is silent for so long before it counts as over. */
export const silenceMs = 1000

const [lineFeed, carriageReturn, space, quote, closingBracket, colon, closingBrace] = [10, 13, 32, 34, 93, 58, 125]
const [letterE, letterT] = [101, 116]
const marker = Buffer.from("[DONE]")

/** The last events of interfaces without `[DONE]`: of Anthropic, Cohere and the Responses API. */
const lastEvent =
  /^(?:event: ?|data: ?\{"type": ?")(?:message_stop|message-end|response\.(?:completed|incomplete|failed|cancelled))["\r\n]/

/** Whether a body ends with the event that is the last of its interface, so far: `[DONE]`, or one of {@link lastEvent}. */
export function endsWithMark(bytes: Uint8Array, length: number): boolean {
  let end = length
  while (end > 0 && isBlank(bytes[end - 1] as number)) end--
  if (end === length) return false
  if (bytes[end - 1] === closingBrace) return length - end > 1 && isLastEvent(bytes, end)
  if (bytes[end - 1] === quote) end--
  if (bytes[end - 1] !== closingBracket) return false
  let at = end - marker.length
  if (at < 0 || marker.some((byte, i) => bytes[at + i] !== byte)) return false
  while (at > 0 && (bytes[at - 1] === space || bytes[at - 1] === quote)) at--
  return bytes[at - 1] === colon
}

/** Looks at the beginning of the last event: nearly every read ends with one, so that it makes no text of those that cannot be the last. */
function isLastEvent(bytes: Uint8Array, end: number): boolean {
  let head = end - 1
  while (head > 0 && !(bytes[head - 1] === lineFeed && isLineEnd(bytes, head - 2))) head--
  const isNamed = bytes[head] === letterE
  const member = head + (bytes[head + 5] === space ? 8 : 7)
  if (!isNamed && bytes[member] !== letterT) return false
  return lastEvent.test(Buffer.from(bytes.buffer, bytes.byteOffset + head, Math.min(60, end - head)).toString("latin1"))
}

/** Whether a line ends there: in front of a line feed, an empty line then follows. */
function isLineEnd(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at - 1] === lineFeed)
}

function isBlank(byte: number): boolean {
  return byte === lineFeed || byte === carriageReturn || byte === space
}

/** Whether an event's data says no more than that the stream is over: `[DONE]`, and as gateways write it over. */
export function isDone(data: string): boolean {
  return data.startsWith("[DONE]") || (data.length < 16 && /^\s*["']?\[?done\]?["']?\s*$/i.test(data))
}
