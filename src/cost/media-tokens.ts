import type { AudioPart, ImageDetail, MediaPart } from "../core/media/part.ts"
import { mediaRules } from "../words/reasons/prices.ts"

/** Tokens of a picture or a recording before it is sent, and by which rule. */
export interface MediaTokens {
  readonly tokens: number
  readonly rule: MediaRule
}

/** How a service counts, and where it says so. `assumed`: it publishes no rule for this model, and a cautious one stands for it. */
export interface MediaRule {
  readonly name: string
  readonly source: string
  readonly assumed: boolean
}

/** Whose rule is to be taken. */
export interface CountedBy {
  /** Name of the service in the price book; null where it is any endpoint. */
  readonly service: string | null
  readonly model: string
}

/** Where nothing is known of a picture that the service fetches: as large as pictures come before services make them smaller. */
const unseen = { width: 4096, height: 4096 }

/**
 * Tokens that a part of a prompt is billed as, by the provider's published rule: what a dry run and a budget count with. A run's costs
 * come from what the service reports.
 *
 * @example mediaTokens(picture1024x1024, { service: "openai", model: "gpt-4o" }).tokens // 765
 */
export function mediaTokens(part: MediaPart, { service, model }: CountedBy): MediaTokens {
  if (part.type === "audio") return audioTokens(part, service)
  const { width, height } = part.type === "image" ? part : unseen
  const rule = imageRule(service, model)
  return { tokens: Math.ceil(rule.count(width, height, part.detail)), rule }
}

interface ImageRule extends MediaRule {
  count(width: number, height: number, detail?: ImageDetail): number
}

function imageRule(service: string | null, model: string): ImageRule {
  const name = model.toLowerCase().split("/").at(-1) ?? ""
  if (/^claude/.test(name)) return claudeRule(name)
  if (/^gemini/.test(name)) return geminiRule(name)
  if (/^(gpt|o[134]|chatgpt)/.test(name)) return openaiRule(name)
  if (service === "cohere") return cohere
  return anyModel
}

/** Patches of 28 pixels; larger pictures are made smaller first. */
function claudeRule(model: string): ImageRule {
  const [most, side] = seesFinely(model) ? [4784, 2576] : [1568, 1568]
  return {
    ...mediaRules.claude(most),
    assumed: false,
    count: (width, height) => Math.min(most, patches(width, height, 28, side)),
  }
}

/** Opus from 4.7 on, and what came after it. */
function seesFinely(model: string): boolean {
  const [, major = "0", minor = "0"] = /-(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(model) ?? []
  if (Number(major) >= 5) return true
  return /opus/.test(model) && Number(major) === 4 && Number(minor) >= 7
}

/** Gemini 3 has a number by resolution (the usual one is high); earlier models count tiles of 768 pixels. */
function geminiRule(model: string): ImageRule {
  const isOlder = /gemini-[12](?!\d)/.test(model)
  return {
    ...(isOlder ? mediaRules.geminiTiles : mediaRules.geminiPicture),
    assumed: false,
    count: (width, height) => {
      if (!isOlder) return 1120
      return width <= 384 && height <= 384 ? 258 : 258 * Math.ceil(width / 768) * Math.ceil(height / 768)
    },
  }
}

/** Tokens of one picture and of each of its tiles. */
const tiled: readonly (readonly [model: RegExp, base: number, tile: number])[] = [
  [/^gpt-4o-mini/, 2833, 5667],
  [/^(gpt-4o|gpt-4\.1(?!-(mini|nano))|gpt-4\.5|gpt-4-turbo|chatgpt-4o)/, 85, 170],
  [/^(o1|o3(?!-mini))/, 75, 150],
  [/^gpt-5(?!\.[1-9]|-(mini|nano))/, 70, 140],
]

/** Tokens of one patch. */
const patched: readonly (readonly [model: RegExp, factor: number])[] = [
  [/^gpt-(4\.1|5)-mini/, 1.62],
  [/^gpt-(4\.1|5)-nano/, 2.46],
  [/^o4-mini/, 1.72],
]

function openaiRule(model: string): ImageRule {
  const tile = tiled.find(([pattern]) => pattern.test(model))
  if (tile) {
    const [, base, each] = tile
    return {
      ...mediaRules.openaiTiles(base, each),
      assumed: false,
      count: (width, height, detail) => (detail === "low" ? base : base + each * tiles(width, height)),
    }
  }
  const [, factor = 1.62] = patched.find(([pattern]) => pattern.test(model)) ?? []
  return {
    ...mediaRules.openaiPatches(factor),
    assumed: !patched.some(([pattern]) => pattern.test(model)),
    count: (width, height) => Math.min(1536, patches(width, height, 32, Number.POSITIVE_INFINITY)) * factor,
  }
}

/** Cohere publishes no rule of its own; a reseller states the tokens of one size. */
const cohere: ImageRule = {
  ...mediaRules.cohere,
  assumed: true,
  count: (width, height) => 1610 * Math.ceil(width / 512) * Math.ceil(height / 512),
}

/** Models that anyone serves differ: the rule of one widespread family stands for them. */
const anyModel: ImageRule = {
  ...mediaRules.anyModel,
  assumed: true,
  count: (width, height) => Math.min(16384, patches(width, height, 28, Number.POSITIVE_INFINITY)),
}

/** Patches that cover a picture whose longer side is at most `side` pixels. */
function patches(width: number, height: number, patch: number, side: number): number {
  const scale = Math.min(1, side / Math.max(width, height))
  return Math.ceil((width * scale) / patch) * Math.ceil((height * scale) / patch)
}

/** Tiles of 512 pixels: the picture is made to fit into 2,048 x 2,048 and its shorter side to be at most 768 first. */
function tiles(width: number, height: number): number {
  const fit = Math.min(1, 2048 / Math.max(width, height))
  const short = Math.min(1, 768 / (Math.min(width, height) * fit))
  const scale = fit * short
  return Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512)
}

/** Seconds of a recording whose header does not tell: as many as its bytes hold at 32 kilobits a second. */
const minBytesPerSecond = 4000

function audioTokens(part: AudioPart, service: string | null): MediaTokens {
  const seconds = part.seconds ?? part.bytes / minBytesPerSecond
  const isGemini = service === "gemini"
  return {
    tokens: Math.ceil(seconds * 32),
    rule: { ...mediaRules.audio(isGemini), assumed: !isGemini || part.seconds === null },
  }
}
