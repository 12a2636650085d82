import { textOf } from "../fields.ts"
import type { Span } from "./span.ts"

/** What a span stands for: a model's answer, a search for passages, their reranking, or any other work. */
export type SpanKind = "generation" | "retrieval" | "rerank" | "other"

/** Says what a span stands for, by the conventions of OpenTelemetry, OpenInference, OpenLLMetry and the Vercel AI SDK. */
export function kindOf({ attributes, events, name }: Pick<Span, "attributes" | "events" | "name">): SpanKind {
  const said = (attribute: string) => textOf(attributes.get(attribute))?.toLowerCase()
  const operation = said("gen_ai.operation.name")
  if (operation !== undefined) return operations.get(operation) ?? "other"
  const kind = said("openinference.span.kind")
  if (kind !== undefined) return kinds.get(kind) ?? "other"
  const request = said("llm.request.type")
  if (request !== undefined) return request === "chat" || request === "completion" ? "generation" : "other"
  const vercel = textOf(attributes.get("ai.operationId"))
  if (vercel !== undefined)
    return /^ai\.(?:generate|stream)(?:Text|Object)(?:\.do(?:Generate|Stream))?$/.test(vercel) ? "generation" : "other"
  // Spans of the first conventions had a system and a model, and no operation.
  if (attributes.has("gen_ai.system") && attributes.has("gen_ai.request.model"))
    return /embed/i.test(name) ? "other" : "generation"
  return events.some((event) => event.attributes.has("db.query.result.document")) ? "retrieval" : "other"
}

const operations: ReadonlyMap<string, SpanKind> = new Map([
  ["chat", "generation"],
  ["text_completion", "generation"],
  ["completion", "generation"],
  ["generate_content", "generation"],
  ["retrieval", "retrieval"],
  ["rerank", "rerank"],
])

/** OpenInference's. */
const kinds: ReadonlyMap<string, SpanKind> = new Map([
  ["llm", "generation"],
  ["retriever", "retrieval"],
  ["reranker", "rerank"],
])
