import { UsageError } from "../core/errors.ts"
import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { ownModule } from "../platform/own-module.ts"
import { dialectProvider } from "./dialect/provider.ts"
import { geminiBatches } from "./gemini/batches.ts"
import type { GeminiOptions } from "./gemini/options.ts"
import { readGemini } from "./gemini/read.ts"
import { writeGemini } from "./gemini/write.ts"

/**
 * Gemini models through Google's own interface (`streamGenerateContent`), always streamed: thinking and its tokens, tools, JSON schemas,
 * log-probabilities, service tiers, and blocks of the prompt or of the answer as refusals. From Gemini 3.6 on the service ignores
 * sampling parameters without a word.
 *
 * @throws UsageError for a base URL, a kind of thinking or a tier that is none, and at `open` when the key's variable is not set
 * @example gemini({ model: "gemini-3.5-flash", thinking: "low", serviceTier: "flex" })
 * @public
 */
export function gemini(options: GeminiOptions): Provider {
  checkOptions("gemini", options)
  checkChoices(options)
  const { thinking = null, serviceTier = null } = options
  return dialectProvider(options, {
    kind: "gemini",
    interface: "generateContent",
    baseUrl: "https://generativelanguage.googleapis.com",
    path: `/v1beta/${pathOf(options.model)}:streamGenerateContent?alt=sse`,
    apiKeyVariable: "GEMINI_API_KEY",
    headers: (key) => ({ ...(key !== null && { "x-goog-api-key": key }) }),
    choices: { thinking, serviceTier },
    ...(serviceTier !== null && { asksFor: { serviceTier } }),
    write: (request) => writeGemini(request, options),
    read: readGemini,
    reader: { module: ownModule(import.meta.url, "./gemini/read"), name: "readGemini" },
    enforcesJson: true,
    // ai.google.dev/gemini-api/docs/image-understanding, …/audio and …/file-input-methods (2026)
    media: {
      images: { types: ["image/png", "image/jpeg", "image/webp"], urls: true, most: 3000, maxBytes: 100e6 },
      audio: { types: ["audio/wav", "audio/mpeg"], maxBytes: 100e6 },
      maxTotalBytes: 100e6,
    },
    batches: {
      path: `/v1beta/${pathOf(options.model)}:batchGenerateContent`,
      open: geminiBatches,
      write: (request) => writeGemini(request, options),
    },
  })
}

/** `models/` is understood; models of one's own are under `tunedModels/`. */
function pathOf(model: string): string {
  const path = model.includes("/") ? model : `models/${model}`
  return path.split("/").map(encodeURIComponent).join("/")
}

/** @throws UsageError for a budget that is none */
function checkChoices({ thinking }: GeminiOptions): void {
  if (typeof thinking === "number" && !(Number.isInteger(thinking) && thinking > 0))
    throw new UsageError("thinking is off, dynamic, minimal, low, medium, high, or a whole number of tokens above 0", {
      where: `gemini({ thinking: ${JSON.stringify(thinking)} })`,
    })
}
