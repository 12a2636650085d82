import { UsageError } from "../../core/errors.ts"
import type { JsonValue } from "../../core/json.ts"
import type { Stage } from "../../core/request-log.ts"
import { listOf, member, textOf } from "../fields.ts"
import { indexedList } from "./indexed.ts"
import { kindOf, type SpanKind } from "./kind.ts"
import { unwrapped } from "./messages.ts"
import type { Span } from "./span.ts"

/** What is remembered of a span: what an answer of its trace needs to know of it. */
interface Known {
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  readonly startUs: number | null
  readonly endUs: number | null
  readonly kind: SpanKind
  /** Another model's answer lies within: the span is a wrapper of it. */
  isWrapper: boolean
  readonly passages: readonly string[]
}

/** Spans of a file: beyond, its memory would be a server's. */
const maxSpans = 2_000_000
/** Characters of all passages together. */
const maxPassageLength = 256 * 2 ** 20
/** Spans above one. */
const maxAncestors = 64
/** Stages of an answer, and searches before it. */
const maxBefore = 32
/** Traces whose spans stay sorted. */
const maxSorted = 64

/**
 * The traces of a file, in one pass over it: which spans belong together, when each was, and what was found for the answers. Texts of
 * prompts and answers are not kept. Memory: a few hundred bytes for each span, and the passages.
 */
export class Traces {
  readonly #traces = new Map<string, Map<string, Known>>()
  readonly #sorted = new Map<string, SortedTrace>()
  #spans = 0
  #passageLength = 0

  get spans(): number {
    return this.#spans
  }

  /** @throws {UsageError} for a file of too many spans */
  add(span: Span, file: string): void {
    const trace = this.#traces.get(span.traceId) ?? new Map<string, Known>()
    this.#traces.set(span.traceId, trace)
    if (trace.has(span.spanId)) return
    const kind = kindOf(span)
    const passages = kind === "retrieval" || kind === "rerank" ? passagesOf(span) : none
    for (const { length } of passages) this.#passageLength += length
    if (++this.#spans > maxSpans || this.#passageLength > maxPassageLength)
      throw new UsageError("the trace is too long to be read as one file", {
        where: file,
        hint: `give a part of it: up to ${maxSpans / 1e6} million spans, and ${maxPassageLength / 2 ** 20} MB of passages`,
      })
    const { spanId, parentId, name, startUs, endUs } = span
    trace.set(spanId, { spanId, parentId, name, startUs, endUs, kind, passages, isWrapper: false })
  }

  /** To be called when all spans are added: says which answers are wrappers around others. Returns the number of answers. */
  finish(): number {
    let answers = 0
    for (const trace of this.#traces.values())
      for (const span of trace.values())
        if (span.kind === "generation") for (const above of ancestors(trace, span)) above.isWrapper = true
    for (const trace of this.#traces.values())
      for (const span of trace.values()) if (span.kind === "generation" && !span.isWrapper) answers++
    return answers
  }

  /** Whether the span is a model's own answer, not a wrapper around one. */
  isAnswer({ traceId, spanId }: Span): boolean {
    const span = this.#traces.get(traceId)?.get(spanId)
    return span?.kind === "generation" && !span.isWrapper
  }

  /** Whether several answers are of one trace. */
  hasSeveral(traceId: string): boolean {
    return this.#of(traceId).answers.length > 1
  }

  /** What was found before the answer began: what a reranker left of it, where there was one. */
  passagesBefore({ traceId, startUs }: Span): readonly string[] {
    if (startUs === null) return none
    const { searches } = this.#of(traceId)
    const before = searches.slice(0, endedBy(searches, startUs)).slice(-maxBefore)
    const last = before.findLast(({ kind, passages }) => kind === "rerank" && passages.length > 0)
    return [...new Set(last ? last.passages : before.flatMap(({ passages }) => passages))]
  }

  /**
   * What the application did from the answer before to this one: spans beside it, and beside what it lies in, each by its name, in the
   * order in which they ended. Times are milliseconds from the start of this answer, and negative.
   */
  stagesBefore(span: Span): readonly Stage[] {
    const { traceId, spanId, startUs } = span
    const own = this.#traces.get(traceId)?.get(spanId)
    if (startUs === null || !own) return []
    const sorted = this.#of(traceId)
    const previous = sorted.answers[endedBy(sorted.answers, startUs) - 1]?.endUs ?? Number.NEGATIVE_INFINITY
    const stages: { readonly name: string; readonly startUs: number; readonly endUs: number }[] = []
    for (const node of [own, ...ancestors(this.#traces.get(traceId), own)]) {
      const beside = sorted.children.get(node.parentId ?? "") ?? []
      for (const entry of beside.slice(0, endedBy(beside, startUs)).slice(-maxBefore))
        if (entry.startUs !== null && entry.endUs !== null && entry.startUs >= previous && entry !== node)
          stages.push({ name: entry.name, startUs: entry.startUs, endUs: entry.endUs })
    }
    return stages
      .sort((a, b) => a.endUs - b.endUs)
      .slice(-maxBefore)
      .map((stage) => ({
        name: stage.name,
        startMs: (stage.startUs - startUs) / 1000,
        endMs: (stage.endUs - startUs) / 1000,
      }))
  }

  #of(traceId: string): SortedTrace {
    const existing = this.#sorted.get(traceId)
    if (existing) return existing
    const first = this.#sorted.keys().next()
    if (this.#sorted.size >= maxSorted && !first.done) this.#sorted.delete(first.value)
    const sorted = sortTrace(this.#traces.get(traceId) ?? new Map())
    this.#sorted.set(traceId, sorted)
    return sorted
  }
}

const none: readonly string[] = []

/** Spans of a trace that have ended, each list in the order of their ends. */
interface SortedTrace {
  readonly answers: readonly Known[]
  readonly searches: readonly Known[]
  /** By the span that they are in; "" for roots. */
  readonly children: ReadonlyMap<string, readonly Known[]>
}

function sortTrace(trace: ReadonlyMap<string, Known>): SortedTrace {
  const ended = [...trace.values()]
    .filter(({ endUs }) => endUs !== null)
    .sort((a, b) => Number(a.endUs) - Number(b.endUs))
  const children = new Map<string, Known[]>()
  for (const span of ended) {
    const list = children.get(span.parentId ?? "")
    if (list) list.push(span)
    else children.set(span.parentId ?? "", [span])
  }
  return {
    answers: ended.filter(({ kind, isWrapper }) => kind === "generation" && !isWrapper),
    searches: ended.filter(({ kind }) => kind === "retrieval" || kind === "rerank"),
    children,
  }
}

/** How many of the spans, which are sorted by their ends, have ended by then. */
function endedBy(spans: readonly Known[], atUs: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (Number(spans[middle]?.endUs) <= atUs) low = middle + 1
    else high = middle
  }
  return low
}

/** The spans that a span lies in, from the inside out. A trace that says that a span lies in itself ends there. */
function* ancestors(trace: ReadonlyMap<string, Known> | undefined, span: Known): Generator<Known> {
  let above = span.parentId === null ? undefined : trace?.get(span.parentId)
  for (let i = 0; above && above !== span && i < maxAncestors; i++) {
    yield above
    above = above.parentId === null ? undefined : trace?.get(above.parentId)
  }
}

/** More passages than an answer is given. */
const maxPassages = 200

/** The texts that a span of a search or of a reranking found, best first. */
function passagesOf({ attributes, events }: Span): readonly string[] {
  const lists = [
    indexedList(attributes, "reranker.output_documents"),
    indexedList(attributes, "retrieval.documents"),
    listOf(unwrapped(attributes.get("gen_ai.retrieval.documents"))),
    events.flatMap((event) => event.attributes.get("db.query.result.document") ?? []),
  ]
  const items = lists.find((list) => list.length > 0) ?? []
  return items.slice(0, maxPassages).flatMap((item) => passageOf(item) ?? [])
}

function passageOf(item: JsonValue): string | undefined {
  const own = member(item, "document") ?? item
  return (
    textOf(own) ?? textOf(member(own, "content")) ?? textOf(member(own, "text")) ?? textOf(member(own, "page_content"))
  )
}
