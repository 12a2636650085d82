import { asList, asMembers, asNumber, asText } from "../../core/json-members.ts"
import { type Usage, unknownUsage } from "../../core/usage.ts"

/** What the models behind a runnable did in one call, as LangChain's callbacks tell it. */
export interface ModelCalls {
  /** For the call's options; awaited, so that all is known when the stream ends. */
  readonly handler: object
  /** Sums over every model that answered; unknown where one of them did not say. */
  usage(): Usage
  finishReason(): string | null
  /** A model did not state why its answer ended, though it always does, or though nothing came: its stream broke off, or held an error that its package does not know. */
  isCutOff(): boolean
  servedModel(): string | null
}

/** Listens to one call. */
export function listenToModels(): ModelCalls {
  const usages: (Usage | null)[] = []
  let finish: string | null = null
  let model: string | null = null
  let isCutOff = false
  return {
    handler: {
      awaitHandlers: true,
      raiseError: false,
      handleLLMEnd(output: unknown) {
        const generation = asMembers(asList(asList(asMembers(output)?.generations)[0])[0])
        const message = asMembers(generation?.message)
        const metadata = asMembers(message?.response_metadata)
        const info = asMembers(generation?.generationInfo)
        usages.push(readUsage(message?.usage_metadata))
        const stated =
          [metadata?.finish_reason, metadata?.stop_reason, info?.finish_reason].map(asText).find(Boolean) ??
          // The Responses API.
          (asText(asMembers(metadata?.incomplete_details)?.reason) || asText(metadata?.status))
        const isSilent = asText(message?.content) === "" && asList(message?.content).length === 0
        isCutOff =
          stated === "" && (metadata?.model_provider === "openai" || (isSilent && !asList(message?.tool_calls).length))
        finish = stated || finish
        model = asText(metadata?.model_name) || asText(metadata?.model) || model
      },
    },
    usage: () => sumOf(usages),
    isCutOff: () => isCutOff,
    finishReason: () => finish?.slice(0, 100) ?? null,
    servedModel: () => model?.slice(0, 200) ?? null,
  }
}

/** LangChain's `usage_metadata`; null where it is not there. */
function readUsage(value: unknown): Usage | null {
  const usage = asMembers(value)
  if (!usage) return null
  const input = asMembers(usage.input_token_details)
  const output = asMembers(usage.output_token_details)
  const written = count(input?.cache_creation)
  return {
    promptTokens: count(usage.input_tokens),
    cachedPromptTokens: count(input?.cache_read),
    completionTokens: count(usage.output_tokens),
    reasoningTokens: count(output?.reasoning),
    ...(written !== null && written > 0 && { cacheWriteTokens: written }),
  }
}

function sumOf(usages: readonly (Usage | null)[]): Usage {
  const reported = usages.filter((usage) => usage !== null)
  if (reported.length === 0 || reported.length < usages.length) return unknownUsage
  const sum = (
    name: "promptTokens" | "cachedPromptTokens" | "completionTokens" | "reasoningTokens" | "cacheWriteTokens",
  ) =>
    reported.every((usage) => typeof usage[name] === "number")
      ? reported.reduce((total, usage) => total + (usage[name] ?? 0), 0)
      : null
  const written = sum("cacheWriteTokens")
  return {
    promptTokens: sum("promptTokens"),
    cachedPromptTokens: sum("cachedPromptTokens"),
    completionTokens: sum("completionTokens"),
    reasoningTokens: sum("reasoningTokens"),
    ...(written !== null && { cacheWriteTokens: written }),
  }
}

function count(value: unknown): number | null {
  const number = asNumber(value)
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null
}
