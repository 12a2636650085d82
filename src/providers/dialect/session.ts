import { type Connections, openConnections } from "../../capture/connections.ts"
import { type ReadEvents, readAnswer } from "../../capture/read-answer.ts"
import { bound } from "../../capture/redact.ts"
import { redactSecrets } from "../../capture/secrets.ts"
import { bareAnswer, unsentLog } from "../../core/bare-answer.ts"
import { messageOf } from "../../core/errors.ts"
import type { Answer } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import type { ModelRequest, ProviderSession, RequestOptions } from "../../core/provider.ts"
import { remoteResources } from "../remote-resources.ts"

/** One request in the words of a service. */
export interface WrittenRequest {
  /** With the query. */
  readonly path: string
  readonly body: JsonValue
}

/** How a service's interface is written and read, where it is not OpenAI's. */
export interface Dialect {
  /** `scheme://host:port` */
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** May throw: then the answer is a fault of the client that says why. */
  write(request: ModelRequest, options: RequestOptions): WrittenRequest
  readonly read: ReadEvents
  /** Default 64 MiB. */
  readonly maxAnswerBytes?: number
}

const defaultMaxAnswerBytes = 64 * 1024 * 1024

/** A client that stamps bytes as they arrive and reads them as the dialect says. */
export async function openDialectSession(dialect: Dialect): Promise<ProviderSession> {
  const connections = await openConnections(dialect.origin)
  return {
    request: (request, options) => requestAnswer(dialect, connections, request, options),
    transport: () => "undici",
    resources: () => Promise.resolve(remoteResources),
    notes: () => [],
    close: () => connections.close(),
  }
}

async function requestAnswer(
  dialect: Dialect,
  connections: Connections,
  request: ModelRequest,
  options: RequestOptions,
): Promise<Answer> {
  const { clock, timeouts, signal, originMs, scheduledMs } = options
  try {
    const { path, body } = dialect.write(request, options)
    const headers = {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      "user-agent": "evalkit",
      ...dialect.headers,
    }
    const exchange = await connections.capture(
      { method: "POST", path, headers, body: JSON.stringify(body) },
      { clock, timeouts, signal, maxAnswerBytes: dialect.maxAnswerBytes ?? defaultMaxAnswerBytes, read: dialect.read },
    )
    return readAnswer(exchange, {
      scheduledMs,
      originMs,
      promisedJson: false,
      transport: "undici",
      redact: redactSecrets,
      wallMs: clock.wall(),
      read: dialect.read,
    })
  } catch (error) {
    return bareAnswer({
      outcome: "client_fault",
      log: unsentLog(scheduledMs - originMs, clock.now() - originMs),
      failure: { message: bound(redactSecrets(messageOf(error))) },
      server: { transport: "undici" },
    })
  }
}
