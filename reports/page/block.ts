import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { describePart, type MediaPart } from "../../src/core/media/part.ts"
import { pictureId, type ShownMedia } from "./payload.ts"

const compress = promisify(gzip)

/**
 * A value as gzip + base64 for a data block of the page. The same value gives the same text: the header's fields for time
 * and operating system are fixed.
 */
export function encodeBlock(value: unknown): Promise<string> {
  return encodeJson(JSON.stringify(value))
}

/** The same of a value that is JSON text already. */
export async function encodeJson(text: string): Promise<string> {
  const bytes = await compress(text, { level: 6 })
  bytes.fill(0, 4, 8)
  bytes[9] = 255
  return bytes.toString("base64")
}

/** JSON for a data block: no character that could end the block, start a comment in it, or that a terminal obeys. */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u007f-\u009f\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

/** A picture of more bytes or pixels is named, not shown: no library here could make it smaller. */
const max = { bytes: 200_000, pixels: 4_000_000, bytesTogether: 8_000_000 }

/** Gathers the pictures of a page: each stands in a block of its own once, however many samples show it. */
export function createPictureBlocks(read: (sha256: string) => Uint8Array | null) {
  const written = new Set<string>()
  let waiting: string[] = []
  let together = 0

  /** Whether the page has the picture, which is put into it when it is small enough. */
  function isShown(part: MediaPart): boolean {
    if (part.type !== "image" || part.bytes > max.bytes || part.width * part.height > max.pixels) return false
    if (written.has(part.sha256)) return true
    if (together + part.bytes > max.bytesTogether) return false
    const bytes = read(part.sha256)
    if (!bytes) return false
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
    waiting.push(`<script type="text/plain" id="${pictureId(part.sha256)}">${base64}</script>\n`)
    written.add(part.sha256)
    together += part.bytes
    return true
  }

  return {
    show(part: MediaPart): ShownMedia {
      const label = describePart(part)
      if (part.type === "image" && isShown(part))
        return { label, block: pictureId(part.sha256), mediaType: part.mediaType }
      return { label: part.type === "image" ? `${label}; not shown here, to keep the page small` : label }
    },
    /** The blocks that are not written yet. */
    blocks(): readonly string[] {
      const blocks = waiting
      waiting = []
      return blocks
    },
  }
}
