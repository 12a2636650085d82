import type { JsonValue } from "../../core/json.ts"
import { listOf, member, textOf } from "../fields.ts"
import { indexedList } from "./indexed.ts"
import { unwrapped } from "./messages.ts"
import type { Span } from "./span.ts"

/** More passages than an answer is given. */
const maxPassages = 200

/** The texts that a span of a search or of a reranking found, best first. */
export function passagesOf({ attributes, events }: Span): readonly string[] {
  const lists = [
    indexedList(attributes, "reranker.output_documents"),
    indexedList(attributes, "retrieval.documents"),
    listOf(unwrapped(attributes.get("gen_ai.retrieval.documents"))),
    events.flatMap((event) => event.attributes.get("db.query.result.document") ?? []),
  ]
  const found = lists.find((list) => list.length > 0) ?? []
  return found.slice(0, maxPassages).flatMap((item) => passageOf(item) ?? [])
}

function passageOf(item: JsonValue): string | undefined {
  const own = member(item, "document") ?? item
  return (
    textOf(own) ?? textOf(member(own, "content")) ?? textOf(member(own, "text")) ?? textOf(member(own, "page_content"))
  )
}
