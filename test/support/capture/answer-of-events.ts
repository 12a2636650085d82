import type { Exchange } from "../../../src/capture/exchange.ts"
import { type ReadEvents, readAnswer } from "../../../src/capture/read-answer.ts"
import type { Answer } from "../../../src/core/generation.ts"
import { redactSecrets } from "../../../src/text/secrets.ts"

/** The answer of a body in pieces, one each 20 ms from 100 ms on. */
export function answerOfPieces(
  pieces: readonly (string | Uint8Array)[],
  read?: ReadEvents,
  { maxTokens, ...rest }: Partial<Exchange> & { readonly maxTokens?: number } = {},
): Answer {
  const exchange: Exchange = {
    ...{ sendMs: 0, connectMs: null, headersMs: 5, endMs: 100 + 20 * pieces.length, status: 200, interruption: null },
    headers: new Map([["content-type", "text/event-stream"]]),
    chunks: pieces.map((piece) => Buffer.from(piece as string)),
    stampsMs: pieces.map((_, i) => 100 + 20 * i),
    ...rest,
  }
  return readAnswer(exchange, {
    ...{ scheduledMs: 0, originMs: 0, promisedJson: false, transport: "undici", redact: redactSecrets, wallMs: 0 },
    ...(read && { read }),
    maxTokens,
  })
}

/** The answer of a stream of these events, texts or JSON, one each 20 ms from 100 ms on. */
export function answerOfEvents(
  events: readonly unknown[],
  read?: ReadEvents,
  rest: Parameters<typeof answerOfPieces>[2] = {},
): Answer {
  const pieces = events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
  return answerOfPieces(pieces, read, rest)
}
