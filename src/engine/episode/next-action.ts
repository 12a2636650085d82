import type { EpisodeDesign } from "../../core/episode/design.ts"
import { liveSteps } from "../../core/episode/episode.ts"
import type { EpisodeStep, ModelStep, ToolStep } from "../../core/episode/step.ts"
import type { ChatMessage, ToolCall } from "../../core/message.ts"
import { isAnswered, isFailure, type Outcome } from "../../core/outcome.ts"
import type { SampleTurn } from "../../core/sample.ts"

/** What an episode is made from, besides what has happened in it. */
export interface Script {
  readonly design: Pick<EpisodeDesign, "tools" | "maxSteps" | "history" | "answers">
  /** The prompt of the first turn. */
  readonly opening: readonly ChatMessage[]
  /** The turns of the user; empty where the opening is all that is said. */
  readonly turns: readonly SampleTurn[]
}

/** What comes next in an episode. */
export type NextAction =
  | { readonly kind: "ask"; readonly turn: number; readonly messages: readonly ChatMessage[] }
  | {
      readonly kind: "call"
      readonly turn: number
      /** Number of the step that asked for the calls, and those of them that have no end on record. */
      readonly asked: number
      readonly calls: readonly { readonly place: number; readonly call: ToolCall }[]
    }
  | { readonly kind: "end"; readonly outcome: Outcome }

/** An answer of the model with its number, and the ends of the calls that it asked for. */
interface Exchange {
  readonly number: number
  readonly step: ModelStep
  readonly ends: readonly ToolStep[]
}

/**
 * What comes next, from what has happened and nothing else: an episode that goes on in another process goes on as it would have.
 * Answers that failed are as if they had not been asked for.
 */
export function nextAction(script: Script, steps: readonly EpisodeStep[]): NextAction {
  const { design, turns } = script
  const exchanges = exchangesOf(steps)
  const last = exchanges.at(-1)
  if (!last) return { kind: "ask", turn: 0, messages: messagesOf(script, exchanges, 0) }
  const { turn, outcome, toolCalls } = last.step
  if (!isAnswered(outcome)) return { kind: "end", outcome }
  const isCalling = design.tools.length > 0 && toolCalls.length > 0
  const calls = isCalling ? openCalls(last) : []
  if (calls.length > 0) return { kind: "call", turn, asked: last.number, calls }
  if (!isCalling && turn + 1 >= turns.length) return { kind: "end", outcome }
  const next = isCalling ? turn : turn + 1
  const made = exchanges.filter(({ step }) => step.turn === next).length
  if (made >= design.maxSteps) return { kind: "end", outcome: "step_limit" }
  return { kind: "ask", turn: next, messages: messagesOf(script, exchanges, next) }
}

function exchangesOf(steps: readonly EpisodeStep[]): readonly Exchange[] {
  const live = liveSteps(steps)
  return live.flatMap(({ number, step }) => {
    if (step.kind !== "model" || isFailure(step.outcome)) return []
    const ends = live.flatMap(({ step: one }) => (one.kind === "tool" && one.asked === number ? [one] : []))
    return [{ number, step, ends }]
  })
}

function openCalls({ step, ends }: Exchange): readonly { readonly place: number; readonly call: ToolCall }[] {
  const ended = new Set(ends.filter(({ outcome }) => outcome !== "begun").map(({ place }) => place))
  return step.toolCalls.flatMap((call, place) => (ended.has(place) ? [] : [{ place, call }]))
}

/** What is sent for the next answer to a turn. */
function messagesOf({ design, opening, turns }: Script, exchanges: readonly Exchange[], turn: number): ChatMessage[] {
  const asked = opening.findLastIndex(({ role }) => role === "user")
  const from = asked < 0 ? opening.length : asked
  const first = design.history === "full" ? 0 : Math.max(0, turn - design.history.last)
  const messages = opening.slice(0, from)
  for (let one = first; one <= turn; one++) {
    if (one === 0) messages.push(...opening.slice(from))
    else messages.push({ role: "user", content: turns[one]?.content ?? "" })
    const reference = one < turn && design.answers === "reference" ? turns[one]?.references[0] : undefined
    if (reference !== undefined) messages.push({ role: "assistant", content: reference })
    else for (const exchange of exchanges) if (exchange.step.turn === one) messages.push(...said(exchange, design))
  }
  return messages
}

/** Calls without a result are not shown: services refuse them. */
function said({ step, ends }: Exchange, { tools }: Script["design"]): readonly ChatMessage[] {
  const { text, toolCalls } = step
  if (tools.length === 0 || toolCalls.length === 0) return [{ role: "assistant", content: text }]
  const results = ends.toSorted((a, b) => a.place - b.place)
  return [
    { role: "assistant", content: text, toolCalls },
    ...results.map(({ result, id }): ChatMessage => ({ role: "tool", content: result, toolCallId: id })),
  ]
}
