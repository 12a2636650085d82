import { UsageError } from "../core/errors.ts"
import type { MediaPart } from "../core/media/part.ts"
import type { ChatMessage } from "../core/message.ts"
import type { MediaSupport, Provider } from "../core/provider.ts"
import type { Sample } from "../core/sample.ts"
import type { Variant } from "../core/variant.ts"
import { mediaFaults, mediaHints } from "../words/run/media.ts"

/**
 * Refuses a prompt with a picture or a recording that the variant's provider does not take: before anything is paid for.
 *
 * @throws UsageError `media_unsupported` naming variant, sample, message and part
 */
export function checkMedia(variant: Variant, sample: Pick<Sample, "id">, messages: readonly ChatMessage[]): void {
  if (!messages.some(({ parts }) => parts)) return
  for (const provider of askedProviders(variant.provider)) {
    const fault = mediaFault(provider, messages)
    if (fault === null) continue
    throw new UsageError(fault.reason, {
      code: "media_unsupported",
      where: `variant ${variant.name} (${provider.label}), sample ${JSON.stringify(sample.id)}${fault.position}`,
      hint: fault.hint,
    })
  }
}

/** Answers on record are asked nothing: what their prompts show is their own business. */
function askedProviders(provider: Provider): readonly Provider[] {
  if (provider.traits?.isRecord) return []
  return provider.traits?.members ?? [provider]
}

interface MediaFault {
  readonly position: string
  readonly reason: string
  readonly hint: string
}

/** Why a provider cannot be sent these messages; null where it can. */
export function mediaFault({ traits }: Pick<Provider, "traits">, messages: readonly ChatMessage[]): MediaFault | null {
  const support = traits?.media
  let [pictures, together] = [0, 0]
  for (const [index, message] of messages.entries())
    for (const [position, part] of (message.parts ?? []).entries()) {
      if (part.type === "text") continue
      const why = partFault(part, support)
      if (why) return { position: `, message ${index}, part ${position}`, ...why }
      if (part.type !== "audio") pictures++
      if (part.type !== "image_url") together += part.bytes
    }
  const { most = Number.POSITIVE_INFINITY } = support?.images ?? {}
  const fewer = mediaHints.fewer
  if (pictures > most)
    return {
      position: "",
      reason: mediaFaults.pictures(most, pictures),
      hint: fewer,
    }
  const maxTotal = support?.maxTotalBytes ?? Number.POSITIVE_INFINITY
  if (together > maxTotal)
    return {
      position: "",
      reason: mediaFaults.bytesTogether(maxTotal, together),
      hint: fewer,
    }
  return null
}

const otherProvider = mediaHints.otherProvider

function partFault(part: MediaPart, support: MediaSupport | undefined): Omit<MediaFault, "position"> | null {
  if (part.type === "audio") {
    if (!support?.audio) return { reason: mediaFaults.noRecordings, hint: otherProvider }
    return part.bytes > support.audio.maxBytes ? tooLarge("recording", support.audio.maxBytes, part.bytes) : null
  }
  if (!support?.images) return { reason: mediaFaults.noPictures, hint: otherProvider }
  const { types, urls, maxBytes, maxSide = Number.POSITIVE_INFINITY } = support.images
  if (part.type === "image_url")
    return urls
      ? null
      : {
          reason: mediaFaults.noAddresses,
          hint: mediaHints.fetch,
        }
  if (!types.includes(part.mediaType)) return { reason: `it takes no ${part.mediaType}`, hint: "convert the picture" }
  if (part.bytes > maxBytes) return tooLarge("picture", maxBytes, part.bytes)
  const side = Math.max(part.width, part.height)
  return side > maxSide
    ? {
        reason: mediaFaults.side(maxSide, side),
        hint: mediaHints.smaller,
      }
    : null
}

function tooLarge(what: string, max: number, bytes: number): Omit<MediaFault, "position"> {
  return { reason: mediaFaults.bytes(what, max, bytes), hint: `make the ${what} smaller` }
}
