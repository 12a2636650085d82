import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { asList, asMembers, asText } from "../../../src/core/json-members.ts"
import type { BodyKind } from "./fault-of-body.ts"

/** A body that was sent, or one inside a batch. */
export type SentBody = readonly [kind: BodyKind, body: JsonValue]

const kinds: readonly (readonly [path: RegExp, kind: BodyKind])[] = [
  [/\/chat\/completions$/, "chat"],
  [/\/completions$/, "completions"],
  [/\/responses$/, "responses"],
  [/\/embeddings$/, "embeddings"],
  [/\/moderations$/, "moderations"],
  [/\/messages$/, "messages"],
  [/\/messages\/batches$/, "messageBatch"],
  [/\/batches$/, "batch"],
  [/:(?:streamG|g)enerateContent$/, "generateContent"],
  [/:batchGenerateContent$/, "generateContentBatch"],
  [/\/v2\/chat$/, "cohereChat"],
]

/** A name that Mistral alone gives to its models, whose interface has OpenAI's path and another body. */
const mistralModel = /^mistral-\w+-latest$/

/**
 * The bodies of a request whose type a maker has published, those in its batch among them; a file of a batch has one a line.
 *
 * @param path with its query
 * @returns none for other paths
 */
export function sentBodies(path: string, text: string): readonly SentBody[] {
  const { pathname } = new URL(path, "http://localhost")
  if (pathname.endsWith("/files")) return linesOf(text).flatMap((line) => withInner("batchLine", JSON.parse(line)))
  const kind = kinds.find(([pattern]) => pattern.test(pathname))?.[1]
  return kind === undefined ? [] : withInner(kind, JSON.parse(text))
}

/** Of a form, what stands in its file. */
function linesOf(form: string): readonly string[] {
  return form.split(/\r?\n/).filter((line) => line.startsWith("{"))
}

function withInner(kind: BodyKind, body: JsonValue): readonly SentBody[] {
  const members = asMembers(body) ?? {}
  if (kind === "chat" && mistralModel.test(asText(members.model))) return [["mistralChat", body]]
  const inner = (): readonly SentBody[] => {
    if (kind === "batchLine") {
      const of = kinds.find(([pattern]) => pattern.test(asText(members.url)))?.[1]
      return of ? [[of, members.body as JsonValue]] : []
    }
    if (kind === "messageBatch")
      return asList(members.requests).map((request) => ["messages", (request as JsonObject).params ?? null])
    if (kind === "generateContentBatch") {
      const { inputConfig } = asMembers(members.batch) ?? {}
      const { requests } = asMembers(asMembers(inputConfig)?.requests) ?? {}
      return asList(requests).map((request) => ["generateContent", (request as JsonObject).request ?? null])
    }
    return []
  }
  return [[kind, body], ...inner()]
}
