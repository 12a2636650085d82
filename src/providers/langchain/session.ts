import type { Answer } from "../../core/generation.ts"
import { asMembers, asText } from "../../core/json-members.ts"
import type { ContentPart } from "../../core/media/part.ts"
import type { ChatMessage, ToolDefinition } from "../../core/message.ts"
import type { GenerationParameters, ModelRequest, ProviderSession, RequestOptions } from "../../core/provider.ts"
import { counted } from "../../words/number.ts"
import { createAnswerNotes } from "../client/answer-notes.ts"
import { captureIterator } from "../client/capture-iterator.ts"
import { timingNote } from "../client/timing-note.ts"
import { addressOf, base64Of } from "../dialect/media.ts"
import { questionOf } from "../function/call-function.ts"
import { remoteResources } from "../unknown-resources.ts"
import { listenToModels } from "./calls.ts"
import { hiddenRetries } from "./look.ts"
import { createChunkReader } from "./read-chunks.ts"
import type { FromRunnableOptions, LangChainRunnable } from "./types.ts"

/** A session over a runnable, which opens and closes what it needs by itself. */
export function openRunnableSession(runnable: LangChainRunnable, own: FromRunnableOptions): ProviderSession {
  const retries = hiddenRetries(runnable)
  const answerNotes = createAnswerNotes()
  return {
    async request(request, options) {
      const answer = await ask(runnable, own, request, options)
      answerNotes.add(answer)
      return answer
    },
    transport: () => "LangChain's own",
    resources: () => Promise.resolve(remoteResources),
    notes: (parameters) => [
      timingNote("LangChain"),
      ...answerNotes.list(),
      ...(retries > 0
        ? [
            `retries: the runnable tries ${counted(retries, "time")} again by itself, which no figure shows; make its model with maxRetries: 0`,
          ]
        : []),
      ...unsent(parameters ?? {}),
    ],
    close: () => Promise.resolve(),
  }
}

async function ask(
  runnable: LangChainRunnable,
  own: FromRunnableOptions,
  request: ModelRequest,
  options: RequestOptions,
): Promise<Answer> {
  const chunks = createChunkReader()
  const models = listenToModels()
  const { tools, stop } = request.parameters
  return captureIterator(
    {
      async open(signal) {
        const input = own.input
          ? own.input({ messages: request.messages, sample: options.sample ? questionOf(options.sample) : null })
          : runnableMessages(request.messages)
        const config = { ...own.callOptions, ...(stop && { stop: [...stop] }), signal, callbacks: [models.handler] }
        return (await withTools(runnable, tools).stream(input as never, config as never)) as AsyncIterable<unknown>
      },
      read: chunks.read,
      finish() {
        if (models.isCutOff()) return null
        const value = chunks.value()
        const metadata = asMembers(chunks.metadata()) ?? {}
        const finishReason = (models.finishReason() ?? asText(metadata.finish_reason)) || "stop"
        return {
          finishReason,
          usage: models.usage(),
          toolCalls: chunks.toolCalls(),
          servedModel: models.servedModel() ?? (asText(metadata.model_name).slice(0, 200) || null),
          ...(value !== undefined && { text: textOf(value, own) }),
        }
      },
      library: "langchain",
    },
    options,
  )
}

function withTools(runnable: LangChainRunnable, tools: GenerationParameters["tools"]): LangChainRunnable {
  const { bindTools } = runnable as { readonly bindTools?: (tools: readonly object[]) => LangChainRunnable }
  return tools && typeof bindTools === "function" ? bindTools.call(runnable, openaiTools(tools)) : runnable
}

/** An object that a chain gave as its answer. */
function textOf(value: unknown, { output }: FromRunnableOptions): string {
  if (output) return output(value)
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

function unsent({ tools: _tools, stop: _stop, ...rest }: GenerationParameters): readonly string[] {
  const names = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return names.length === 0
    ? []
    : [`parameters: ${names.join(", ")} of the variant are not sent; the runnable has its own`]
}

/** Messages as LangChain takes them without its classes: `role` and `content`, calls of tools in OpenAI's form. */
function runnableMessages(messages: readonly ChatMessage[]): readonly object[] {
  return messages.map(({ role, content, parts, toolCalls, toolCallId }) => ({
    role,
    content: parts && role === "user" ? parts.map(block) : content,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: input }) => ({
        id: id ?? name,
        type: "function",
        function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
      })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  }))
}

function block(part: ContentPart): object {
  if (part.type === "text") return { type: "text", text: part.text }
  if (part.type === "audio")
    return {
      type: "input_audio",
      input_audio: { data: base64Of(part), format: part.mediaType === "audio/wav" ? "wav" : "mp3" },
    }
  return { type: "image_url", image_url: { url: addressOf(part) } }
}

/** Tools in OpenAI's form, which `bindTools` of every chat model takes. */
function openaiTools(tools: readonly ToolDefinition[]): readonly object[] {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, ...(description !== undefined && { description }), parameters },
  }))
}
