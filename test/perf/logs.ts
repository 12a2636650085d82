import type { Generation } from "evalkit"
import type { RequestLog, StreamEvent, StreamEventKind } from "evalkit/providers"
import { unknownUsage } from "evalkit/providers"
import { fakeGeneration } from "../support/fake-provider.ts"

/** A log whose text events arrive at the given times, 4 bytes a token. */
export function logOf(
  events: readonly { readonly atMs: number; readonly tokens?: number; readonly kind?: StreamEventKind }[],
  stamps: { readonly scheduledMs?: number; readonly sendMs?: number; readonly endMs?: number } = {},
): RequestLog {
  const sendMs = stamps.sendMs ?? 0
  return {
    scheduledMs: stamps.scheduledMs ?? sendMs,
    sendMs,
    connectMs: null,
    headersMs: null,
    events: events.map(
      ({ atMs, tokens = 1, kind = "content" }): StreamEvent => ({ atMs, kind, tokens: null, bytes: 4 * tokens }),
    ),
    endMs: stamps.endMs ?? events.at(-1)?.atMs ?? sendMs,
  }
}

/** 64 tokens, one each 20 ms from 200 ms on, handed over in chunks of ten: the worked example. */
export const workedExample: RequestLog = logOf(
  [380, 580, 780, 980, 1180, 1380, 1460].map((atMs, i) => ({ atMs, tokens: i < 6 ? 10 : 4 })),
)

/** A generation around a log; answered and measured unless told otherwise. */
export function generationOf(log: RequestLog, changes: Partial<Generation> = {}): Generation {
  return fakeGeneration("", { usage: unknownUsage, log, sampleId: "1", ...changes })
}
