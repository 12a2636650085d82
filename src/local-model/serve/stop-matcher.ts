/** What may be sent of the text so far. */
export interface Released {
  readonly text: string
  /** A stop text was found; it and everything behind it are dropped. */
  readonly stopped: boolean
  /** Which it was, where one was found. */
  readonly by?: string
}

/** Looks for stop texts in a text that arrives in pieces, holding back what may be the head of one. */
export interface StopMatcher {
  push(piece: string): Released
  /** What was held back, when the text has ended by itself. */
  flush(): string
}

/** A matcher for these stop texts; empty ones are ignored. */
export function createStopMatcher(stops: readonly string[]): StopMatcher {
  const texts = stops.filter((stop) => stop !== "")
  let held = ""
  return {
    push(piece) {
      if (texts.length === 0) return { text: piece, stopped: false }
      const text = held + piece
      const matches = texts.map((stop) => ({ stop, at: text.indexOf(stop) })).filter(({ at }) => at >= 0)
      if (matches.length > 0) {
        held = ""
        const first = matches.reduce((best, match) => (match.at < best.at ? match : best))
        return { text: text.slice(0, first.at), stopped: true, by: first.stop }
      }
      const keep = Math.max(...texts.map((stop) => overlap(text, stop)))
      held = text.slice(text.length - keep)
      return { text: text.slice(0, text.length - keep), stopped: false }
    },
    flush() {
      const rest = held
      held = ""
      return rest
    },
  }
}

/** Length of the longest end of `text` that is a proper beginning of `stop`. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--) {
    if (text.endsWith(stop.slice(0, length))) return length
  }
  return 0
}
