import type { AudioPart, ImagePart, ImageType, ImageUrlPart } from "../../core/media/part.ts"

/** The kinds of pictures that all services but Gemini take. */
export const defaultImages: readonly ImageType[] = ["image/png", "image/jpeg", "image/gif", "image/webp"]

/** The bytes of a part in base64. Throws where the request came without them. */
export function base64Of({ data, type }: ImagePart | AudioPart): string {
  if (!data) throw new Error(`an ${type} part of the request has no bytes`)
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64")
}

/** The address of a picture: its own, or one that holds its bytes. */
export function addressOf(part: ImagePart | ImageUrlPart): string {
  return part.type === "image_url" ? part.url : `data:${part.mediaType};base64,${base64Of(part)}`
}
