import { type Connections, openConnections } from "../../capture/connections.ts"
import type { Exchange } from "../../capture/exchange.ts"
import { readAnswer } from "../../capture/read-answer.ts"
import { openCaptureThreads, transportOver } from "../../capture/threads/capture-threads.ts"
import { openWireConnections } from "../../capture/wire-connections.ts"
import { bareAnswer, unsentLog } from "../../core/bare-answer.ts"
import { systemClock } from "../../core/clock.ts"
import { messageOf, UsageError } from "../../core/errors.ts"
import type { Answer } from "../../core/generation.ts"
import type {
  CaptureSettings,
  HttpVersion,
  ModelRequest,
  ProviderSession,
  RequestOptions,
} from "../../core/provider.ts"
import { bound } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { withHint } from "../client/with-hint.ts"
import { createRefusalMemory, type RefusalMemory } from "../refusals/memory.ts"
import { notStreamed } from "../refusals/not-streamed.ts"
import { parametersIn } from "../refusals/parameters.ts"
import { sendWithoutRefused } from "../refusals/send.ts"
import { remoteResources } from "../unknown-resources.ts"
import { openaiBatches } from "./batches.ts"
import { readContextWindow } from "./context-window.ts"
import { interfaceOf, type OpenaiInterface } from "./interfaces.ts"
import { createLlamaServerScorer } from "./llama-server-scorer.ts"
import { metricsReader } from "./metrics-text.ts"
import type { EndpointFeatures, OpenaiOptions } from "./options.ts"
import { createTextScorer } from "./score-text.ts"
import { createScoringRequest, type ScoringRequest } from "./scoring-request.ts"
import { createSdkTransport } from "./sdk-transport.ts"
import { type ChatTransport, createEndpoint, type Endpoint, requestHeaders } from "./transport.ts"
import { createUndiciTransport } from "./undici-transport.ts"

const defaultMaxAnswerBytes = 64 * 1024 * 1024

/** Parts that a session's requests share. */
interface Shared {
  readonly api: OpenaiInterface
  readonly endpoint: Endpoint
  readonly options: OpenaiOptions
  readonly transport: ChatTransport
  readonly transportName: CaptureSettings["transport"]
  readonly memory: RefusalMemory
  /** The refusable parameters of requests: these share their parameters mostly. */
  readonly held: WeakMap<ModelRequest["parameters"], readonly string[]>
  /** In which answers have come. */
  readonly protocols: Set<Protocol>
}

type Protocol = "h2" | "http/1.1"

function nameOfProtocol(protocol: Protocol): string {
  return protocol === "h2" ? "HTTP/2" : "HTTP/1.1"
}

/** A client of an OpenAI-compatible endpoint. What this process knows as a secret is in no answer and no message of it. */
export async function openOpenaiSession(
  options: OpenaiOptions & { readonly baseUrl: string },
  apiKey: string | null,
  capture?: CaptureSettings,
): Promise<ProviderSession> {
  const endpoint = createEndpoint(options.baseUrl, apiKey, options.headers ?? {})
  const settings = capture ?? ownSettings(options)
  const version = allowedVersion(settings, options)
  const { origin } = endpoint
  const api = interfaceOf(options)
  const choice = allowed(settings)
  const isShared = choice === "auto" && capture === undefined
  const threads =
    choice === 0 ? null : await openCaptureThreads(origin, isShared ? "shared" : choice, version, api.reader)
  const connections =
    threads ?? (await (settings.transport === "sdk" ? openConnections(origin) : openWireConnections(origin, version)))
  const memory = createRefusalMemory([...unsupported(options.features ?? {}), ...api.unsupported])
  const transport =
    settings.transport === "undici"
      ? createUndiciTransport(endpoint, connections, api.resource)
      : await createSdkTransport(endpoint, connections, api, threads === null)
  const shared: Shared = {
    api,
    endpoint,
    options,
    transport,
    transportName: settings.transport,
    memory,
    held: new WeakMap(),
    protocols: new Set(),
  }
  return {
    request: (request, requestOptions) => requestAnswer(shared, request, requestOptions),
    ...(options.features?.batches !== false && {
      batches: openaiBatches({
        endpoint,
        memory,
        api,
        body: (request) => api.write(request, options),
        maxAnswerBytes: options.maxAnswerBytes ?? defaultMaxAnswerBytes,
      }),
    }),
    ...textScoring(options, endpoint, createScoringRequest(endpoint, connections)),
    warm: (count, signal) => (threads ? threads.open(count) : warm(endpoint, connections, count, signal)),
    transport() {
      const { transport } = settings
      const protocols = shared.protocols.has("h2")
        ? [[...shared.protocols].map(nameOfProtocol).sort().join(" and ")]
        : []
      if (!threads) return [transport, ...protocols].join(", ")
      return [transportOver(transport, threads.threads), ...protocols].join(", ")
    },
    spokeHttp2: () => shared.protocols.has("h2"),
    metricsText: metricsReader(options.baseUrl, requestHeaders(endpoint), options.metricsUrl),
    contextWindow: (signal) => readContextWindow(endpoint, options.model, signal),
    ...(threads && { holdsRequests: true as const, unended: () => threads.unended() }),
    captureLoad: async () => (threads ? threads.load() : null),
    resources: () => Promise.resolve(remoteResources),
    notes: (parameters) => memory.notes(parameters).map(redactSecrets),
    close: () => connections.close(),
  }
}

/** Capture as the provider's options say. Threads of their own cost little, and while answers are scored no stamp in the asking thread is exact. */
function ownSettings({ transport = "sdk", captureThreads = "auto" }: OpenaiOptions): CaptureSettings {
  return { transport, threads: captureThreads }
}

/** How the endpoint scores given texts, when it can. */
function textScoring(
  { features, model }: OpenaiOptions,
  endpoint: Endpoint,
  request: ScoringRequest,
): Pick<ProviderSession, "scoreText" | "scoreAnswer"> {
  if (features?.echoLogprobs) return { scoreText: createTextScorer(endpoint, request, model) }
  if (features?.forcedLogprobs) return createLlamaServerScorer(endpoint, request)
  return {}
}

/** Parameters that the endpoint is stated not to offer. */
function unsupported(features: EndpointFeatures): readonly string[] {
  const names = { logprobs: "logprobs", streamUsage: "stream_options", seed: "seed", jsonSchema: "response_format" }
  return Object.entries(names).flatMap(([feature, name]) =>
    features[feature as keyof typeof names] === false ? [name] : [],
  )
}

/** Names of the limit of an answer. */
const tokenLimits: ReadonlySet<string> = new Set(["max_tokens", "max_completion_tokens", "max_output_tokens"])

/** One attempt. A refused parameter is left out and the request sent again, at most once per parameter. */
async function requestAnswer(shared: Shared, request: ModelRequest, options: RequestOptions): Promise<Answer> {
  const { api, memory, transport, transportName } = shared
  const { parameters } = request
  try {
    return await sendWithoutRefused({
      parameters,
      origin: shared.endpoint.origin,
      body: () => api.write(request, shared.options),
      held: heldBy(request, shared),
      memory,
      send: (body) =>
        transport(body, {
          clock: options.clock,
          timeouts: options.timeouts,
          signal: options.signal,
          maxAnswerBytes: shared.options.maxAnswerBytes ?? defaultMaxAnswerBytes,
          ...(api.read && { read: api.read }),
          ...(options.sendAtMs !== undefined && { sendAtMs: options.sendAtMs }),
          ...(options.maxInFlight !== undefined && { maxInFlight: options.maxInFlight }),
          ...(options.answerMayWait && { answerMayWait: true }),
        }),
      read(exchange, asked) {
        const answer = readAnswer(exchange, {
          scheduledMs: options.scheduledMs,
          originMs: options.originMs,
          promisedJson: asked.includes("response_format"),
          transport: transportName,
          redact: redactSecrets,
          wallMs: options.clock.wall(),
          ...(asked.some((name) => tokenLimits.has(name)) && { maxTokens: parameters.maxTokens ?? undefined }),
          ...(api.read && { read: api.read }),
        })
        return withHint(answer, hintFor(answer, shared.endpoint))
      },
      ended(asked, answer, exchange) {
        if (exchange.status !== null) shared.protocols.add(exchange.protocol ?? "http/1.1")
        noteMissing(memory, asked, answer, exchange)
      },
    })
  } catch (error) {
    return clientFault(bound(redactSecrets(messageOf(error))), options, transportName)
  }
}

/** A path that is none of the interface's is most often a base URL without its version, or with a query that is not taken. */
function hintFor(answer: Answer, endpoint: Endpoint): string {
  if (answer.httpStatus !== 404) return ""
  const { pathname, searchParams } = new URL(endpoint.path(""), endpoint.origin)
  if (!/\/v\d|\/openai\b/.test(pathname))
    return `the base URL may be ${endpoint.origin}${pathname.replace(/\/$/, "")}/v1`
  const names = [...searchParams.keys()].join(", ")
  return names && `the query of the base URL (${names}) was sent with it; leave it out where the service takes none`
}

/** The refusable parameters of a request. */
function heldBy(request: ModelRequest, { api, held, options }: Shared): readonly string[] {
  const existing = held.get(request.parameters) ?? parametersIn(api.write(request, options))
  held.set(request.parameters, existing)
  return existing
}

function noteMissing(memory: RefusalMemory, asked: readonly string[], answer: Answer, exchange: Exchange): void {
  memory.addAnswer(answer)
  if (answer.outcome !== "ok" || exchange.interruption) return
  if (answer.log.endOnly) memory.note(notStreamed)
  if (asked.includes("logprobs") && answer.logprobs === null && answer.text !== "")
    memory.note("logprobs: asked for but not given; figures from token probabilities are unknown")
  if (asked.includes("stream_options") && answer.usage.completionTokens === null)
    memory.note("usage: asked for but not given; token counts are unknown")
}

/** Opens connections by as many small requests at the same time; what they answer does not matter. */
async function warm(endpoint: Endpoint, connections: Connections, count: number, signal: AbortSignal): Promise<void> {
  const limit = 10_000
  const timeouts = { connectMs: limit, firstTokenMs: limit, gapMs: limit, totalMs: limit }
  const headers = requestHeaders(endpoint)
  const path = endpoint.path("/models")
  const request = { method: "GET", path, headers, body: null } as const
  const options = { clock: systemClock, timeouts, signal, maxAnswerBytes: defaultMaxAnswerBytes }
  await Promise.all(Array.from({ length: count }, () => connections.capture(request, options)))
}

/** @throws UsageError for a number of threads that is none */
function allowed({ threads }: CaptureSettings): number | "auto" {
  if (threads !== "auto" && !(Number.isInteger(threads) && threads >= 0 && threads <= maxThreads))
    throw new UsageError(`capture threads must be a whole number from 0 to ${maxThreads}`, { where: String(threads) })
  return threads
}

const maxThreads = 64

/** @throws UsageError for a version that there is not, and for HTTP/2 over a transport that does not speak it */
function allowedVersion({ transport, httpVersion }: CaptureSettings, options: OpenaiOptions): HttpVersion {
  const version = httpVersion ?? options.httpVersion ?? "auto"
  if (version === "2" && transport === "sdk")
    throw new UsageError("HTTP/2 needs the undici transport", { hint: 'add transport: "undici"' })
  // As the package does.
  return transport === "sdk" ? "1.1" : version
}

function clientFault(message: string, options: RequestOptions, transport: string): Answer {
  const { clock, originMs, scheduledMs } = options
  const log = unsentLog(scheduledMs - originMs, clock.now() - originMs)
  return bareAnswer({ outcome: "client_fault", log, failure: { message }, server: { transport } })
}
