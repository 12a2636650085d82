import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignAnswer, ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import type { ChatMessage, ToolCall } from "../../core/message.ts"
import type { Outcome } from "../../core/outcome.ts"
import type { Usage } from "../../core/usage.ts"
import { countOf, listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import { readOwnFigures, readOwnOutcome, readOwnSplit, readOwnUnscored } from "../own-facts.ts"
import type { AboutLog } from "./inspect.ts"
import { scoresOf } from "./scores.ts"

/** A sample of a log of Inspect: one epoch of it. */
export function sampleRecord(
  value: JsonValue,
  where: string,
  { variant, occasions }: AboutLog,
): ForeignRecord | SkippedRow {
  const sample = objectOf(value)
  const ownId = textOf(sample?.id)
  if (!sample || ownId === undefined) return { where, field: "id", reason: "the sample has no id" }
  const epoch = numberOf(sample.epoch) ?? 1
  if (!Number.isInteger(epoch) || epoch < 1 || epoch > 100_000)
    return { where, field: "epoch", reason: "expected a whole number from 1" }
  const resolve = attachmentsOf(sample)
  const id = occasions.idOf(ownId, sample.input ?? null)
  return {
    variant,
    sample: foreignSample({
      id,
      input: inputOf(sample.input, resolve),
      references: textsOf(sample.target),
      choices: textsOf(sample.choices),
      ...readOwnSplit(sample.metadata),
      metadata: objectOf(sample.metadata) ?? {},
    }),
    repeat: occasions.free(epoch - 1, id),
    answer: answerOf(sample, resolve),
    scores: isInvalid(sample)
      ? invalid(scoresOf(sample))
      : { ...scoresOf(sample), ...readOwnUnscored(sample.metadata) },
    where,
  }
}

/** A sample that its author took back (`invalidation`): its scores are not known. */
function isInvalid({ invalidation }: JsonObject): boolean {
  return invalidation !== undefined && invalidation !== null && invalidation !== false
}

function invalid(scores: Readonly<Record<string, ForeignScore>>): Record<string, ForeignScore> {
  const reason = "the sample was marked as invalid"
  return Object.fromEntries(Object.keys(scores).map((name) => [name, { reason, isFailure: false }]))
}

type Resolve = (text: string) => string

/** Long texts stand in `attachments`; in their place is `attachment://HASH`. */
function attachmentsOf(sample: JsonObject): Resolve {
  const attachments = objectOf(sample.attachments) ?? {}
  return (text) => {
    if (!text.startsWith("attachment://")) return text
    return textOf(member(attachments, text.slice("attachment://".length))) ?? text
  }
}

function inputOf(input: JsonValue | undefined, resolve: Resolve): string | readonly ChatMessage[] | null {
  const text = textOf(input)
  if (text !== undefined) return resolve(text)
  const messages = listOf(input).flatMap((item): ChatMessage[] => {
    const role = textOf(member(item, "role"))
    if (role !== "system" && role !== "user" && role !== "assistant" && role !== "tool") return []
    return [{ role, content: contentText(member(item, "content"), resolve) }]
  })
  return messages.length > 0 ? messages : null
}

/** A text, or the texts of a list of parts. */
function contentText(content: JsonValue | undefined, resolve: Resolve, type = "text"): string {
  const text = textOf(content)
  if (text !== undefined) return type === "text" ? resolve(text) : ""
  return listOf(content)
    .filter((part) => member(part, "type") === type)
    .map((part) => resolve(textOf(member(part, type)) ?? ""))
    .join("\n")
}

function answerOf(sample: JsonObject, resolve: Resolve): ForeignAnswer {
  const outcome = readOwnOutcome(sample.metadata)
  const own = readOwnFigures(sample.metadata)
  const choice = listOf(member(sample.output, "choices"))[0]
  const content = member(choice, "message", "content")
  const completion = textOf(member(sample.output, "completion"))
  const stop = textOf(member(choice, "stop_reason")) ?? null
  const cost = numberOf(member(usageOf(sample), "total_cost"))
  return foreignAnswer(
    {
      text: content === undefined ? resolve(completion ?? "") : contentText(content, resolve),
      reasoning: contentText(content, resolve, "reasoning"),
      toolCalls: toolCallsOf(member(choice, "message", "tool_calls")),
      finishReason: stop,
      failure: isCancelled(sample) ? null : failureOf(sample),
      ...outcomeOf(sample),
      usage: tokensOf(usageOf(sample)),
      ...(outcome && { outcome }),
      ...(own ?? {
        ...(isOneCall(sample) && { e2eMs: milliseconds(member(sample.output, "time")) }),
        ...(cost !== undefined && { costUsd: cost }),
      }),
      servedModel: textOf(member(sample.output, "model")) ?? null,
    },
    "Inspect",
  )
}

/** Inspect stopped the sample after the failure of another: that says nothing of the model. */
function isCancelled({ error }: JsonObject): boolean {
  return /^Cancelled(?:Error)?\(/.test(textOf(member(error, "message")) ?? "")
}

/** A sample that ended with an error or at a limit; absent: as its answer says. */
function outcomeOf(sample: JsonObject): { readonly outcome?: Outcome } {
  if (isCancelled(sample)) return listOf(member(sample.output, "choices")).length > 0 ? {} : { outcome: "cancelled" }
  if (sample.error !== undefined && sample.error !== null) return { outcome: "application_error" }
  const limit = textOf(member(sample.limit, "type"))
  if (limit === "time" || limit === "working") return { outcome: "timeout_total" }
  return limit === undefined ? {} : { outcome: "length" }
}

function failureOf({ error, limit }: JsonObject): { readonly message: string } | null {
  const message = textOf(member(error, "message"))
  if (message !== undefined) return { message: message.slice(0, 2000) }
  const type = textOf(member(limit, "type"))
  return type === undefined
    ? null
    : { message: `the sample ended at its limit of ${type} (${textOf(member(limit, "limit")) ?? "unknown"})` }
}

function toolCallsOf(value: JsonValue | undefined): readonly ToolCall[] {
  return listOf(value).flatMap((call) => {
    const name = textOf(member(call, "function")) ?? textOf(member(call, "function", "name"))
    if (name === undefined) return []
    const id = textOf(member(call, "id"))
    return [{ name, arguments: member(call, "arguments") ?? {}, ...(id !== undefined && { id }) }]
  })
}

/** Usage of all calls to the evaluated model; where several models were called, that of the output. */
function usageOf(sample: JsonObject): JsonObject {
  const all = Object.values(objectOf(sample.model_usage) ?? {})
  return objectOf(all.length === 1 ? all[0] : member(sample.output, "usage")) ?? {}
}

/** Inspect's input tokens leave out what was read from the cache; its total does not. */
function tokensOf(usage: JsonObject): Partial<Usage> {
  const output = countOf(usage.output_tokens)
  const total = countOf(usage.total_tokens)
  const input = countOf(usage.input_tokens)
  const written = countOf(usage.input_tokens_cache_write)
  return {
    promptTokens: total !== null && output !== null && total >= output ? total - output : input,
    completionTokens: output,
    cachedPromptTokens: countOf(usage.input_tokens_cache_read),
    reasoningTokens: countOf(usage.reasoning_tokens),
    ...(written !== null && written > 0 && { cacheWriteTokens: written }),
  }
}

/** The output's time is that of its last call: the answer's own where there was one call. */
function isOneCall(sample: JsonObject): boolean {
  const generated = listOf(sample.messages).filter((item) => member(item, "source") === "generate")
  return generated.length <= 1
}

function milliseconds(seconds: JsonValue | undefined): number | undefined {
  const value = numberOf(seconds)
  return value === undefined || value < 0 ? undefined : value * 1000
}
