import type { StreamEvent } from "../../core/request-log.ts"
import type { Usage } from "../../core/usage.ts"

/** How many tokens each chunk brought, by a server that states with each how many there are by now. */
export interface RunningTokens {
  /** Takes what the server states behind the events so far. */
  note(usage: Usage): void
  /** Writes the tokens of each event, where the counts can be true. */
  finish(usage: Usage): void
}

/**
 * Follows the running counts of a stream (vLLM's and SGLang's `continuous_usage_stats`, MiniMax): their differences are the server's own word on
 * what each chunk held. Thinking that was not streamed lies before the first.
 *
 * @param events of the stream, which are written over
 */
export function createRunningTokens(events: StreamEvent[]): RunningTokens {
  const counts: { readonly length: number; readonly tokens: number }[] = []
  return {
    note({ completionTokens }) {
      if (completionTokens !== null) counts.push({ length: events.length, tokens: completionTokens })
    },
    finish({ completionTokens, reasoningTokens }) {
      const shows = (kind: StreamEvent["kind"]): boolean =>
        kind === "content" || kind === "reasoning" || kind === "tool"
      const texts = events.flatMap(({ kind, bytes }, index) => (bytes > 0 && shows(kind) ? [index] : []))
      if (completionTokens === null || texts.length < 2) return
      const hidden = texts.some((index) => events[index]?.kind === "reasoning") ? 0 : (reasoningTokens ?? 0)
      const shares: number[] = []
      let before = hidden
      for (const [i, index] of texts.entries()) {
        const next = texts[i + 1] ?? Number.POSITIVE_INFINITY
        const stated = counts.filter(({ length }) => length > index && length <= next).at(-1)
        // Two events of one chunk share its count: the first has none of its own.
        const tokens = stated?.tokens ?? (events[next]?.atMs === events[index]?.atMs ? before : null)
        if (tokens === null || tokens < before || tokens > completionTokens) return
        shares.push(tokens - before)
        before = tokens
      }
      if ((shares[0] ?? 0) === 0 || shares.slice(1).every((share) => share === 0)) return
      for (const [i, index] of texts.entries()) {
        const event = events[index] as StreamEvent
        events[index] = { ...event, tokens: event.tokens ?? (shares[i] as number) }
      }
    },
  }
}
