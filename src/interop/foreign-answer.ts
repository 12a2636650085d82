import { failWhenNothingBegan } from "../calls/length-empty.ts"
import { bareAnswer } from "../core/bare-answer.ts"
import type { Cost } from "../core/cost.ts"
import type { ForeignAnswer } from "../core/foreign/foreign-log.ts"
import { logOfFigures } from "../core/foreign/log-of-figures.ts"
import type { Failure } from "../core/generation.ts"
import type { ToolCall } from "../core/message.ts"
import type { Outcome } from "../core/outcome.ts"
import { endOfFinish, type FinishedAnswer, isFinish } from "../core/run/finish-reason.ts"
import { type Usage, unknownUsage } from "../core/usage.ts"
import { withoutThinking } from "../text/reading/without-thinking.ts"

/** What a tool kept of an answer; what is left out is unknown. */
export interface AnswerFigures {
  readonly text: string
  readonly outcome?: Outcome
  readonly reasoning?: string
  readonly toolCalls?: readonly ToolCall[]
  readonly finishReason?: string | null
  readonly failure?: Failure | null
  /** Why the request failed, in the tool's words; absent where it was answered. */
  readonly failed?: string | undefined
  readonly usage?: Partial<Usage>
  /** Milliseconds; undefined where the tool did not time it, or timed a cache. */
  readonly ttftMs?: number | undefined
  readonly e2eMs?: number | undefined
  /** US dollars as the tool stated them. */
  readonly costUsd?: number | undefined
  readonly servedModel?: string | null
  /** The log keeps no texts: what was answered by its tokens was answered. */
  readonly isUnkept?: boolean
}

/** An answer of a log in evalkit's terms. */
export function foreignAnswer(figures: AnswerFigures, tool: string): ForeignAnswer {
  const { text, reasoning = "", toolCalls = [], ttftMs, e2eMs, costUsd } = figures
  const usage: Usage = { ...unknownUsage, ...figures.usage }
  const tokens = (figures.isUnkept ? usage.completionTokens : usage.reasoningTokens) ?? 0
  const said = text !== "" || reasoning !== "" || toolCalls.length > 0 || tokens > 0
  const { outcome, failure } = figures.outcome ? { outcome: figures.outcome, failure: null } : endOf(figures, said)
  const log = logOfFigures({
    text,
    toolCalls,
    isSilent: said,
    tokens: usage.completionTokens,
    endOnly: true,
    ...(ttftMs !== undefined && { ttftMs }),
    ...(e2eMs !== undefined && { e2eMs }),
  })
  const whole = bareAnswer({
    outcome,
    log,
    text,
    reasoning,
    toolCalls,
    usage,
    finishReason: figures.finishReason ?? null,
    failure: figures.failure ?? failure,
    servedModel: figures.servedModel ?? null,
  })
  const { retryAfterMs: _, ...answer } = failWhenNothingBegan(withoutThinking(whole), undefined)
  return { ...answer, source: log.events.length > 0 ? "recorded" : "foreign", cost: costOf(costUsd, tool) }
}

/** By the fault that the tool states, or the word that the answer ended with, where it kept one, else by its text. */
function endOf({ finishReason = null, failed, text, toolCalls = [] }: AnswerFigures, said: boolean): FinishedAnswer {
  if (failed !== undefined) return { outcome: "application_error", failure: { message: failed.slice(0, 2000) } }
  const isEmpty = text === "" && toolCalls.length === 0
  const end = isFinish(finishReason) ? endOfFinish(finishReason) : null
  if (end) return end.outcome === "length" && isEmpty ? { ...end, outcome: "length_empty" } : end
  return { outcome: said ? "ok" : "empty", failure: null }
}

function costOf(usd: number | undefined, tool: string): Cost {
  if (usd === undefined || usd < 0) return { status: "unknown", reason: `the ${tool} file states no cost` }
  return { status: "known", usd, parts: { [`stated by ${tool}`]: usd } }
}
