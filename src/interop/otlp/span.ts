import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, numberOf, objectOf, textOf } from "../fields.ts"

/** Attributes by name; the values of somebody else's keys never reach an object of ours. */
export type Attributes = ReadonlyMap<string, JsonValue>

/** What happened within a span. */
export interface SpanEvent {
  readonly name: string
  /** Microseconds since 1970; null where the exporter wrote none. */
  readonly atUs: number | null
  readonly attributes: Attributes
}

/** A span of a trace, whatever encoding it came in. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** Null for the root of a trace. */
  readonly parentId: string | null
  readonly name: string
  /** Microseconds since 1970; null where there is none. */
  readonly startUs: number | null
  readonly endUs: number | null
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  /** The span's status is an error. */
  readonly isError: boolean
  readonly statusMessage: string
  /** `service.name` of its resource. */
  readonly service: string | null
}

/** Why something in the place of a span is none. */
export interface NoSpan {
  readonly fault: string
}

class TooDeep extends Error {}

/** Whether an object is an ExportTraceServiceRequest, or the TracesData of a file exporter: they have the same shape. */
export function isTraceRequest(document: JsonObject): boolean {
  return listOf(document.resourceSpans ?? document.resource_spans).length > 0
}

/**
 * The spans of an ExportTraceServiceRequest in OTLP's JSON encoding. Both spellings of names are read, and the older
 * `instrumentationLibrarySpans`.
 */
export function* spansOf(request: JsonValue): Generator<Span | NoSpan> {
  for (const resource of listOf(named(request, "resourceSpans", "resource_spans"))) {
    const service = serviceOf(member(resource, "resource", "attributes"))
    const scopes =
      named(resource, "scopeSpans", "scope_spans") ??
      named(resource, "instrumentationLibrarySpans", "instrumentation_library_spans")
    for (const scope of listOf(scopes)) for (const span of listOf(member(scope, "spans"))) yield readSpan(span, service)
  }
}

function serviceOf(attributes: JsonValue | undefined): string | null {
  const service = listOf(attributes).find((item) => member(item, "key") === "service.name")
  return textOf(named(member(service, "value"), "stringValue", "string_value"))?.slice(0, maxNameLength) ?? null
}

function readSpan(raw: JsonValue, service: string | null): Span | NoSpan {
  try {
    return spanOf(raw, service)
  } catch (error) {
    if (error instanceof TooDeep) return { fault: error.message }
    throw error
  }
}

function spanOf(raw: JsonValue, service: string | null): Span | NoSpan {
  const traceId = textOf(named(raw, "traceId", "trace_id"))
  const spanId = textOf(named(raw, "spanId", "span_id"))
  if (!traceId || !spanId) return { fault: "a span has no traceId or no spanId" }
  const status = member(raw, "status")
  const code = member(status, "code")
  return {
    traceId: traceId.slice(0, maxNameLength),
    spanId: spanId.slice(0, maxNameLength),
    service,
    parentId: textOf(named(raw, "parentSpanId", "parent_span_id"))?.slice(0, maxNameLength) || null,
    name: (textOf(member(raw, "name")) ?? "").slice(0, maxNameLength),
    startUs: microseconds(named(raw, "startTimeUnixNano", "start_time_unix_nano")),
    endUs: microseconds(named(raw, "endTimeUnixNano", "end_time_unix_nano")),
    attributes: attributesOf(member(raw, "attributes")),
    events: listOf(member(raw, "events")).map((event) => ({
      name: textOf(member(event, "name")) ?? "",
      atUs: microseconds(named(event, "timeUnixNano", "time_unix_nano")),
      attributes: attributesOf(member(event, "attributes")),
    })),
    isError: code === 2 || code === "STATUS_CODE_ERROR",
    statusMessage: textOf(member(status, "message")) ?? "",
  }
}

/** Ids and names are longer in no tracer. */
const maxNameLength = 200

function named(value: JsonValue | undefined, camel: string, snake: string): JsonValue | undefined {
  return member(value, camel) ?? member(value, snake)
}

/** Whole microseconds of a count of nanoseconds: a text of digits (OTLP's JSON), or a number. 0 is "not set". */
function microseconds(nanoseconds: JsonValue | undefined): number | null {
  if (typeof nanoseconds === "string" && /^\d{1,20}$/.test(nanoseconds)) {
    const us = Number(BigInt(nanoseconds) / 1000n)
    return us > 0 && Number.isSafeInteger(us) ? us : null
  }
  const number = numberOf(nanoseconds)
  return number !== undefined && number > 0 && number < 9e18 ? Math.round(number / 1000) : null
}

function attributesOf(list: JsonValue | undefined): Attributes {
  const attributes = new Map<string, JsonValue>()
  for (const item of listOf(list)) {
    const key = member(item, "key")
    if (typeof key === "string") attributes.set(key, anyValue(member(item, "value"), 0))
  }
  return attributes
}

/** Deeper values than any attribute has. */
const deepest = 40

/** OTLP's AnyValue as JSON; null where it is empty. */
function anyValue(value: JsonValue | undefined, depth: number): JsonValue {
  const object = objectOf(value)
  if (!object) return null
  if (depth > deepest) throw new TooDeep(`an attribute is nested more than ${deepest} deep`)
  const has = (name: string) => member(object, name)
  const text = has("stringValue") ?? has("string_value")
  if (typeof text === "string") return text
  const truth = has("boolValue") ?? has("bool_value")
  if (typeof truth === "boolean") return truth
  const whole = has("intValue") ?? has("int_value")
  if (whole !== undefined) return Number.isFinite(Number(whole)) ? Number(whole) : null
  const double = has("doubleValue") ?? has("double_value")
  if (double !== undefined) return numberOf(double) ?? null
  const array = has("arrayValue") ?? has("array_value")
  if (array !== undefined) return listOf(member(array, "values")).map((item) => anyValue(item, depth + 1))
  const pairs = has("kvlistValue") ?? has("kvlist_value")
  if (pairs === undefined) return null
  const entries = listOf(member(pairs, "values")).flatMap((pair): [string, JsonValue][] => {
    const key = member(pair, "key")
    return typeof key === "string" ? [[key, anyValue(member(pair, "value"), depth + 1)]] : []
  })
  // `fromEntries` defines members of its own, whatever they are called.
  return Object.fromEntries(entries)
}
