import { messageOfParts } from "../../src/core/media/message-parts.ts"
import type { ChatMessage } from "../../src/core/message.ts"
import type { Sample } from "../../src/core/sample.ts"
import { BadField, type RawMessage } from "../field-values.ts"
import type { RawSample } from "../to-sample.ts"
import type { MediaLoader } from "./loader.ts"

/** A row that cannot be used: its field, and why. */
interface BadMedia {
  readonly field: string
  readonly reason: string
}

/** The sample with its pictures and recordings read and named by their bytes; or which of them cannot be used. */
export async function readMedia(sample: RawSample, loader: () => MediaLoader): Promise<Sample | BadMedia> {
  const { input } = sample
  if (typeof input !== "object" || input === null || !input.some(({ parts }) => parts)) return sample as Sample
  const count = input.reduce((sum, { parts = [] }) => sum + parts.filter(({ type }) => type !== "text").length, 0)
  const { maxPerSample } = loader()
  if (count > maxPerSample)
    return {
      field: "input",
      reason: `it has ${count} pictures and recordings, more than ${maxPerSample} (media.maxPerSample)`,
    }
  const messages: ChatMessage[] = []
  for (const [index, message] of input.entries()) {
    const read = await readMessage(message, index, loader())
    if ("reason" in read) return read
    messages.push(read)
  }
  return { ...sample, input: messages }
}

async function readMessage(message: RawMessage, index: number, loader: MediaLoader): Promise<ChatMessage | BadMedia> {
  const { parts, ...rest } = message
  if (!parts) return rest
  const read = []
  for (const [position, part] of parts.entries())
    try {
      read.push(await loader.load(part))
    } catch (error) {
      if (!(error instanceof BadField)) throw error
      return { field: "input", reason: `message ${index}, part ${position}: ${error.message}` }
    }
  return { ...rest, ...messageOfParts(rest.role, read) }
}
