import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { BadField } from "../../datasets/field-values.ts"
import { mediaPart } from "../../datasets/media/check-media.ts"
import { defaultMedia } from "../../datasets/media/options.ts"
import { type RawMedia, readRawPart } from "../../datasets/media/raw-part.ts"
import { messageOf, UsageError } from "../core/errors.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import type { ContentPart, ImageDetail, TextPart } from "../core/media/part.ts"
import type { ChatMessage } from "../core/message.ts"

/** A part of a turn of a prompt. `media` stands for the pictures and recordings of the sample. @public */
export type PromptPart =
  | { readonly type: "text"; readonly text: string }
  /** A file (relative to the working directory), a `file:` URL, a URL that the service fetches, or a `data:` URI. */
  | { readonly type: "image"; readonly image: string | URL; readonly detail?: ImageDetail }
  | { readonly type: "audio"; readonly audio: string | URL }
  | { readonly type: "media" }

/** A turn of a prompt: its content is a template, or parts whose texts are templates. @public */
export interface PromptTurn extends Omit<ChatMessage, "content" | "parts"> {
  readonly content: string | readonly PromptPart[]
}

/** The place of what the sample shows. */
export const sampleMedia = { type: "media" } as const

/** A part whose bytes are read. */
export type ReadPart = ContentPart | typeof sampleMedia

/** A turn whose pictures are read; `content` is its text parts together. */
export interface ReadTurn extends Omit<ChatMessage, "parts"> {
  readonly parts?: readonly ReadPart[]
}

/** @throws UsageError for a part that is none, and for a file that cannot be used */
export function readTurn({ content, ...turn }: PromptTurn, index: number): ReadTurn {
  if (typeof content === "string") return { ...turn, content }
  const parts = content.map((part, position): ReadPart => readPart(part, `prompt, turn ${index}, part ${position}`))
  const words = parts.filter((part): part is TextPart => part.type === "text").map(({ text }) => text)
  return { ...turn, content: words.join(""), parts }
}

function readPart(part: PromptPart, where: string): ReadPart {
  if (part.type === "media") return sampleMedia
  const raw = readRawPart(JSON.parse(JSON.stringify(part)) as JsonValue)
  if (typeof raw === "string") throw new UsageError(raw, { where })
  if (raw.type === "text") return raw
  try {
    return readMedia(raw)
  } catch (error) {
    if (error instanceof BadField) throw new UsageError(error.message, { where })
    throw error
  }
}

function readMedia(raw: RawMedia): ContentPart {
  const { source, detail } = raw
  if (source.kind === "url") {
    if (raw.type === "audio") throw new BadField("a recording of a prompt is a file or a data: URI")
    return { type: "image_url", url: source.url, ...(detail !== undefined && { detail }) }
  }
  const [bytes, stated] =
    source.kind === "file" ? [readBytes(source.path), null] : [Buffer.from(source.data, "base64"), source.mediaType]
  return { ...mediaPart(bytes, raw, stated, defaultMedia), data: bytes }
}

function readBytes(name: string): Buffer {
  const path = /^file:/i.test(name) ? fileURLToPath(name) : resolve(name)
  try {
    if (statSync(path).size > defaultMedia.maxBytes)
      throw new BadField(`${name} is larger than ${defaultMedia.maxBytes} bytes`)
    return readFileSync(path)
  } catch (error) {
    throw error instanceof BadField ? error : new BadField(`${name} cannot be read: ${messageOf(error)}`)
  }
}

/** What of a part tells prompts apart: bytes are named by their hash. */
export function partIdentity(part: ReadPart): JsonObject {
  return JSON.parse(JSON.stringify({ ...part, data: undefined })) as JsonObject
}
