import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import type { Dispatcher } from "undici"
import { readErrorBody } from "../../capture/classify.ts"
import { readRetryAfter } from "../../capture/retry-after.ts"
import { BatchError } from "../../core/batch/batch-error.ts"
import { messageOf } from "../../core/errors.ts"
import { passesWithTime } from "../../core/outcome.ts"
import { dispatcherFor } from "../../platform/proxy.ts"
import { bound } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"

/** A request to a batch interface; nothing of it is timed. */
export interface BatchRequest {
  readonly method: "GET" | "POST"
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text, or its parts one after the other. */
  readonly body?: string | Iterable<string>
}

/** A reply that was read to its end. */
export interface BatchReply {
  readonly value: unknown
  readonly retryAfterMs: number | null
}

/** How a service's batch interface is asked. Errors are {@link BatchError}; no message holds a secret. */
export interface BatchClient {
  /** A JSON reply. Questions (GET) are asked again after a fault of the moment, anything else never. */
  json(request: BatchRequest, signal: AbortSignal): Promise<BatchReply>
  /** The lines of a reply, as they come. */
  lines(path: string, signal: AbortSignal): AsyncIterable<string>
}

/** Longest wait of one request for the first and for the next byte, in milliseconds. */
const maxSilenceMs = 120_000
/** Tries of a question, and the wait after the first, which doubles. */
const maxTries = 4
const firstWaitMs = 250
const maxWaitMs = 30_000

/** @param maxBytes of one line, and of a reply that is no list of lines */
export function createBatchClient(
  origin: string,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
): BatchClient {
  const ask = async ({ method, path, body, ...more }: BatchRequest, signal: AbortSignal) => {
    const { request } = await import("undici")
    const dispatcher = await dispatcherFor(origin)
    const where = `${method} ${origin}${path.split("?")[0]}`
    const options = {
      method,
      headers: { accept: "application/json", "user-agent": "evalkit", ...headers, ...more.headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : Readable.from(body, { objectMode: false }) }),
      signal,
      headersTimeout: maxSilenceMs,
      bodyTimeout: maxSilenceMs,
      ...(dispatcher && { dispatcher }),
    }
    const response = await request(`${origin}${path}`, options).catch((error: unknown) => {
      throw unclear(error, where, signal)
    })
    if (response.statusCode < 200 || response.statusCode > 299) throw await refusal(response, where)
    return { response, where }
  }
  const tried = async <Result>(isQuestion: boolean, signal: AbortSignal, work: () => Promise<Result>) => {
    for (let attempt = 1; ; attempt++)
      try {
        return await work()
      } catch (error) {
        const mayPass = error instanceof BatchError && error.fault !== "refused"
        if (!isQuestion || !mayPass || attempt >= maxTries) throw error
        await pause(Math.min(maxWaitMs, error.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1)), signal)
      }
  }
  return {
    json: (asked, signal) =>
      tried(asked.method === "GET", signal, async () => {
        const { response, where } = await ask(asked, signal)
        const text = await readWhole(response.body, maxBytes, where, signal)
        try {
          return { value: JSON.parse(text) as unknown, retryAfterMs: retryAfter(response) }
        } catch {
          throw new BatchError("the reply is not JSON", { fault: "unclear", where })
        }
      }),
    async *lines(path, signal) {
      const { response, where } = await tried(true, signal, () => ask({ method: "GET", path }, signal))
      try {
        for await (const line of boundedLines(response.body, maxBytes)) if (line.trim() !== "") yield line
      } catch (error) {
        throw unclear(error, where, signal)
      } finally {
        response.body.destroy()
      }
    },
  }
}

type Response = Dispatcher.ResponseData

async function* boundedLines(body: Readable, maxBytes: number): AsyncGenerator<string> {
  let length = 0
  body.on("data", (chunk: Buffer) => {
    const end = chunk.lastIndexOf(10)
    length = end < 0 ? length + chunk.length : chunk.length - end - 1
    if (length > maxBytes) body.destroy(new Error(`a line is longer than ${maxBytes} bytes`))
  })
  let failure: unknown = null
  const lines = createInterface({ input: body, crlfDelay: Number.POSITIVE_INFINITY })
  body.on("error", (error) => {
    failure = error
    lines.close()
  })
  // It says again what its input said, whether or not anybody reads on.
  lines.on("error", () => {})
  yield* lines
  if (failure !== null) throw failure
}

async function readWhole(body: Readable, maxBytes: number, where: string, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes > maxBytes) throw new Error(`the reply is larger than ${maxBytes} bytes`)
    }
  } catch (error) {
    throw unclear(error, where, signal)
  }
  return Buffer.concat(chunks).toString("utf8")
}

function unclear(error: unknown, where: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof BatchError) return error
  return new BatchError(bound(redactSecrets(messageOf(error))), { fault: "unclear", where: redactSecrets(where) })
}

async function refusal(response: Response, where: string): Promise<BatchError> {
  const status = response.statusCode
  const text = await readWhole(response.body, 1_000_000, where, new AbortController().signal).catch(() => "")
  const { message } = readErrorBody({ chunks: [Buffer.from(text)] })
  const fault = status === 429 || passesWithTime(status) ? "later" : status < 500 ? "refused" : "unclear"
  const words = `HTTP ${status}${message ? `: ${message}` : ""}`
  return new BatchError(bound(redactSecrets(words)), {
    fault,
    where: redactSecrets(where),
    retryAfterMs: retryAfter(response),
  })
}

function retryAfter({ headers }: Response): number | null {
  const names = ["retry-after", "retry-after-ms"]
  const stated = names.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : []))
  return readRetryAfter(new Map(stated), Date.now())
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
}
