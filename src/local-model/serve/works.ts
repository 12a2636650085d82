import { chatCompletion } from "./chat-completions.ts"
import type { Served, Serving } from "./completion-work.ts"
import { embeddings, parseEmbeddingsBody } from "./embeddings/embeddings.ts"
import { parseChatBody, parseCompletionBody } from "./request-body.ts"
import { textCompletion } from "./text-completions.ts"
import { detokenize, parseDetokenizeBody, parseTokenizeBody, tokenize } from "./tokenization.ts"

/** One request that the model works on, its body checked. */
export type Work = CompletionWork | BesideWork

interface AnyWork {
  readonly stream: boolean
  readonly prefix: string
  /** The model that the request names; null when it names none. */
  readonly model: string | null
}

/** One that a sequence is needed for. */
interface CompletionWork extends AnyWork {
  /** Yields the JSON values of the answer. Throws 400 when its prompt cannot be answered. */
  complete(serving: Serving): AsyncGenerator<unknown>
}

/** One that has a context of its own, and takes no sequence from others. */
interface BesideWork extends AnyWork {
  /** Yields the JSON values of the answer. */
  answer(served: Served): AsyncGenerator<unknown>
}

function chatWork(json: unknown): Work {
  const body = parseChatBody(json)
  const facts = { stream: body.stream === true, model: body.model || null, prefix: "chatcmpl" }
  return { ...facts, complete: (serving) => chatCompletion(serving, body) }
}

function completionWork(json: unknown): Work {
  const body = parseCompletionBody(json)
  const facts = { stream: body.stream === true, model: body.model || null, prefix: "cmpl" }
  return { ...facts, complete: (serving) => textCompletion(serving, body) }
}

/** Work that no sequence is needed for. */
function besideWork<Body extends { readonly model?: string | null | undefined }>(
  parse: (json: unknown) => Body,
  answer: (served: Served, body: Body) => AsyncGenerator<unknown>,
): (json: unknown) => Work {
  return (json) => {
    const body = parse(json)
    return { stream: false, model: body.model || null, prefix: "embd", answer: (served) => answer(served, body) }
  }
}

/** What the model works on, by method and path: each checks a body, and throws 400 that names the field. */
export const works: ReadonlyMap<string, (json: unknown) => Work> = new Map([
  ["POST /v1/chat/completions", chatWork],
  ["POST /v1/completions", completionWork],
  ["POST /v1/embeddings", besideWork(parseEmbeddingsBody, embeddings)],
  ["POST /tokenize", besideWork(parseTokenizeBody, tokenize)],
  ["POST /detokenize", besideWork(parseDetokenizeBody, detokenize)],
])
