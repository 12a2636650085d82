import { readFile, stat } from "node:fs/promises"
import { messageOf, UsageError } from "../../core/errors.ts"
import type { ForeignLog, ForeignRecord, UnaskedCall } from "../../core/foreign/foreign-log.ts"
import { contentHash, type JsonValue } from "../../core/json.ts"
import type { ChatMessage } from "../../core/message.ts"
import { objectOf } from "../fields.ts"
import { foreignSample } from "../foreign-sample.ts"
import { type BadLine, jsonLines, maxDocumentBytes, type PlacedValue } from "../json-file.ts"
import { createOccasions, type Occasions } from "../occasions.ts"
import type { JsonDocument } from "../row-file.ts"
import { answerOf, conversationIdOf, modelOf, scoresOf } from "./answer.ts"
import { conversationOf } from "./conversation.ts"
import { mediaReason, type TracedMessage } from "./messages.ts"
import { type Framing, protobufRequests } from "./protobuf.ts"
import { isTraceRequest, type Span, spansOf } from "./span.ts"
import { Traces } from "./traces.ts"

/** How the spans are written: lines of JSON, one document of it, or protobuf. */
export type TraceForm = "lines" | Framing | JsonDocument

/**
 * The calls of models in a trace (OTLP): each is a sample, with its messages as input, and its answer with usage, times, tool calls and
 * errors. Passages are those that searches of the same trace found before; stages are the spans before it, by name. Spans that wrap
 * another call are left out. Samples of one conversation, or of one trace, are a cluster. The same question is the same sample in every
 * file; a question that comes again is a sample of its own, in the same cluster.
 *
 * @throws {UsageError} for a file that is cut off, and for one without a call of a model
 */
export async function otlpLog(path: string, file: string, form: TraceForm): Promise<ForeignLog> {
  const traces = new Traces()
  const services = new Set<string>()
  let firstUs = Number.POSITIVE_INFINITY
  for await (const { span } of spansIn(path, file, form)) {
    if (!span) continue
    traces.add(span, file)
    if (span.service !== null && services.size < maxServices) services.add(span.service)
    if (span.startUs !== null) firstUs = Math.min(firstUs, span.startUs)
  }
  if (traces.finish() === 0)
    throw new UsageError(`none of the ${traces.spans} spans is the call of a model`, {
      where: file,
      hint: "calls have gen_ai.operation.name (chat, text_completion, generate_content), or the names of OpenInference, OpenLLMetry or the Vercel AI SDK",
    })
  return {
    tool: "otlp",
    file,
    dataset: [...services].join(", ") || "traces",
    startedAt: Number.isFinite(firstUs) && firstUs < 8.64e18 ? new Date(firstUs / 1000).toISOString() : null,
    metrics: new Map(),
    notes: ["time to first token is the time to the first chunk, as the application's instrumentation saw it"],
    async *records() {
      const occasions = createOccasions()
      const done = new Set<string>()
      for await (const { span, where, fault } of spansIn(path, file, form)) {
        if (!span) yield { where, field: null, reason: fault }
        else if (traces.isAnswer(span)) {
          // An exporter that tries again sends its spans twice.
          const key = `${span.traceId} ${span.spanId}`
          if (!done.has(key)) yield recordOf(span, `${where} (span ${span.spanId})`, traces, occasions)
          done.add(key)
        }
      }
    },
  }
}

/** More services than a data set is named after. */
const maxServices = 4

type Found =
  | { readonly span: Span; readonly where: string; readonly fault?: never }
  | { readonly span?: never; readonly where: string; readonly fault: string }

async function* spansIn(path: string, file: string, form: TraceForm): AsyncGenerator<Found> {
  for await (const line of requestsIn(path, file, form)) {
    const request = "value" in line ? objectOf(line.value) : undefined
    if (!("value" in line)) yield { where: line.where, fault: line.reason }
    else if (request && isTraceRequest(request))
      for (const span of spansOf(request))
        yield "fault" in span ? { where: line.where, fault: span.fault } : { where: line.where, span }
    // The Collector may write metrics and logs into the same file.
    else if (!request || !others.some((name) => name in request))
      yield { where: line.where, fault: "the line holds no resourceSpans" }
  }
}

const others = ["resourceSpans", "resourceLogs", "resourceMetrics", "resourceProfiles"]

async function* requestsIn(path: string, file: string, form: TraceForm): AsyncGenerator<PlacedValue | BadLine> {
  if (form === "lines") yield* jsonLines(path, file)
  else if (typeof form === "object")
    for await (const { value, where } of form.values("resourceSpans", "resource_spans"))
      yield { value: { resourceSpans: [value] }, where }
  else {
    const { size } = await stat(path)
    if (size > maxDocumentBytes)
      throw new UsageError("the trace is too long to be read as one message", {
        where: `${file} (${Math.round(size / 2 ** 20)} MB)`,
        hint: `at most ${maxDocumentBytes / 2 ** 20} MB are read`,
      })
    try {
      for await (const value of protobufRequests(await readFile(path), form)) yield { value, where: file }
    } catch (error) {
      throw new UsageError(`the trace cannot be read: ${messageOf(error)}`, {
        code: "bad_file",
        where: file,
        cause: error,
      })
    }
  }
}

function recordOf(span: Span, where: string, traces: Traces, occasions: Occasions): ForeignRecord | UnaskedCall {
  const { input, output } = conversationOf(span)
  const { model, provider } = modelOf(span)
  const call = {
    variant: model,
    answer: answerOf(span, output, traces.stagesBefore(span), input.length === 0),
    ...(span.startUs !== null && { startedAtMs: span.startUs / 1000 }),
    ...(provider !== undefined && { provider }),
  }
  const isMedia = input.some(({ hasMedia }) => hasMedia)
  if (input.length === 0 || isMedia)
    return { where, field: "gen_ai.input.messages", reason: isMedia ? mediaReason : noContent, call }
  const messages = input.map(asMessage)
  const key = contentHash(messages as unknown as JsonValue, 16)
  const occasion = occasions.next(model, key)
  const own = conversationIdOf(span) ?? (traces.hasSeveral(span.traceId) ? span.traceId : key)
  return {
    ...call,
    sample: foreignSample({
      id: occasion === 0 ? key : `${key}-${occasion + 1}`,
      input: messages.length === 1 && messages[0]?.role === "user" ? messages[0].content : messages,
      context: traces.passagesBefore(span),
      cluster: own,
      metadata: {
        trace_id: span.traceId,
        span_id: span.spanId,
        ...(provider !== undefined && { provider }),
      },
    }),
    repeat: 0,
    scores: scoresOf(span),
    where,
  }
}

const noContent =
  "the span holds no messages: have its instrumentation record them (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT)"

function asMessage({ role, content, toolCalls, toolCallId }: TracedMessage): ChatMessage {
  return { role, content, ...(toolCalls && { toolCalls }), ...(toolCallId !== undefined && { toolCallId }) }
}
