import { chatCompletion } from "./chat-completions.ts"
import type { ReadWork, Served } from "./completion-work.ts"
import { embeddings, parseEmbeddingsBody } from "./embeddings/embeddings.ts"
import type { EventForm } from "./event-writer.ts"
import type { LoadedModel } from "./load-model.ts"
import { parseNativeBody } from "./native/completion-body.ts"
import { nativeCompletion } from "./native/native-completion.ts"
import { parseChatBody, parseCompletionBody } from "./request-body.ts"
import { modelResponse } from "./responses/responses.ts"
import { parseResponsesBody } from "./responses/responses-body.ts"
import { textCompletion } from "./text-completions.ts"

/** One request that the model works on, its body checked. */
export type Work = CompletionWork | BesideWork

interface AnyWork {
  readonly stream: boolean
  readonly prefix: string
  /** The model that the request names; null when it names none. */
  readonly model: string | null
  /** How events are told where it is not as in a stream of OpenAI's completions. */
  readonly events?: EventForm
}

/** One that a sequence is needed for. */
interface CompletionWork extends AnyWork {
  /** Reads its prompt. Throws 400 when it cannot be answered. */
  read(loaded: LoadedModel): ReadWork
}

/** One that has a context of its own, and takes no sequence from others. */
interface BesideWork extends AnyWork {
  /** Yields the JSON values of the answer. */
  answer(served: Served): AsyncGenerator<unknown>
}

function nativeWork(json: unknown): Work {
  const body = parseNativeBody(json)
  return {
    stream: body.settings.stream,
    model: body.model || null,
    events: "bare",
    prefix: "cmpl",
    read: (loaded) => nativeCompletion(loaded, body),
  }
}

/** What the model works on, by method and path: each checks a body, and throws 400 that names the field. */
export const works: ReadonlyMap<string, (json: unknown) => Work> = new Map([
  [
    "POST /v1/chat/completions",
    (json: unknown): Work => {
      const body = parseChatBody(json)
      return {
        stream: body.stream === true,
        model: body.model || null,
        prefix: "chatcmpl",
        read: (loaded) => chatCompletion(loaded, body),
      }
    },
  ],
  [
    "POST /v1/completions",
    (json: unknown): Work => {
      const body = parseCompletionBody(json)
      return {
        stream: body.stream === true,
        model: body.model || null,
        prefix: "cmpl",
        read: (loaded) => textCompletion(loaded, body),
      }
    },
  ],
  ["POST /completion", nativeWork],
  ["POST /completions", nativeWork],
  [
    "POST /v1/embeddings",
    (json: unknown): Work => {
      const body = parseEmbeddingsBody(json)
      return { stream: false, model: body.model || null, prefix: "embd", answer: (served) => embeddings(served, body) }
    },
  ],
  [
    "POST /v1/responses",
    (json: unknown): Work => {
      const request = parseResponsesBody(json)
      return {
        stream: request.chat.stream === true,
        model: request.asked.model || null,
        events: "named",
        prefix: "resp",
        read: (loaded) => modelResponse(loaded, request),
      }
    },
  ],
])
