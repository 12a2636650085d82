import type { IncomingMessage } from "node:http"
import type { JsonObject, JsonValue } from "../../../../src/core/json.ts"
import { serveLoopback } from "../../loopback.ts"

/** One request of a batch. */
export interface DeskRequest {
  readonly id: string
  readonly body: JsonObject
}

/** What becomes of a request: `error` is refused by the model, `missing` has no result at all. */
export type Fate = "ok" | "error" | "overloaded" | "expired" | "cancelled" | "missing"

/** A batch that a mock has taken. */
export interface DeskBatch {
  readonly id: string
  readonly number: number
  /** What the client labelled it with; empty where the service takes no label. */
  readonly label: string
  readonly createdMs: number
  readonly requests: readonly DeskRequest[]
  /** Looks that were taken at it. */
  looks: number
  isCancelled: boolean
  /** Times that its results were read. */
  reads: number
}

/** How a mock behaves. */
export interface DeskOptions {
  /** Looks before a batch has ended. Default 1. */
  readonly looks?: number
  /** How a batch ends as a whole; default: as its requests do. */
  end?(batch: DeskBatch): "failed" | "expired" | undefined
  fate?(request: DeskRequest, batch: DeskBatch): Fate
  /** An HTTP fault in the place of a reply; null for none. `after`: the request is done all the same. */
  fault?(
    what: string,
    number: number,
  ): { readonly status: number; readonly after?: boolean; readonly headers?: Record<string, string> } | null
  /** Milliseconds before a batch that was asked for is taken, and before the reply after that. */
  readonly createMs?: readonly [before: number, after: number]
  /** The text of an answer. Default: its prompt. */
  text?(body: JsonObject): string
  /** Tokens of every prompt and every answer. */
  readonly tokens?: readonly [prompt: number, completion: number]
  /** Does not answer questions about its batches as a list. */
  readonly unlisted?: boolean
}

/** Tokens of a prompt and of its answer where nothing else is stated. */
export const defaultTokens = [1000, 500] as const

/** A batch interface on the loopback interface. */
export interface BatchMock {
  /** As the provider's base URL. */
  readonly baseUrl: string
  readonly batches: readonly DeskBatch[]
  /** Bodies of live calls. */
  readonly live: readonly JsonObject[]
  /** `METHOD /path` of every request, in order. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/** What a service's own interface is built on. */
export interface Desk {
  readonly batches: DeskBatch[]
  readonly live: JsonObject[]
  readonly options: DeskOptions
  take(label: string, requests: readonly DeskRequest[]): Promise<DeskBatch>
  /** Notes a look, and says whether the batch is over. */
  isOver(batch: DeskBatch): boolean
  /** What became of each request, as far as there is a result. */
  results(batch: DeskBatch): readonly (readonly [DeskRequest, Exclude<Fate, "missing">])[]
}

/** A reply: JSON, or a text as it is. */
export type Reply =
  | { readonly status?: number; readonly json: JsonValue }
  | { readonly text: string; readonly type?: string }

/** A service that answers requests as they come, from wherever. */
export interface OpenDesk extends Pick<Desk, "batches" | "live"> {
  readonly asked: readonly string[]
  handle(request: Asked): Promise<HttpReply>
}

/** A reply with its status and headers. */
export interface HttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Makes a mock: `answer` makes the reply to each request; what it throws is a 400 with its message. */
export function openDesk(
  options: DeskOptions,
  answer: (request: Asked, desk: Desk) => Promise<Reply> | Reply,
  refusal: (status: number, message: string) => JsonValue,
): OpenDesk {
  const asked: string[] = []
  const times = new Map<string, number>()
  const desk = createDesk(options)
  const refused = (status: number, message: string, headers: Record<string, string> = {}) =>
    written(status, { json: refusal(status, message) }, headers)
  return {
    batches: desk.batches,
    live: desk.live,
    asked,
    async handle(request) {
      const what = `${request.method} ${request.path}`
      asked.push(what)
      const kind = `${request.method} ${request.path.replace(/(file|batch|msgbatch)[-_][\w-]+/g, "ID")}`
      const number = (times.get(kind) ?? 0) + 1
      times.set(kind, number)
      const fault = options.fault?.(kind, number) ?? null
      if (fault && !fault.after) return refused(fault.status, "a fault of the moment", fault.headers)
      try {
        const reply = await answer(request, desk)
        if (fault) return refused(fault.status, "a fault after the work", fault.headers)
        return written("json" in reply ? (reply.status ?? 200) : 200, reply)
      } catch (error) {
        return refused(
          error instanceof Refused ? error.status : 400,
          error instanceof Error ? error.message : `${error}`,
        )
      }
    },
  }
}

/** Serves a mock on the loopback interface. */
export async function serveDesk({ handle, ...desk }: OpenDesk, basePath: string): Promise<BatchMock> {
  const server = await serveLoopback(async ({ method = "", url = "", headers }, response, text) => {
    const reply = await handle(asRequest(method, url, headers, text))
    if (response.destroyed) return
    response.writeHead(reply.status, reply.headers)
    response.end(reply.body)
  })
  return { ...desk, baseUrl: `http://127.0.0.1:${server.port}${basePath}`, close: server.close }
}

/** A refusal with a status of its own. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A request as it arrived. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly text: string
}

/** @param url path and query */
export function asRequest(method: string, url: string, headers: Asked["headers"], text: string): Asked {
  const { pathname, searchParams } = new URL(url, "http://localhost")
  return { method, path: pathname, query: searchParams, headers, text }
}

function written(status: number, reply: Reply, headers: Record<string, string> = {}): HttpReply {
  const type = "text" in reply ? (reply.type ?? "application/x-jsonl") : "application/json"
  return {
    status,
    headers: { "content-type": type, ...headers },
    body: "text" in reply ? reply.text : JSON.stringify(reply.json),
  }
}

function createDesk(options: DeskOptions): Desk {
  const batches: DeskBatch[] = []
  return {
    batches,
    live: [],
    options,
    async take(label, requests) {
      const ids = new Set(requests.map(({ id }) => id))
      if (ids.size < requests.length) throw new Error("custom_id: the ids of a batch must differ")
      await pause(options.createMs?.[0])
      const number = batches.length + 1
      const batch: DeskBatch = {
        id: `batch_${number}`,
        number,
        label,
        createdMs: Date.now(),
        requests,
        looks: 0,
        isCancelled: false,
        reads: 0,
      }
      batches.push(batch)
      await pause(options.createMs?.[1])
      return batch
    },
    isOver(batch) {
      batch.looks++
      return batch.isCancelled || batch.looks > (options.looks ?? 1)
    },
    results(batch) {
      batch.reads++
      return batch.requests.flatMap((request) => {
        const fate = options.fate?.(request, batch) ?? "ok"
        return fate === "missing" ? [] : [[request, fate] as const]
      })
    },
  }
}

function pause(ms: number | undefined): Promise<void> {
  return ms ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve()
}

/** @throws an error in the words of the service when an object has other members than these */
export function strict(value: JsonValue | undefined, names: string, where: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${where}: an object is required`)
  const allowed = names.split(" ")
  for (const name of Object.keys(value))
    if (!allowed.includes(name)) throw new Error(`${where}: Unknown name "${name}"`)
  return value as JsonObject
}
