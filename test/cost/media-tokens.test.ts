import { describe, expect, it } from "vitest"
import type { AudioPart, ImagePart } from "../../src/core/media/part.ts"
import { mediaTokens } from "../../src/cost/media-tokens.ts"

const picture = (width: number, height: number, detail?: string): ImagePart => ({
  type: "image",
  mediaType: "image/png",
  sha256: "00",
  bytes: 1,
  width,
  height,
  ...(detail !== undefined && { detail }),
})

describe("tokens of a picture", () => {
  // The services' own examples: developers.openai.com/docs/guides/images-vision, ai.google.dev/gemini-api/docs/tokens,
  // platform.claude.com/docs/en/build-with-claude/vision (1000 x 1000 is 1,296).
  it.each([
    ["openai", "gpt-4o", picture(1024, 1024), 765],
    ["openai", "gpt-4o", picture(2048, 4096), 1105],
    ["openai", "gpt-4o", picture(4096, 8192, "low"), 85],
    ["openai", "gpt-4o-mini", picture(1024, 1024), 2833 + 4 * 5667],
    ["openai", "o1", picture(100, 100), 225],
    ["openai", "gpt-4.1-mini", picture(1024, 1024), Math.ceil(1024 * 1.62)],
    ["openai", "gpt-4.1-nano", picture(5000, 5000), Math.ceil(1536 * 2.46)],
    ["anthropic", "claude-sonnet-4-5", picture(1000, 1000), 1296],
    ["anthropic", "claude-haiku-4-5-20251001", picture(8000, 8000), 1568],
    ["anthropic", "claude-opus-4-7", picture(2000, 2000), 4784],
    ["anthropic", "claude-opus-4-8", picture(1600, 1000), Math.ceil(1600 / 28) * Math.ceil(1000 / 28)],
    ["openrouter", "anthropic/claude-sonnet-4-5", picture(28, 28), 1],
    ["gemini", "gemini-2.5-flash", picture(384, 384), 258],
    ["gemini", "gemini-2.5-flash", picture(385, 100), 258],
    ["gemini", "gemini-2.5-pro", picture(1536, 769), 4 * 258],
    ["gemini", "gemini-3.5-flash", picture(100, 100), 1120],
  ])("%s %s", (service, model, part, tokens) => {
    const { rule, ...result } = mediaTokens(part, { service, model })
    expect(result).toEqual({ tokens })
    expect(rule).toMatchObject({ assumed: false, source: expect.stringContaining("https://") })
  })

  it("by an assumed rule says so, and a picture that nobody saw counts as a large one", () => {
    const served = { service: "vllm", model: "Qwen/Qwen3-VL" }
    expect(mediaTokens(picture(280, 280), served)).toMatchObject({ tokens: 100, rule: { assumed: true } })
    expect(mediaTokens(picture(512, 512), { service: "cohere", model: "command-a-vision" }).tokens).toBe(1610)
    const unseen = mediaTokens(
      { type: "image_url", url: "https://example.org/a.png" },
      { service: "openai", model: "gpt-4o" },
    )
    expect(unseen.tokens).toBe(765)
    expect(mediaTokens(picture(9, 9), { service: "openai", model: "gpt-6" }).rule.assumed).toBe(true)
  })

  it("of a recording, by its seconds", () => {
    const part: AudioPart = { type: "audio", mediaType: "audio/wav", sha256: "00", bytes: 16000, seconds: 60 }
    expect(mediaTokens(part, { service: "gemini", model: "gemini-2.5-flash" })).toMatchObject({
      tokens: 1920,
      rule: { assumed: false },
    })
    expect(mediaTokens({ ...part, seconds: null }, { service: "gemini", model: "g" })).toMatchObject({
      tokens: 128,
      rule: { assumed: true },
    })
  })
})
