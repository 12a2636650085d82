import type { EpisodeDesign, Said } from "../../core/episode/design.ts"
import { liveSteps, summarySteps, userTurns } from "../../core/episode/episode.ts"
import type { EpisodeStep, ModelStep, ToolStep } from "../../core/episode/step.ts"
import type { ChatMessage, ToolCall } from "../../core/message.ts"
import { isAnswered, isFailure, type Outcome } from "../../core/outcome.ts"
import type { SampleTurn } from "../../core/sample.ts"
import { episodeWords } from "../../words/run/episode.ts"

/** What an episode is made from, besides what has happened in it. */
export interface Script {
  readonly design: Pick<EpisodeDesign, "tools" | "maxSteps" | "history" | "answers" | "user">
  /** The prompt of the first turn, with what a simulated user said first where the sample says nothing. */
  opening(said: string | undefined): readonly ChatMessage[]
  /** What the sample says first; null where a simulated user does. */
  readonly first: string | null
  /** The turns of the user; empty where the opening is all that is said. */
  readonly turns: readonly SampleTurn[]
  /** Whether the conversation is over by what the tools left behind. */
  isDone?(): boolean
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
  /** Turns that are no longer shown are summed up: those that the last summary does not hold. */
  | {
      readonly kind: "summarise"
      readonly turn: number
      readonly until: number
      readonly before: string | null
      readonly said: readonly Said[]
    }
  /** The simulated user speaks. */
  | { readonly kind: "user"; readonly turn: number; readonly said: readonly Said[] }
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
  const { design } = script
  const exchanges = exchangesOf(steps)
  const user = userTurns(steps)
  const last = exchanges.at(-1)
  if (!last) {
    if (script.first === null && design.user && !user[0]) return { kind: "user", turn: 0, said: [] }
    return { kind: "ask", turn: 0, messages: messagesOf(script, exchanges, user, 0) }
  }
  const { turn, outcome, toolCalls } = last.step
  if (!isAnswered(outcome)) return { kind: "end", outcome }
  const isCalling = design.tools.length > 0 && toolCalls.length > 0
  const calls = isCalling ? openCalls(last) : []
  if (calls.length > 0) return { kind: "call", turn, asked: last.number, calls }
  const next = isCalling ? turn : turn + 1
  const over = isCalling ? null : speak(script, exchanges, user, last.step)
  if (over) return over
  const made = exchanges.filter(({ step }) => step.turn === next).length
  if (made >= design.maxSteps) return { kind: "end", outcome: "step_limit" }
  const summary = summarySteps(steps).at(-1) ?? null
  const until = firstShown(design, next)
  if (design.history !== "full" && design.history.summary && until > (summary?.until ?? 0)) {
    const said = fallenOut(script, exchanges, user, summary?.until ?? 0, until)
    return { kind: "summarise", turn: next, until, before: summary?.text ?? null, said }
  }
  return { kind: "ask", turn: next, messages: messagesOf(script, exchanges, user, next, summary?.text) }
}

/** The first turn that is shown for the next answer to a turn. */
function firstShown({ history }: Script["design"], turn: number): number {
  return history === "full" ? 0 : Math.max(0, turn - history.last)
}

/** What was said in these turns, as the variant was shown it, with what tools returned. */
function fallenOut(
  script: Script,
  exchanges: readonly Exchange[],
  user: UserTurns,
  from: number,
  until: number,
): readonly Said[] {
  const said: Said[] = []
  for (let turn = from; turn < until; turn++) {
    said.push({ who: "user", text: turn === 0 ? (script.first ?? user[0]?.text ?? "") : wordsOf(script, user, turn) })
    const reference = script.design.answers === "reference" ? script.turns[turn]?.references[0] : undefined
    const own = exchanges.filter(({ step }) => step.turn === turn).flatMap(transcriptOf)
    const texts = reference === undefined ? own : [reference]
    for (const text of texts) said.push({ who: "assistant", text })
  }
  return said
}

/** What an answer said and what its calls brought, a text each. */
function transcriptOf({ step, ends }: Exchange): readonly string[] {
  const results = ends
    .toSorted((a, b) => a.place - b.place)
    .map(({ name, arguments: values, result }) => `(called ${name} ${JSON.stringify(values)}: ${result})`)
  return [step.text, ...results].filter((text) => text !== "")
}

type UserTurns = ReturnType<typeof userTurns>

/** What comes when a turn is answered and the sample has no other; null where the next turn of the user is known. */
function speak(
  script: Script,
  exchanges: readonly Exchange[],
  user: UserTurns,
  { turn, outcome }: ModelStep,
): NextAction | null {
  const { design, turns } = script
  if (turn + 1 < turns.length) return null
  if (!design.user) return { kind: "end", outcome }
  const next = user[turn + 1]
  if (next) return next.isOver ? { kind: "end", outcome } : null
  if (script.isDone?.()) return { kind: "end", outcome }
  if (turn + 1 >= design.user.maxTurns) return { kind: "end", outcome: "turn_limit" }
  return { kind: "user", turn: turn + 1, said: saidSoFar(script, exchanges, user, turn) }
}

/** Turn by turn what the user said, and the last answer to it. */
function saidSoFar(script: Script, exchanges: readonly Exchange[], user: UserTurns, until: number): readonly Said[] {
  return Array.from({ length: until + 1 }, (_, turn) => turn).flatMap((turn): Said[] => {
    const answer = exchanges.findLast(({ step }) => step.turn === turn)
    return [
      { who: "user", text: turn === 0 ? (script.first ?? user[0]?.text ?? "") : wordsOf(script, user, turn) },
      ...(answer ? [{ who: "assistant" as const, text: answer.step.text }] : []),
    ]
  })
}

function wordsOf({ turns }: Script, user: UserTurns, turn: number): string {
  return turns[turn]?.content ?? user[turn]?.text ?? ""
}

function exchangesOf(steps: readonly EpisodeStep[]): readonly Exchange[] {
  const live = liveSteps(steps)
  return live.flatMap(({ number, step }) => {
    if (step.kind !== "model" || isFailure(step.outcome)) return []
    const ends = live.flatMap(({ step: ended }) => (ended.kind === "tool" && ended.asked === number ? [ended] : []))
    return [{ number, step, ends }]
  })
}

function openCalls({ step, ends }: Exchange): readonly { readonly place: number; readonly call: ToolCall }[] {
  const ended = new Set(ends.filter(({ outcome }) => outcome !== "begun").map(({ place }) => place))
  return step.toolCalls.flatMap((call, index) => (ended.has(index) ? [] : [{ place: index, call }]))
}

/** What is sent for the next answer to a turn. */
function messagesOf(
  script: Script,
  exchanges: readonly Exchange[],
  user: UserTurns,
  turn: number,
  summary?: string,
): ChatMessage[] {
  const { design, turns } = script
  const opening = script.opening(user[0]?.text)
  const asked = opening.findLastIndex(({ role }) => role === "user")
  const from = asked < 0 ? opening.length : asked
  const first = firstShown(design, turn)
  const messages = opening.slice(0, from)
  for (let i = first; i <= turn; i++) {
    if (i === 0) messages.push(...opening.slice(from))
    else messages.push({ role: "user", content: `${summed(i === first ? summary : "")}${wordsOf(script, user, i)}` })
    const reference = i < turn && design.answers === "reference" ? turns[i]?.references[0] : undefined
    if (reference !== undefined) messages.push({ role: "assistant", content: reference })
    else for (const exchange of exchanges) if (exchange.step.turn === i) messages.push(...said(exchange, design))
  }
  return messages
}

/** Before the first words that are shown, so that roles take turns as every service wants them. */
function summed(summary = ""): string {
  return summary === "" ? "" : episodeWords.before(summary)
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
