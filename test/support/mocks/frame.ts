import type { IncomingHttpHeaders } from "node:http"
import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { serveLoopback } from "../loopback.ts"

/** A service on the loopback interface that notes what it is sent. */
export interface Mock {
  /** `http://127.0.0.1:port` */
  readonly baseUrl: string
  /** Bodies of the POST requests, in order. */
  readonly bodies: readonly JsonObject[]
  /** Paths of the POST requests, with their queries. */
  readonly urls: readonly string[]
  close(): Promise<void>
}

/** One POST request. */
export interface MockRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
}

/** Breaks the connection off. */
export const cut = Symbol("the connection breaks off")

/** What is answered: a body of JSON, or server-sent events as they are written on the wire. */
export type MockReply =
  | { readonly status: number; readonly body: JsonValue; readonly headers?: Readonly<Record<string, string>> }
  | { readonly events: readonly (string | typeof cut)[]; readonly headers?: Readonly<Record<string, string>> }

/** Starts a service; requests that are no POST get an empty list. */
export async function startMock(answer: (request: MockRequest) => MockReply): Promise<Mock> {
  const bodies: JsonObject[] = []
  const urls: string[] = []
  const server = await serveLoopback((incoming, response, text) => {
    if (incoming.method !== "POST") return void response.end('{"object":"list","data":[]}')
    const body = JSON.parse(text || "{}") as JsonObject
    const url = incoming.url ?? ""
    bodies.push(body)
    urls.push(url)
    const reply = answer({ url, headers: incoming.headers, body })
    if ("body" in reply) {
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
      return void response.end(JSON.stringify(reply.body))
    }
    response.writeHead(200, { "content-type": "text/event-stream", ...reply.headers })
    for (const event of reply.events) {
      if (event === cut) return void response.destroy()
      response.write(event)
    }
    response.end()
  })
  return {
    baseUrl: server.origin,
    bodies,
    urls,
    close: server.close,
  }
}

/** The first member of an object that a list of names (with blanks between) does not hold. */
export function unknownMember(value: JsonValue | undefined, names: string): string | null {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null
  return Object.keys(value).find((name) => !names.split(" ").includes(name)) ?? null
}
