import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { PlainDocument } from "../../../reports/view/document.ts"
import { firstVisit } from "../../../reports/view/plain-pages.ts"
import { decodedComponent } from "../../core/decoded-component.ts"
import { EvalkitError, messageOf } from "../../core/errors.ts"
import { listen } from "../../platform/listen.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { createViewAccess, isLoopback, type ViewAccess } from "./access.ts"
import { isForm, readForm } from "./form.ts"
import type { ViewReply, ViewRequest } from "./reply.ts"

/** What answers a request, or throws. */
export type ViewRoute = (request: ViewRequest) => ViewReply | Promise<ViewReply>

/** How a server of `evalkit view` is started. */
export interface ViewServerOptions {
  readonly route: ViewRoute
  /** Whoever knows it may look. */
  readonly token: string
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Nothing can be changed through it. */
  readonly readOnly: boolean
  /** The page of somebody without the token: whether it has a form for it, and whether a wrong one was given. */
  refusedPage(hasForm: boolean, isWrong: boolean): Promise<PlainDocument>
  /** The page of an error. */
  errorPage(title: string, words: string): Promise<PlainDocument>
}

/** A running server of `evalkit view`. */
export interface ViewServer {
  /** Without the token. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts the server of the pages. Every request needs the token (see `access.ts`); GET and HEAD look, POST sends a form of a page and
 * needs what the page's forms carry. A read-only server refuses every POST. Who has no token learns nothing but that, and may send it: a
 * POST without access is a form with the token in it.
 */
export async function startViewServer(options: ViewServerOptions): Promise<ViewServer> {
  const { host, token } = options
  const port = () => (server.address() as AddressInfo | null)?.port ?? 0
  const access = createViewAccess({ token, loopback: isLoopback(host), port })
  const server: Server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 })
  server.maxConnections = 256
  server.on("request", (request, response) => void answer(options, access, request, response))
  const origin = await listen(server, host, options.port)
  return {
    url: `${origin}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  { route, readOnly, refusedPage, errorPage }: ViewServerOptions,
  access: ViewAccess,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value)
  const page = async (status: number, title: string, words: string): Promise<void> => {
    const document = await errorPage(title, words)
    response.writeHead(status, document.headers).end(document.html)
  }
  try {
    const url = new URL(`http://view.invalid${request.url ?? "/"}`)
    const judged = access.judge(request, url)
    const { method } = request
    const isGiven = url.searchParams.has("token")
    url.searchParams.delete("token")
    const path = ownPath(`${url.pathname}${url.search}`)
    if (judged === "foreign") return end(response, 403, await refusedPage(false, false))
    if (judged === "refused") {
      const typed = method === "POST" && isForm(request) ? (await readForm(request)).get("token") : null
      if (!access.isToken(typed)) return end(response, 403, await refusedPage(true, isGiven || typed !== null))
      return void response.writeHead(303, { "set-cookie": access.cookie(), location: path }).end()
    }
    if (judged === "first") {
      response.setHeader("set-cookie", access.cookie())
      return end(response, 200, firstVisit(path))
    }
    if (method !== "GET" && method !== "HEAD" && method !== "POST")
      return await page(405, "not allowed", "A page is asked with GET, and a form is sent with POST.")
    if (method === "POST" && readOnly)
      return await page(
        403,
        "read only",
        "This server shows runs, and changes nothing. It was started with --read-only.",
      )
    const form = method === "POST" ? await readForm(request) : null
    if (form && !access.isFormToken(form.get("form")))
      return await page(403, "forbidden", "The form is not one of this server's pages. Load the page again.")
    const reply = await route({
      path: url.pathname.split("/").slice(1).map(decodedComponent),
      query: url.searchParams,
      form,
      isPart: request.headers["x-evalkit-part"] === "1",
      readOnly,
      formToken: access.formToken,
    })
    await send(request, response, reply)
  } catch (error) {
    if (response.headersSent) return void response.destroy()
    const status = error instanceof EvalkitError ? statusOf(error) : 500
    await page(
      status,
      status === 404 ? "not found" : status === 409 ? "not now" : "not possible",
      redactSecrets(messageOf(error)),
    ).catch(() => response.destroy())
  }
}

async function send(request: IncomingMessage, response: ServerResponse, reply: ViewReply): Promise<void> {
  const { status, headers, body } = reply
  if (headers.etag !== undefined && request.headers["if-none-match"] === headers.etag)
    return void response.writeHead(304, headers).end()
  response.writeHead(status, headers)
  if (typeof body === "string") return void response.end(body)
  await body(async (chunk) => {
    if (response.destroyed) throw new Error("the browser is gone")
    if (response.write(chunk)) return
    // A browser that leaves empties no buffer: what waits for it would wait for ever.
    await Promise.race([once(response, "drain"), once(response, "close")])
  })
  response.end()
}

function statusOf({ code }: EvalkitError): number {
  if (code === "store_locked") return 409
  if (code === "form_too_large") return 413
  if (code === "form_wrong" || code === "tag_wrong" || code === "note_wrong") return 400
  return 404
}

const safeHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Without any, a browser would send the forms of a page over plain HTTP as if they were of nobody's.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
}

/** A path of this server, and of no other one: `//other.example/` would be. */
function ownPath(path: string): string {
  return /^\/[/\\]/.test(path) ? "/" : path
}

function end(response: ServerResponse, status: number, { html, headers }: PlainDocument): void {
  response.writeHead(status, headers).end(html)
}
