import { listed } from "../names.ts"

/**
 * Where a price was read: the page of the service, and who was seen to repeat it.
 *
 * @example priceSource("mistral.ai/pricing", ["models.dev", "OpenRouter"]) // "mistral.ai/pricing, by models.dev and OpenRouter"
 */
export function priceSource(page: string, repeatedBy: readonly string[], note?: string): string {
  return `${page}, by ${listed(repeatedBy)}${note === undefined ? "" : `; ${note}`}`
}

/** What is to be known of a price beside its rates. */
export const priceNotes = {
  limitedAvailability: (page: string) => `${page} (limited availability)`,
  endless: "a promotion without an end date",
  retired: (date: string) => `retired on ${date}`,
  launch: (doubles: string) => `launch rate, doubles on ${doubles}`,
  promotion: (end: string) => `promotional rate until ${end}`,
  peak: "the peak rate, off-peak hours cost half of it",
} as const

/** A price that was read long before the run. */
export function oldPrice(date: string, days: number): string {
  return `price: read on ${date}, ${days} days before the run; it may have changed (evalkit prices --check FILE compares)`
}

/** Rules by which services count tokens of pictures and recordings, and where they state them. */
export const mediaRules = {
  claude: (maxPatches: number) => ({
    name: `Anthropic: patches of 28 x 28 pixels, at most ${maxPatches}`,
    source: "https://platform.claude.com/docs/en/build-with-claude/vision (2026-10)",
  }),
  geminiTiles: {
    name: "Gemini: 258 a tile of 768 x 768 pixels",
    source: "https://ai.google.dev/gemini-api/docs/tokens (2026)",
  },
  geminiPicture: {
    name: "Gemini: 1,120 a picture at high resolution",
    source: "https://ai.google.dev/gemini-api/docs/media-resolution (2026)",
  },
  audio: (isGemini: boolean) => ({
    name: `${isGemini ? "Gemini" : "no published rule"}: 32 tokens a second`,
    source: "https://ai.google.dev/gemini-api/docs/tokens (2026)",
  }),
  openaiTiles: (base: number, tile: number) => ({
    name: `OpenAI: ${base} a picture and ${tile} a tile of 512 x 512 pixels`,
    source: "https://platform.openai.com/docs/guides/images-vision#calculating-costs (2026)",
  }),
  openaiPatches: (factor: number) => ({
    name: `OpenAI: patches of 32 x 32 pixels, at most 1,536, times ${factor}`,
    source: "https://platform.openai.com/docs/guides/images-vision#calculating-costs (2026)",
  }),
  cohere: {
    name: "Command A Vision: about 1,610 for each 512 x 512 pixels",
    source: "https://docs.oracle.com/en-us/iaas/Content/generative-ai/cohere-command-a-vision-07-2025.htm (2026)",
  },
  anyModel: {
    name: "no published rule: patches of 28 x 28 pixels, at most 16,384, as Qwen-VL counts them",
    source: "https://huggingface.co/Qwen/Qwen2-VL-7B-Instruct",
  },
} as const
