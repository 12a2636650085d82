import type { Answer } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import { asList, asMembers, asNumber, asText, type Members, parseJson } from "../../core/json-members.ts"
import type { ToolCall } from "../../core/message.ts"
import { classifyFinish } from "../../core/run/finish-reason.ts"
import { type Usage, unknownUsage } from "../../core/usage.ts"
import type { ClientStream, Piece } from "../client/capture-iterator.ts"

/** What a stream of the AI SDK brings, part by part; specifications v2 and v3 name the parts alike. */
export interface AiSdkReader extends Pick<ClientStream<unknown>, "read" | "finish"> {
  /** Settings that the model's package does not support, in its words. */
  warnings(): readonly string[]
}

/** A reader of one stream. */
export function createAiSdkReader(): AiSdkReader {
  const toolCalls: ToolCall[] = []
  const streamedInputs = new Set<string>()
  const warnings: string[] = []
  let servedModel: string | null = null
  let end: Pick<Answer, "finishReason" | "usage"> | null = null

  const toolCall = (part: Members): readonly Piece[] => {
    const id = asText(part.toolCallId)
    const input = asText(part.input)
    const parsed = parseJson(input)
    toolCalls.push({
      name: asText(part.toolName),
      arguments: "value" in parsed ? (parsed.value as JsonValue) : input,
      ...(id !== "" && { id }),
    })
    // A model that does not stream arguments gives a call at once.
    return streamedInputs.has(id) ? [] : [{ kind: "tool", text: asText(part.toolName) + input }]
  }

  const readers: Readonly<Record<string, (part: Members) => readonly Piece[]>> = {
    "stream-start": (part) => {
      warnings.push(...asList(part.warnings).map(warningText))
      return [{ kind: "role", text: "" }]
    },
    "response-metadata": ({ modelId }) => {
      servedModel = asText(modelId).slice(0, 200) || servedModel
      return []
    },
    "text-delta": (part) => delta("content", part),
    "reasoning-delta": (part) => delta("reasoning", part),
    "tool-input-start": ({ id, toolName }) => {
      streamedInputs.add(asText(id))
      return [{ kind: "tool", text: asText(toolName) }]
    },
    "tool-input-delta": (part) => delta("tool", part),
    "tool-call": toolCall,
    finish: ({ finishReason, usage }) => {
      const reason = finishOf(finishReason)
      if (reason !== null) end = { finishReason: reason, usage: readAiSdkUsage(usage) }
      return [{ kind: "usage", text: "" }]
    },
    error: ({ error }) => {
      throw error
    },
  }
  return {
    read(part) {
      const members = asMembers(part)
      const read = members && Object.hasOwn(readers, asText(members.type)) ? readers[asText(members.type)] : undefined
      return members && read ? read(members) : []
    },
    finish: () => end && { ...end, servedModel, toolCalls: [...toolCalls] },
    warnings: () => warnings,
  }
}

/** An empty delta, as many services begin with, is a sign of life and no part of the answer. */
function delta(kind: "content" | "reasoning" | "tool", part: Members): readonly Piece[] {
  const text = asText(part.delta)
  return [{ kind: text === "" ? "role" : kind, text }]
}

/**
 * In the service's own words where they are there, but for an error, and for a word that only the package knows. Null where the service
 * gave none: the SDK ends a stream that broke off with "other", and nothing else tells it.
 */
function finishOf(reason: unknown): string | null {
  const { unified, raw } = asMembers(reason) ?? { unified: reason }
  if ((unified === "other" || unified === "unknown") && asText(raw) === "") return null
  if (unified === "error") return unified
  if (unified !== "other" && unified !== "unknown" && classifyFinish(asText(raw)) === "failed") return asText(unified)
  return (asText(raw) || asText(unified) || "other").replace(/^tool-calls$/, "tool_calls").slice(0, 100)
}

function warningText(warning: unknown): string {
  const { type, feature, setting, details, message } = asMembers(warning) ?? {}
  return [type, feature ?? setting, details ?? message].map(asText).filter(Boolean).join(": ").slice(0, 300)
}

/**
 * Counts of a call as the AI SDK gives them: objects of classes in specification v3, plain numbers in v2. What is not there is unknown, and
 * so is what is no count.
 *
 * @example readAiSdkUsage({ inputTokens: 12, outputTokens: 5 }).completionTokens // 5
 */
function readAiSdkUsage(value: unknown): Usage {
  const usage = asMembers(value)
  if (!usage) return unknownUsage
  const input = asMembers(usage.inputTokens)
  const output = asMembers(usage.outputTokens)
  const written = count(input?.cacheWrite)
  return {
    promptTokens: count(input ? input.total : usage.inputTokens),
    cachedPromptTokens: count(input ? input.cacheRead : usage.cachedInputTokens),
    completionTokens: count(output ? output.total : usage.outputTokens),
    reasoningTokens: count(output ? output.reasoning : usage.reasoningTokens),
    ...(written !== null && written > 0 && { cacheWriteTokens: written }),
  }
}

function count(value: unknown): number | null {
  const number = asNumber(value)
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null
}
