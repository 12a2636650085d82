import type { Episode } from "../core/episode/episode.ts"
import type { EpisodeStep, ModelStep } from "../core/episode/step.ts"
import type { Answer, Attempt, Generation, TokenLogprob } from "../core/generation.ts"
import type { RequestLog, Stage, StreamEvent, StreamEventKind } from "../core/request-log.ts"
import { answerFacts } from "../perf/answer-facts.ts"
import { episodeLog, episodeRetries } from "../perf/episode/episode-log.ts"
import { encodeFacts } from "./facts-codec.ts"
import { encodeLogprobs } from "./logprobs-codec.ts"

/** Kinds by their number in a stored event. Append only. */
const eventKinds: readonly StreamEventKind[] = ["role", "reasoning", "content", "tool", "usage", "error", "done"]

/** `[atMs, kind, tokens, bytes]`: a streamed answer has one event per token, so their keys are not written. */
type PackedEvent = readonly [number, number, number | null, number]

type PackedAttempt = Omit<Attempt, "log"> & { readonly log: PackedLog }

type PackedModelStep = Omit<ModelStep, "log" | "retries"> & {
  readonly log: PackedLog
  readonly retries: readonly PackedAttempt[]
}

type PackedStep = PackedModelStep | Exclude<EpisodeStep, ModelStep>

type PackedEpisode = Omit<Episode, "steps"> & { readonly steps: readonly PackedStep[] }

type PackedGeneration = Omit<Generation, "log" | "retries" | "refused" | "episode"> & {
  readonly episode?: PackedEpisode
  readonly log: PackedLog
  readonly retries: readonly PackedAttempt[]
  readonly refused?: readonly PackedAttempt[]
}

type PackedLog = Omit<RequestLog, "events"> & { readonly events: readonly PackedEvent[] }

/** An answer as it is stored: log-probabilities apart, so that whoever does not need them does not read them. */
export interface StoredAnswer {
  /** JSON text. */
  readonly data: string
  /** See `logprobs-codec.ts`; null where there are none. */
  readonly logprobs: Uint8Array | null
}

/** A generation as it is stored. */
export interface StoredGeneration extends StoredAnswer {
  /** What comparisons read of it; see `facts-codec.ts`. */
  readonly facts: string
}

/** A generation as it is stored: events packed, stamps to the microsecond, log-probabilities apart. */
export function encodeGeneration(generation: Generation): StoredGeneration {
  if (generation.episode) return encodeEpisode(generation, generation.episode)
  const log = packLog(generation.log)
  const answer = encodeAnswer({
    ...generation,
    log,
    retries: generation.retries.map(packAttempt),
    ...(generation.refused && { refused: generation.refused.map(packAttempt) }),
  })
  // Of the stamps as they are kept: whoever derives them again finds the same.
  return { ...answer, facts: encodeFacts(answerFacts({ ...generation, log: unpackLog(log) })) }
}

/** Log and attempts of an episode are made of its steps again, when it is read. */
function encodeEpisode(generation: Generation, { steps, ...episode }: Episode): StoredGeneration {
  const packed = steps.map(packStep)
  const log = episodeLog(packed.map(unpackStep), episode.turns, generation.log.sendMs)
  const answer = encodeAnswer({
    ...generation,
    log: packLog({ ...log, events: [] }),
    retries: [],
    episode: { ...episode, steps: packed },
  })
  return { ...answer, facts: encodeFacts(answerFacts({ ...generation, log })) }
}

/** The JSON text of a step. */
export function encodeStep(step: EpisodeStep): string {
  return JSON.stringify(packStep(step))
}

/** The inverse of {@link encodeStep}. */
export function decodeStep(text: string): EpisodeStep {
  return unpackStep(JSON.parse(text) as PackedStep)
}

function packStep(step: EpisodeStep): PackedStep {
  if (step.kind === "restart" || step.kind === "user" || step.kind === "summary") return step
  if (step.kind === "tool") return { ...step, startMs: microseconds(step.startMs), endMs: microseconds(step.endMs) }
  return { ...step, log: packLog(step.log), retries: step.retries.map(packAttempt) }
}

function unpackStep(step: PackedStep): EpisodeStep {
  return step.kind === "model" ? { ...step, log: unpackLog(step.log), retries: step.retries.map(unpackAttempt) } : step
}

/** An answer as it is stored, log-probabilities apart. */
export function encodeAnswer<Encoded extends Pick<Answer, "logprobs">>(answer: Encoded): StoredAnswer {
  const { logprobs } = answer
  return {
    data: JSON.stringify({ ...answer, logprobs: null }),
    logprobs: logprobs && encodeLogprobs(logprobs),
  }
}

/**
 * The inverse of {@link encodeGeneration}.
 *
 * @param load reads the log-probabilities, at every look at them; null where there are none
 */
export function decodeGeneration(text: string, load: (() => readonly TokenLogprob[]) | null): Generation {
  const stored = JSON.parse(text) as PackedGeneration
  const { refused, episode } = stored
  // The object that was just read is completed, not copied: a large run reads hundreds of thousands.
  const generation: Generation = Object.assign(stored, {
    ...(episode
      ? unpackEpisode(episode, stored.log)
      : { log: unpackLog(stored.log), retries: stored.retries.map(unpackAttempt) }),
    ...(refused && { refused: refused.map(unpackAttempt) }),
  })
  if (load) Object.defineProperty(generation, "logprobs", { get: load, enumerable: true, configurable: true })
  return generation
}

function unpackEpisode(packed: PackedEpisode, { sendMs }: PackedLog): Pick<Generation, "episode" | "log" | "retries"> {
  const episode: Episode = { ...packed, steps: packed.steps.map(unpackStep) }
  return {
    episode,
    log: episodeLog(episode.steps, episode.turns, sendMs),
    retries: episodeRetries(episode.steps),
  }
}

/** The JSON text of an attempt, in the same way. */
export function encodeAttempt(attempt: Attempt): string {
  return JSON.stringify(packAttempt(attempt))
}

/** The inverse of {@link encodeAttempt}. */
export function decodeAttempt(text: string): Attempt {
  return unpackAttempt(JSON.parse(text) as PackedAttempt)
}

const packAttempt = (attempt: Attempt): PackedAttempt => ({ ...attempt, log: packLog(attempt.log) })

const unpackAttempt = (attempt: PackedAttempt): Attempt => ({ ...attempt, log: unpackLog(attempt.log) })

const microseconds = (ms: number): number => Math.round(ms * 1000) / 1000

function packLog(log: RequestLog): PackedLog {
  return {
    scheduledMs: microseconds(log.scheduledMs),
    sendMs: microseconds(log.sendMs),
    connectMs: log.connectMs === null ? null : microseconds(log.connectMs),
    headersMs: log.headersMs === null ? null : microseconds(log.headersMs),
    endMs: microseconds(log.endMs),
    events: log.events.map(
      (event): PackedEvent => [microseconds(event.atMs), eventKinds.indexOf(event.kind), event.tokens, event.bytes],
    ),
    ...(log.stalledMs ? { stalledMs: microseconds(log.stalledMs) } : {}),
    ...(log.rateLimitWaitMs ? { rateLimitWaitMs: microseconds(log.rateLimitWaitMs) } : {}),
    ...(log.outageWaitMs ? { outageWaitMs: microseconds(log.outageWaitMs) } : {}),
    ...(log.endOnly && { endOnly: true as const }),
    ...(log.stages && { stages: log.stages.map(packStage) }),
  }
}

function packStage({ name, startMs, endMs }: Stage): Stage {
  return { name, startMs: microseconds(startMs), endMs: microseconds(endMs) }
}

function unpackLog(log: PackedLog): RequestLog {
  return {
    ...log,
    events: log.events.map(
      ([atMs, kind, tokens, bytes]): StreamEvent => ({ atMs, kind: eventKinds[kind] ?? "error", tokens, bytes }),
    ),
  }
}
