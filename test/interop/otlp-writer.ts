import protobuf from "protobufjs/minimal.js"

/** A span as a test writes it down. */
export interface WrittenSpan {
  readonly trace?: string
  readonly id: string
  readonly parent?: string
  readonly name?: string
  /** Milliseconds from the start of the test's clock. */
  readonly at?: readonly [number, number]
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly events?: readonly { readonly name: string; readonly at?: number; readonly attributes?: object }[]
  readonly error?: string
}

const originMs = Date.UTC(2026, 9, 1)
const nanoseconds = (ms: number) => `${originMs + Math.floor(ms)}${String(Math.round((ms % 1) * 1e6)).padStart(6, "0")}`
const traceOf = (span: WrittenSpan) => (span.trace ?? "1").padStart(32, "0")
const idOf = (id: string) => id.padStart(16, "0")

/** An ExportTraceServiceRequest in OTLP's JSON encoding. */
export function traceJson(spans: readonly WrittenSpan[], service = "shop") {
  const attributes = (values: object) =>
    Object.entries(values).map(([key, value]) => ({ key, value: jsonValue(value) }))
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ "service.name": service }) },
        scopeSpans: [
          {
            spans: spans.map((span) => ({
              ...{ traceId: traceOf(span), spanId: idOf(span.id), name: span.name ?? span.id },
              ...(span.parent !== undefined && { parentSpanId: idOf(span.parent) }),
              startTimeUnixNano: nanoseconds(span.at?.[0] ?? 0),
              endTimeUnixNano: nanoseconds(span.at?.[1] ?? 1000),
              attributes: attributes(span.attributes ?? {}),
              events: (span.events ?? []).map(({ name, at, attributes: own }) => ({
                ...{ name, timeUnixNano: nanoseconds(at ?? 0), attributes: attributes(own ?? {}) },
              })),
              ...(span.error !== undefined && { status: { code: "STATUS_CODE_ERROR", message: span.error } }),
            })),
          },
        ],
      },
    ],
  }
}

function jsonValue(value: unknown): object {
  if (typeof value === "string") return { stringValue: value }
  if (typeof value === "boolean") return { boolValue: value }
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(jsonValue) } }
  const values = Object.entries(value as object).map(([key, entry]) => ({ key, value: jsonValue(entry) }))
  return { kvlistValue: { values } }
}

type Write = (writer: protobuf.Writer) => void

/** The same request in protobuf. */
export function traceProtobuf(spans: readonly WrittenSpan[], service = "shop"): Uint8Array {
  const bytes = (hex: string) => Buffer.from(hex, "hex")
  const pairs = (field: number, values: object) => (writer: protobuf.Writer) => {
    for (const [key, value] of Object.entries(values))
      within(writer, field, (own) => {
        own.uint32(10).string(key)
        within(own, 2, protobufValue(value))
      })
  }
  const stamp = (writer: protobuf.Writer, tag: number, ms: number) => {
    const whole = BigInt(nanoseconds(ms))
    writer
      .uint32(tag)
      .fixed32(Number(whole & 0xffffffffn))
      .fixed32(Number(whole >> 32n))
  }
  const writer = protobuf.Writer.create()
  within(writer, 1, (resource) => {
    within(resource, 1, pairs(1, { "service.name": service }))
    within(resource, 2, (scope) => {
      within(scope, 1, (own) => own.uint32(10).string("a scope"))
      for (const span of spans)
        within(scope, 2, (own) => {
          own.uint32(10).bytes(bytes(traceOf(span)))
          own.uint32(18).bytes(bytes(idOf(span.id)))
          if (span.parent !== undefined) own.uint32(34).bytes(bytes(idOf(span.parent)))
          own.uint32(42).string(span.name ?? span.id)
          own.uint32(48).int32(3)
          stamp(own, 57, span.at?.[0] ?? 0)
          stamp(own, 65, span.at?.[1] ?? 1000)
          pairs(9, span.attributes ?? {})(own)
          for (const event of span.events ?? [])
            within(own, 11, (entry) => {
              stamp(entry, 9, event.at ?? 0)
              entry.uint32(18).string(event.name)
              pairs(3, event.attributes ?? {})(entry)
            })
          const { error } = span
          if (error !== undefined)
            within(own, 15, (entry) => {
              entry.uint32(18).string(error)
              entry.uint32(24).int32(2)
            })
        })
    })
  })
  return writer.finish()
}

function within(writer: protobuf.Writer, field: number, write: Write): void {
  writer.uint32(field * 8 + 2).fork()
  write(writer)
  writer.ldelim()
}

function protobufValue(value: unknown): Write {
  return (writer) => {
    if (typeof value === "string") writer.uint32(10).string(value)
    else if (typeof value === "boolean") writer.uint32(16).bool(value)
    else if (typeof value === "number" && Number.isInteger(value)) writer.uint32(24).int64(value)
    else if (typeof value === "number") writer.uint32(33).double(value)
    else if (Array.isArray(value))
      within(writer, 5, (own) => {
        for (const entry of value) within(own, 1, protobufValue(entry))
      })
    else
      within(writer, 6, (own) => {
        for (const [key, entry] of Object.entries(value as object))
          within(own, 1, (pair) => {
            pair.uint32(10).string(key)
            within(pair, 2, protobufValue(entry))
          })
      })
  }
}
