import type { Answer } from "../../core/generation.ts"
import { asList, asMembers } from "../../core/json-members.ts"
import { textEvents } from "../../perf/event-tokens.ts"
import { isBurst, readsOf } from "../../perf/reads.ts"
import { impossibleCountsNote } from "../../words/impossible-counts.ts"

/** What a session's answers show of their endpoint: counts that cannot be true and what had to be assumed, thinking in the text, clumps. */
export interface AnswerNotes {
  add(answer: Answer): void
  list(): readonly string[]
}

/** A stream that came in clumps now and then is the network's; of so many, most must have. */
const minClumped = 3

/** Nothing is known of an endpoint yet. */
export function createAnswerNotes(): AnswerNotes {
  const notes = new Set<string>()
  const streams = { all: 0, clumped: 0 }
  return {
    add(answer) {
      for (const note of usageNotes(answer)) notes.add(note)
      if (hasThinkingInText(answer)) notes.add(`thinking: ${thinkingInText}`)
      streams.all++
      if (isClumped(answer)) streams.clumped++
    },
    list() {
      const isUsual = streams.clumped >= minClumped && streams.clumped * 2 > streams.all
      return [...notes, ...(isUsual ? [`stream: ${clumpsOnTheWay}`] : [])]
    },
  }
}

function usageNotes({ server }: Answer): readonly string[] {
  const unusable = asList(asMembers(server)?.unusableUsage).map(String)
  const assumed = asList(asMembers(server)?.assumedUsage).map((assumption) => `usage: ${String(assumption)}`)
  if (unusable.length === 0) return assumed
  return [impossibleCountsNote(unusable), ...assumed]
}

/** For people: see {@link hasThinkingInText}. */
export const thinkingInText =
  "it stands in the text of answers (<think>), and is scored and timed as a part of them; a reasoning parser of the server takes it out (vLLM: --reasoning-parser, llama.cpp: --reasoning-format)"

const thinkingTags = /^\s*(?:<(?:think|thinking|thought|reasoning)>|◁think▷)|<\/think(?:ing)?>/i

/** Whether an answer's text holds the tags between which models think: a prompt's template may have written the first of them. */
export function hasThinkingInText({ text }: Pick<Answer, "text">): boolean {
  return thinkingTags.test(text)
}

/** For people: see {@link isClumped}. */
export const clumpsOnTheWay =
  "chunks are held back on their way (by a gateway that buffers) and come in clumps: the time to the first token holds what was written meanwhile, and times between tokens are those between clumps or unknown"

/** Of fewer chunks, or of a shorter answer, nothing is said: one packet may hold them. */
const minChunks = 8
const minAnswerMs = 100
const chunksOfClump = 4

/** Whether a stream came in clumps: one read brought four chunks or more on average, or nearly all came at the end. */
export function isClumped({ log }: Pick<Answer, "log">): boolean {
  const events = textEvents(log)
  const last = events.at(-1)
  if (log.endOnly || last === undefined || events.length < minChunks) return false
  const e2eMs = last.atMs - log.sendMs
  const reads = readsOf(
    events,
    events.map(() => 1),
  )
  return e2eMs >= minAnswerMs && (reads.length * chunksOfClump <= events.length || isBurst(reads, e2eMs))
}
