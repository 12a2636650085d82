import { createHash } from "node:crypto"
import { readAudioHeader } from "../../src/core/media/audio-header.ts"
import { readImageHeader } from "../../src/core/media/image-header.ts"
import type { AudioPart, ImagePart } from "../../src/core/media/part.ts"
import { BadField } from "../field-values.ts"
import type { RawMedia } from "./raw-part.ts"

/** What the bytes of one part may be at most. */
export interface MediaLimits {
  readonly maxBytes: number
  readonly maxPixels: number
}

/**
 * Makes a part of bytes, by their header; what a file name or a `data:` URI says of them must agree with it.
 *
 * @param stated the kind that the row states; null where it states none
 * @throws BadField for bytes that are no such picture or recording, and for those beyond the limits
 */
export function mediaPart(
  bytes: Uint8Array,
  { type, detail }: Pick<RawMedia, "type" | "detail">,
  stated: string | null,
  limits: MediaLimits,
): ImagePart | AudioPart {
  checkSize(type, bytes.length, limits)
  const named = { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length }
  if (type === "audio") {
    const header = readAudioHeader(bytes)
    if (!header) throw new BadField("the recording is neither WAV nor MP3")
    checkStated(stated, header.mediaType)
    return { type, ...named, ...header }
  }
  const header = readImageHeader(bytes)
  if (!header) throw new BadField(`the picture is no PNG, JPEG, GIF or WebP that is whole${looksLikeSvg(bytes)}`)
  checkStated(stated, header.mediaType)
  const { mediaType, width, height, animated } = header
  if (animated) throw new BadField("the picture moves: services take pictures that stand still")
  if (width * height > limits.maxPixels)
    throw new BadField(`the picture has ${width} x ${height} pixels, more than ${limits.maxPixels} (media.maxPixels)`)
  return { type, mediaType, ...named, width, height, ...(detail !== undefined && { detail }) }
}

/** @throws BadField for more bytes than are let in */
export function checkSize(type: RawMedia["type"], bytes: number, { maxBytes }: MediaLimits): void {
  const what = type === "image" ? "picture" : "recording"
  if (bytes > maxBytes) throw new BadField(`the ${what} is larger than ${maxBytes} bytes (media.maxBytes)`)
}

function checkStated(stated: string | null, actual: string): void {
  if (stated !== null && sameKind(stated) !== actual)
    throw new BadField(`it is said to be ${stated}, but its bytes are ${actual}`)
}

/** Other names of the same kinds. */
function sameKind(stated: string): string {
  const name = stated.toLowerCase().trim()
  const others: Readonly<Record<string, string>> = {
    "image/jpg": "image/jpeg",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/mp3": "audio/mpeg",
  }
  return others[name] ?? name
}

function looksLikeSvg(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 1000)).toString("latin1")
  return /<svg[\s>]/i.test(start) ? ": SVG is a program, not a picture, and no service takes it" : ""
}
