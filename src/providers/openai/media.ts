import type { JsonObject } from "../../core/json.ts"
import type { ContentPart } from "../../core/media/part.ts"
import type { MediaSupport } from "../../core/provider.ts"
import { addressOf, base64Of, defaultImages } from "../dialect/media.ts"
import type { EndpointFeatures } from "./options.ts"

/** Of platform.openai.com/docs/guides/images-vision (2026); an endpoint of the same interface may take less, and then refuses. */
const images = { types: defaultImages, urls: true, most: 500, maxBytes: 50e6 } as const

/** Of platform.openai.com/docs/guides/audio: `input_audio`, WAV and MP3. */
const audio = { types: ["audio/wav", "audio/mpeg"], maxBytes: 50e6 } as const

/**
 * What an endpoint of chat completions is sent besides words. Recordings go to those whose documentation has `input_audio`.
 *
 * @param service name of the preset; `openai` for OpenAI itself and for any endpoint that speaks the protocol
 */
export function chatMedia(service: string, features: EndpointFeatures = {}): MediaSupport | null {
  const defaults = ofService[service] ?? {}
  const takesAudio = features.audio ?? defaults.audio ?? false
  if (features.images === false || (features.images === undefined && defaults.images === false)) return null
  return {
    images: { ...images, urls: features.imageUrls ?? defaults.imageUrls ?? true },
    ...(takesAudio && { audio }),
    maxTotalBytes: 50e6,
  }
}

/** What differs from service to service, by their documentation. */
const ofService: Readonly<Record<string, Pick<EndpointFeatures, "images" | "imageUrls" | "audio">>> = {
  openai: { audio: true },
  azureOpenai: { audio: true },
  openrouter: { audio: true },
  // https://docs.vllm.ai/en/latest/features/multimodal_inputs.html
  vllm: { audio: true },
  // https://api-docs.deepseek.com/api/create-chat-completion: content is a text
  deepseek: { images: false },
  // https://docs.ollama.com/api/openai-compatibility: base64 only
  ollama: { imageUrls: false },
}

/** A part as chat completions take it. */
export function describePart(part: ContentPart): JsonObject {
  if (part.type === "text") return { type: "text", text: part.text }
  if (part.type === "audio") {
    const format = part.mediaType === "audio/wav" ? "wav" : "mp3"
    return { type: "input_audio", input_audio: { data: base64Of(part), format } }
  }
  return {
    type: "image_url",
    image_url: { url: addressOf(part), ...(part.detail !== undefined && { detail: part.detail }) },
  }
}
