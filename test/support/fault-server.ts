import type { IncomingMessage, ServerResponse } from "node:http"
import { serveLoopback } from "./loopback.ts"

/** How the server behaves; the last segment of the base URL names it: `http://127.0.0.1:PORT/FAULT/v1`. */
export type Fault = keyof typeof faults

/** A server on loopback that fails on purpose. */
export interface FaultServer {
  /** Base URL of a fault. */
  url(fault: Fault): string
  /** Bodies of the chat requests so far, oldest first. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[]
  close(): Promise<void>
}

/** Starts the server on a free port. */
export async function startFaultServer(): Promise<FaultServer> {
  const bodies: Readonly<Record<string, unknown>>[] = []
  const server = await serveLoopback(async (request, response, text) => {
    const body = text === "" ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
    if (request.url?.endsWith("/models")) return response.end("{}")
    bodies.push(body)
    const fault = faults[request.url?.split("/")[1] as Fault]
    await fault({ request, response, body })
  })
  return {
    url: (fault) => `${server.origin}/${fault}/v1`,
    bodies,
    close: server.close,
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Readonly<Record<string, unknown>>
}

/** A chunk of a chat completion as an event. */
export function chunkEvent(delta: Readonly<Record<string, unknown>>, finishReason: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finishReason }
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "served", choices: [choice] })}\n\n`
}

const usageEvent = `data: ${JSON.stringify({
  choices: [],
  usage: {
    prompt_tokens: 7,
    completion_tokens: 2,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 0 },
  },
})}\n\n`
const done = "data: [DONE]\n\n"
const role = chunkEvent({ role: "assistant", content: "" })
const stop = chunkEvent({}, "stop")
const hello = chunkEvent({ content: "Hel" }) + chunkEvent({ content: "lo" })
const goodStream = role + hello + stop + usageEvent + done

function startStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.write(text)
}

function answerStream({ response }: Exchange, text: string): void {
  startStream(response, text)
  response.end()
}

function answerError(
  { response }: Exchange,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(body)
}

function errorBody(message: string, code: string | null = null, param: string | null = null): string {
  return JSON.stringify({ error: { message, type: "invalid_request_error", code, param } })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const faults = {
  none: (exchange: Exchange) => answerStream(exchange, goodStream),
  length: (exchange: Exchange) => answerStream(exchange, role + hello + chunkEvent({}, "length") + done),
  rateLimited: (exchange: Exchange) => answerError(exchange, 429, errorBody("slow down"), { "retry-after": "2" }),
  unauthorized: ({ request, ...exchange }: Exchange) =>
    answerError({ request, ...exchange }, 401, errorBody(`bad key ${request.headers.authorization}`)),
  serverError: (exchange: Exchange) => answerError(exchange, 500, errorBody("internal")),
  unavailable: (exchange: Exchange) => answerError(exchange, 503, "<html>busy</html>", { "retry-after-ms": "1500" }),
  redirect: (exchange: Exchange) => answerError(exchange, 302, "", { location: "https://elsewhere.example/v1" }),
  contentFilterStatus: (exchange: Exchange) => answerError(exchange, 400, errorBody("filtered", "content_filter")),
  reset: ({ request }: Exchange) => request.socket.resetAndDestroy(),
  hangBeforeHeaders: () => {},
  hangBeforeFirstToken: ({ response }: Exchange) => startStream(response, role),
  hangWithoutBody: ({ response }: Exchange) => response.flushHeaders(),
  hangInside: ({ response }: Exchange) => startStream(response, role + hello),
  resetInside: async ({ request, response }: Exchange) => {
    startStream(response, role + hello)
    await pause(30)
    request.socket.resetAndDestroy()
  },
  dropAfterDone: async ({ request, response }: Exchange) => {
    startStream(response, goodStream)
    await pause(30)
    request.socket.destroy()
  },
  endlessDrip: async ({ response }: Exchange) => {
    startStream(response, role)
    while (!response.destroyed) {
      response.write(chunkEvent({ content: "." }))
      await pause(20)
    }
  },
  endlessErrorBody: ({ response }: Exchange) => {
    response.writeHead(500, { "content-type": "text/plain" })
    response.write("half of an err")
  },
  malformed: (exchange: Exchange) =>
    answerStream(exchange, `${role + hello}data: {"choices":[{"delta"\n\n${stop}${done}`),
  malformedHang: ({ response }: Exchange) => startStream(response, `${role}data: {oops\n\n`),
  cut: (exchange: Exchange) => answerStream(exchange, role + hello),
  cutInsideEvent: (exchange: Exchange) => answerStream(exchange, role + hello + stop.slice(0, 40)),
  noBody: (exchange: Exchange) => answerStream(exchange, ""),
  noDone: (exchange: Exchange) => answerStream(exchange, role + hello + stop),
  noFinishReason: (exchange: Exchange) => answerStream(exchange, role + hello + done),
  emptyChoices: (exchange: Exchange) => answerStream(exchange, `data: {"choices":[]}\n\n${done}`),
  emptyAnswer: (exchange: Exchange) => answerStream(exchange, role + stop + done),
  refusal: (exchange: Exchange) => answerStream(exchange, role + chunkEvent({ refusal: "I cannot" }) + stop + done),
  contentFilter: (exchange: Exchange) => answerStream(exchange, role + hello + chunkEvent({}, "content_filter") + done),
  errorInStream: (exchange: Exchange) =>
    answerStream(exchange, `${role + hello}data: ${errorBody("overloaded", "overloaded_error")}\n\n`),
  errorEvent: (exchange: Exchange) =>
    answerStream(exchange, `${role}event: error\ndata: {"message":"out of memory"}\n\n`),
  errorAs200: ({ response }: Exchange) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(errorBody("model not loaded"))
  },
  wrongContentType: ({ response }: Exchange) => {
    response.writeHead(200, { "content-type": "text/plain" })
    response.end(goodStream)
  },
  htmlPage: ({ response }: Exchange) => {
    response.writeHead(200, { "content-type": "text/html" })
    response.end("<!doctype html><html><body>Sign in</body></html>")
  },
  wholeCompletion: ({ response }: Exchange) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(
      JSON.stringify({
        model: "served",
        choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
      }),
    )
  },
  slowDrip: async ({ response }: Exchange) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const event of goodStream.split(/(?<=\n\n)/)) {
      response.write(event)
      await pause(15)
    }
    response.end()
  },
  oneByteChunks: async ({ response }: Exchange) => {
    startStream(response, "")
    response.socket?.setNoDelay(true)
    for (const byte of Buffer.from(chunkEvent({ content: "é🙂" }) + stop + done)) {
      response.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  },
  carriageReturns: (exchange: Exchange) =>
    answerStream(exchange, `: hello\r\n\r\n${goodStream.replaceAll("\n", "\r\n")}`),
  /** 20,000 events of the usual size in one write, as a proxy sends them that holds an answer back. */
  burst: (exchange: Exchange) =>
    answerStream(exchange, role + chunkEvent({ content: "x", padding: "-".repeat(200) }).repeat(20_000) + stop + done),
  large: async ({ response }: Exchange) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const event = chunkEvent({ content: "x".repeat(1024 * 1024) })
    for (let index = 0; index < 50; index++)
      if (!response.write(event)) await new Promise((resolve) => response.once("drain", resolve))
    response.end(stop + done)
  },
  largeEvent: (exchange: Exchange) =>
    answerStream(exchange, chunkEvent({ content: "x".repeat(50 * 1024 * 1024) }) + stop + done),
  notJsonAnswer: (exchange: Exchange) => answerStream(exchange, hello + stop + done),
  noLogprobs: (exchange: Exchange) =>
    exchange.body.logprobs
      ? answerError(
          exchange,
          400,
          errorBody("Unsupported parameter: logprobs is not supported with this model", null, "logprobs"),
        )
      : answerStream(exchange, goodStream),
  nothingOptional: (exchange: Exchange) => {
    const field = ["stream_options", "seed", "response_format", "logprobs"].find((name) => name in exchange.body)
    const message = {
      detail: [{ type: "extra_forbidden", loc: ["body", field], msg: "Extra inputs are not permitted" }],
    }
    if (field) answerError(exchange, 422, JSON.stringify({ object: "error", message }))
    else answerStream(exchange, hello + stop + done)
  },
  badSchema: (exchange: Exchange) =>
    answerError(
      exchange,
      400,
      errorBody("Invalid schema for response_format 'x': missing type", "invalid_json_schema", "response_format"),
    ),
}
