import type { ChatMessage } from "../message.ts"
import type { ContentPart, MediaPart, TextPart } from "./part.ts"

/** What a message holds besides words, in order. */
export function mediaOf({ parts = [] }: Pick<ChatMessage, "parts">): readonly MediaPart[] {
  return parts.filter((part) => part.type !== "text")
}

/** What the input of a sample holds besides words. */
export function inputMedia(input: string | readonly ChatMessage[] | null): readonly MediaPart[] {
  return typeof input === "object" && input !== null ? input.flatMap(mediaOf) : []
}

/** A message of parts: its words as the content, and the parts themselves where they are more than words. */
export function messageOfParts(role: ChatMessage["role"], parts: readonly ContentPart[]): ChatMessage {
  const words = parts.filter((part): part is TextPart => part.type === "text")
  const content = words.map(({ text }) => text).join("")
  return words.length === parts.length ? { role, content } : { role, content, parts }
}

/** The message with other words: they stand where its first words stood, and the pictures where they were. */
export function withContent(message: ChatMessage, content: string): ChatMessage {
  const { parts } = message
  if (!parts) return { ...message, content }
  const first = parts.findIndex(({ type }) => type === "text")
  const words: TextPart = { type: "text", text: content }
  const rest = parts.flatMap((part, i): readonly ContentPart[] =>
    part.type !== "text" ? [part] : i === first ? [words] : [],
  )
  return { ...message, content, parts: first < 0 && content !== "" ? [...rest, words] : rest }
}

/** The messages with the bytes of their parts: what a provider is given. */
export function withData(
  messages: readonly ChatMessage[],
  read: (sha256: string) => Uint8Array | null,
): readonly ChatMessage[] {
  if (!messages.some(({ parts }) => parts)) return messages
  return messages.map((message) => (message.parts ? { ...message, parts: message.parts.map(filled) } : message))

  function filled(part: ContentPart): ContentPart {
    if (part.type === "text" || part.type === "image_url" || part.data) return part
    const data = read(part.sha256)
    if (!data) throw new Error(`the store does not have the bytes of an ${part.type} part (sha256 ${part.sha256})`)
    return { ...part, data }
  }
}

/** The bytes that the parts of these messages name, read one after the other. */
export async function readMedia(
  messages: readonly ChatMessage[],
  read: (sha256: string) => Promise<Uint8Array | null>,
  into: Map<string, Uint8Array> = new Map(),
): Promise<ReadonlyMap<string, Uint8Array>> {
  for (const part of messages.flatMap(mediaOf)) {
    if (part.type === "image_url" || part.data || into.has(part.sha256)) continue
    const bytes = await read(part.sha256)
    if (bytes) into.set(part.sha256, bytes)
  }
  return into
}

/** The messages without bytes: what is hashed and kept. */
export function withoutData(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(({ parts }) => parts)) return messages
  return messages.map((message) => (message.parts ? { ...message, parts: message.parts.map(bare) } : message))
}

function bare(part: ContentPart): ContentPart {
  if (!("data" in part)) return part
  const { data: _data, ...rest } = part
  return rest
}
