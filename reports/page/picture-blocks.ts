import { describePart, type MediaPart } from "../../src/core/media/part.ts"
import { pictureId, type ShownMedia } from "./payload.ts"

/** A picture of more bytes or pixels is named, not shown: no library here could make it smaller. */
const most = { bytes: 200_000, pixels: 4_000_000, bytesTogether: 8_000_000 }

/** Gathers the pictures of a page: each stands in a block of its own once, however many samples show it. */
export function createPictureBlocks(read: (sha256: string) => Uint8Array | null) {
  const written = new Set<string>()
  let waiting: string[] = []
  let together = 0

  /** Whether the page has the picture, which is put into it when it is small enough. */
  function isShown(part: MediaPart): boolean {
    if (part.type !== "image" || part.bytes > most.bytes || part.width * part.height > most.pixels) return false
    if (written.has(part.sha256)) return true
    if (together + part.bytes > most.bytesTogether) return false
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
