import type { MediaSupport } from "../../core/provider.ts"
import { defaultImages } from "../dialect/media.ts"

const unlimited = Number.POSITIVE_INFINITY

/** Of what sends as it likes: everything, without a limit that could be known. */
export const anyMedia: MediaSupport = {
  images: { types: defaultImages, urls: true, most: unlimited, maxBytes: unlimited },
  audio: { types: ["audio/wav", "audio/mpeg"], maxBytes: unlimited },
  maxTotalBytes: unlimited,
}
