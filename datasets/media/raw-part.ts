import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { isObject } from "../../src/core/json-members.ts"
import type { TextPart } from "../../src/core/media/part.ts"

/** Where the bytes of a part are, as a row says it. */
export type MediaSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "base64"; readonly data: string; readonly mediaType: string | null }

/** A picture or a recording that is not read yet. */
export interface RawMedia {
  readonly type: "image" | "audio"
  readonly source: MediaSource
  readonly detail?: string
}

/** A part of a message as a row has it. */
export type RawPart = TextPart | RawMedia

/**
 * Reads a part of a message: `{ type: "text", text }`, `{ type: "image", image }` and `{ type: "audio", audio }` with a file, a URL or a
 * `data:` URI, the same with `base64`, and the parts of OpenAI (`image_url`, `input_audio`) and Anthropic (`source`).
 *
 * @returns why it is none, as the end of a sentence
 */
export function readRawPart(part: JsonValue): RawPart | string {
  if (!isObject(part)) return "expected a content part { type, … }"
  if (part.type === "text")
    return typeof part.text === "string" ? { type: "text", text: part.text } : "a text part has no text"
  if (part.type === "image_url") {
    const image = isObject(part.image_url) ? part.image_url : { url: part.image_url ?? null }
    return media("image", image.url, "image_url.url", image.detail ?? part.detail)
  }
  if (part.type === "input_audio") {
    const audio = isObject(part.input_audio) ? part.input_audio : {}
    return typeof audio.data === "string" ? encoded("audio", audio.data, null) : "input_audio.data is missing"
  }
  if (part.type !== "image" && part.type !== "audio")
    return "content parts other than text, image and audio are not supported"
  if (isObject(part.source)) return sourcePart(part.type, part.source)
  if (typeof part.base64 === "string") return encoded(part.type, part.base64, part.detail)
  return media(part.type, part[part.type], part.type, part.detail)
}

/** A picture or a recording as a column names it: a file, a URL, a `data:` URI, or a part. */
export function readRawMedia(type: RawMedia["type"], value: JsonValue): RawPart | string {
  return isObject(value) ? readRawPart({ type, ...value }) : media(type, value, type, undefined)
}

/** Anthropic's `{ type: "base64", media_type, data }` and `{ type: "url", url }`. */
function sourcePart(
  type: RawMedia["type"],
  { type: kind, data, url, media_type: mediaType }: JsonObject,
): RawPart | string {
  if (kind === "url") return media(type, url, "source.url", undefined)
  if (typeof data !== "string") return "source.data is missing"
  return { type, source: { kind: "base64", data, mediaType: typeof mediaType === "string" ? mediaType : null } }
}

function media(
  type: RawMedia["type"],
  value: JsonValue | undefined,
  field: string,
  detail: JsonValue | undefined,
): RawPart | string {
  if (typeof value !== "string" || value === "") return `${field} is missing: a file, a URL or a data: URI`
  const more = typeof detail === "string" ? { detail } : {}
  if (/^https?:\/\//i.test(value))
    return URL.canParse(value) ? { type, source: { kind: "url", url: value }, ...more } : `${field} is no URL`
  if (!/^data:/i.test(value)) return { type, source: { kind: "file", path: value }, ...more }
  const comma = value.indexOf(",")
  const head = /^data:([^;,]*)((?:;[^;,]*)*)$/i.exec(value.slice(0, Math.max(0, comma)))
  if (!head || !/;base64$/i.test(head[2] ?? "")) return `${field} is a data: URI without base64`
  return { type, source: { kind: "base64", data: value.slice(comma + 1), mediaType: head[1] || null }, ...more }
}

function encoded(type: RawMedia["type"], data: string, detail: JsonValue | undefined): RawPart {
  return {
    type,
    source: { kind: "base64", data, mediaType: null },
    ...(typeof detail === "string" && { detail }),
  }
}
