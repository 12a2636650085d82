import type { Connections } from "../../capture/connections.ts"
import { type ReadEvents, readAnswer } from "../../capture/read-answer.ts"
import { openCaptureThreads, transportOver } from "../../capture/threads/capture-threads.ts"
import type { EventReader } from "../../capture/threads/worker-messages.ts"
import { openWireConnections } from "../../capture/wire-connections.ts"
import { bareAnswer, unsentLog } from "../../core/bare-answer.ts"
import type { BatchService } from "../../core/batch/batch-service.ts"
import { messageOf } from "../../core/errors.ts"
import type { Answer } from "../../core/generation.ts"
import type { JsonObject } from "../../core/json.ts"
import type { ModelRequest, ProviderSession, RequestOptions } from "../../core/provider.ts"
import { bound } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { createRefusalMemory, type RefusalMemory } from "../refusals/memory.ts"
import { notStreamed } from "../refusals/not-streamed.ts"
import { sendWithoutRefused } from "../refusals/send.ts"
import { remoteResources } from "../unknown-resources.ts"

/** How a service's interface is written and read, where it is not OpenAI's. */
export interface Dialect {
  /** `scheme://host:port` */
  readonly origin: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The body of one request. May throw: then the answer is a fault of the client that says why. */
  write(request: ModelRequest, options: RequestOptions): JsonObject
  readonly read: ReadEvents
  /** Where a capture thread finds the same function; absent: requests stay in the process itself. */
  readonly reader?: EventReader | undefined
  /** Parameters that are the service's own business: never left out because a refusal names them. */
  readonly kept?: readonly string[]
  /** Refusable parameters that the service does not offer, by their usual names: written, never sent, noted. */
  readonly unsupported?: readonly string[]
  /** Whether answers are promised to be the JSON that the parameters ask for. */
  readonly enforcesJson?: boolean
  /** Default 64 MiB. */
  readonly maxAnswerBytes?: number | undefined
  /** The service's batch interface; absent where it has none. */
  readonly batches?: DialectBatchInterface
}

/** A service's batch interface, by its own file. */
export interface DialectBatchInterface extends Pick<DialectBatches, "path" | "write"> {
  open(options: DialectBatches): BatchService
}

/** What a service's batch interface is made with. */
export interface DialectBatches {
  readonly origin: string
  /** Where batches are asked for. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** What the session's calls were refused. */
  readonly memory: RefusalMemory
  /** The body of a live call. */
  write(request: ModelRequest): JsonObject
  /** Of one result. */
  readonly maxAnswerBytes: number
}

const defaultMaxAnswerBytes = 64 * 1024 * 1024

/** A client that stamps bytes as they arrive and reads them as the dialect says. */
export async function openDialectSession(dialect: Dialect): Promise<ProviderSession> {
  const { origin, reader } = dialect
  const threads = reader ? await openCaptureThreads(origin, "shared", "auto", reader) : null
  const connections = threads ?? (await openWireConnections(origin))
  const memory = createRefusalMemory(dialect.unsupported)
  return {
    request: (request, options) => requestAnswer(dialect, connections, memory, request, options),
    ...(dialect.batches && { batches: batchesOf(dialect, dialect.batches, memory) }),
    transport: () => (threads ? transportOver("undici", threads.threads) : "undici"),
    resources: () => Promise.resolve(remoteResources),
    notes: (parameters) => memory.notes(parameters).map(redactSecrets),
    close: () => connections.close(),
  }
}

function batchesOf(
  dialect: Dialect,
  { open, path, write }: DialectBatchInterface,
  memory: RefusalMemory,
): BatchService {
  const { origin, headers, maxAnswerBytes = defaultMaxAnswerBytes } = dialect
  return open({ origin, path, headers, memory, write, maxAnswerBytes })
}

async function requestAnswer(
  dialect: Dialect,
  connections: Connections,
  memory: RefusalMemory,
  request: ModelRequest,
  options: RequestOptions,
): Promise<Answer> {
  const { clock, timeouts, signal, originMs, scheduledMs } = options
  const { read, path, maxAnswerBytes = defaultMaxAnswerBytes } = dialect
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    "user-agent": "evalkit",
    ...dialect.headers,
  }
  try {
    return await sendWithoutRefused({
      parameters: request.parameters,
      origin: dialect.origin,
      body: () => dialect.write(request, options),
      memory,
      ...(dialect.kept && { kept: dialect.kept }),
      send: (body) =>
        connections.capture(
          { method: "POST", path, headers, body: JSON.stringify(body) },
          { clock, timeouts, signal, maxAnswerBytes, read },
        ),
      read: (exchange, asked) =>
        readAnswer(exchange, {
          scheduledMs,
          originMs,
          promisedJson: Boolean(dialect.enforcesJson && asked.includes("response_format")),
          transport: "undici",
          redact: redactSecrets,
          wallMs: clock.wall(),
          read,
        }),
      ended: (_asked, answer) => noteMissing(memory, answer),
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

/** What of the answer is missing, and what it shows of the endpoint. */
function noteMissing(memory: RefusalMemory, answer: Answer): void {
  if (answer.log.endOnly) memory.note(notStreamed)
  memory.addAnswer(answer)
}
