/** Kinds of pictures that are understood: what the services take. SVG is a program, and is not among them. @public */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp"

/** Kinds of recordings that are understood. @public */
export type AudioType = "audio/wav" | "audio/mpeg"

/** How closely a service is to look at a picture, in its own words: `low`, `high`, `auto` … @public */
export type ImageDetail = string

/** Words in a message. @public */
export interface TextPart {
  readonly type: "text"
  readonly text: string
}

/** Bytes in a message, named by their hash: a store keeps them once, however many samples show them. @public */
export interface BytesPart {
  /** Of the bytes, in hex. */
  readonly sha256: string
  /** How many there are. */
  readonly bytes: number
  /** The bytes themselves: in requests only, never in a store or a hash. */
  readonly data?: Uint8Array
}

/** A picture. Width and height are in pixels, as its header states them. @public */
export interface ImagePart extends BytesPart {
  readonly type: "image"
  readonly mediaType: ImageType
  readonly width: number
  readonly height: number
  readonly detail?: ImageDetail
}

/** A picture that the service itself fetches: its bytes are never seen, and only its address can be compared. @public */
export interface ImageUrlPart {
  readonly type: "image_url"
  readonly url: string
  readonly detail?: ImageDetail
}

/** A recording. `seconds` is null where its header does not tell. @public */
export interface AudioPart extends BytesPart {
  readonly type: "audio"
  readonly mediaType: AudioType
  readonly seconds: number | null
}

/** What a message can hold besides words. @public */
export type MediaPart = ImagePart | ImageUrlPart | AudioPart

/** A part of a message. @public */
export type ContentPart = TextPart | MediaPart

/** Names of the kinds of files, for people. */
const typeNames: Readonly<Record<ImageType | AudioType, string>> = {
  "image/png": "PNG",
  "image/jpeg": "JPEG",
  "image/gif": "GIF",
  "image/webp": "WebP",
  "audio/wav": "WAV",
  "audio/mpeg": "MP3",
}

/**
 * A part for people, in one line. A URL loses its query, which may hold a secret.
 *
 * @example describePart(part) // "image 640 x 480 PNG, 31 kB, sha256 9f86d081884c"
 */
export function describePart(part: MediaPart): string {
  if (part.type === "image_url") return `image by its URL, ${withoutQuery(part.url)}`
  const size = `${typeNames[part.mediaType]}, ${sizeWords(part.bytes)}, sha256 ${part.sha256.slice(0, 12)}`
  if (part.type === "image") return `image ${part.width} x ${part.height} ${size}`
  return `audio ${part.seconds === null ? "" : `${Math.round(part.seconds * 10) / 10} s `}${size}`
}

/** A URL without its query, its user and its fragment: what may be shown. */
export function withoutQuery(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
