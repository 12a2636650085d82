const lineFeed = 10
const carriageReturn = 13

/** Cuts a body into its events, however it was cut into chunks. */
export interface EventCutter {
  /** The events that end in this chunk, each with its blank line; what follows is kept for the next chunk. */
  add(chunk: Uint8Array): readonly Uint8Array[]
  /** What stood after the last blank line; empty when nothing did. */
  rest(): Uint8Array
}

/**
 * Cuts server-sent events at their blank lines (LF, CR or CRLF). Every byte is looked at once, so that a burst of many events
 * and a large event in many chunks both cost linear time.
 *
 * @example createEventCutter().add(Buffer.from("data: a\n\ndata: b\n\nda")).length // 2
 */
export function createEventCutter(): EventCutter {
  let held: Uint8Array[] = []
  /** Line ends in a row, and whether the last byte was a CR, whose LF may still come. */
  let lineEnds = 0
  let afterReturn = false

  const take = (last: Uint8Array): Uint8Array => {
    if (held.length === 0) return last
    const whole = Buffer.concat([...held, last])
    held = []
    return whole
  }

  return {
    add(chunk) {
      const events: Uint8Array[] = []
      let start = 0
      const cut = (end: number): void => {
        events.push(take(chunk.subarray(start, end)))
        start = end
        lineEnds = 0
      }
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]
        if (byte === lineFeed) {
          if (!afterReturn) lineEnds++
          afterReturn = false
          if (lineEnds >= 2) cut(i + 1)
        } else if (byte === carriageReturn) {
          lineEnds++
          afterReturn = true
        } else {
          if (lineEnds >= 2) cut(i)
          lineEnds = 0
          afterReturn = false
        }
      }
      if (start < chunk.length) held.push(chunk.subarray(start))
      return events
    },
    rest: () => take(new Uint8Array(0)),
  }
}
