import type { Attempt, Generation } from "../core/generation.ts"
import { readGivenText } from "../core/given-text.ts"
import type { RequestLog, Stage, StreamEvent, StreamEventKind } from "../core/request-log.ts"

/** Kinds by their number in a stored event. Append only. */
const eventKinds: readonly StreamEventKind[] = ["role", "reasoning", "content", "tool", "usage", "error", "done"]

/** `[atMs, kind, tokens, bytes]`: a streamed answer has one event per token, so their keys are not written. */
type PackedEvent = readonly [number, number, number | null, number]

/** The JSON text of a generation as it is stored: events packed, stamps to the microsecond. */
export function encodeGeneration(generation: Generation): string {
  return JSON.stringify({
    ...generation,
    log: packLog(generation.log),
    retries: generation.retries.map(packAttempt),
  })
}

/** The inverse of {@link encodeGeneration}. */
export function decodeGeneration(text: string): Generation {
  const stored = JSON.parse(text) as Generation
  return {
    ...readGivenText(stored),
    log: unpackLog(stored.log),
    retries: stored.retries.map(unpackAttempt),
  }
}

/** The JSON text of an attempt, in the same way. */
export function encodeAttempt(attempt: Attempt): string {
  return JSON.stringify(packAttempt(attempt))
}

/** The inverse of {@link encodeAttempt}. */
export function decodeAttempt(text: string): Attempt {
  return unpackAttempt(JSON.parse(text) as Attempt)
}

const packAttempt = (attempt: Attempt) => ({ ...attempt, log: packLog(attempt.log) })

const unpackAttempt = (attempt: Attempt): Attempt => ({ ...attempt, log: unpackLog(attempt.log) })

const microseconds = (ms: number): number => Math.round(ms * 1000) / 1000

function packLog(log: RequestLog) {
  return {
    scheduledMs: microseconds(log.scheduledMs),
    sendMs: microseconds(log.sendMs),
    connectMs: log.connectMs === null ? null : microseconds(log.connectMs),
    headersMs: log.headersMs === null ? null : microseconds(log.headersMs),
    endMs: microseconds(log.endMs),
    ...(log.stalledMs ? { stalledMs: microseconds(log.stalledMs) } : {}),
    ...(log.stages && { stages: log.stages.map(packStage) }),
    events: log.events.map(
      (event): PackedEvent => [microseconds(event.atMs), eventKinds.indexOf(event.kind), event.tokens, event.bytes],
    ),
  }
}

function packStage({ name, startMs, endMs }: Stage): Stage {
  return { name, startMs: microseconds(startMs), endMs: microseconds(endMs) }
}

function unpackLog(log: RequestLog): RequestLog {
  const packed = log.events as unknown as readonly PackedEvent[]
  return {
    ...log,
    events: packed.map(
      ([atMs, kind, tokens, bytes]): StreamEvent => ({ atMs, kind: eventKinds[kind] ?? "error", tokens, bytes }),
    ),
  }
}
