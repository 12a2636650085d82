import type { TokenRates } from "../core/cost.ts"
import type { Usage } from "../core/usage.ts"
import type { tokenClassNames } from "../words/reasons/cost.ts"

/** Tokens that pay one rate. */
export interface TokenClass {
  /** Name of the part of a cost. */
  readonly part: keyof typeof tokenClassNames
  readonly tokens: number
  /** Dollars per million; undefined where none is stated. */
  readonly rate: number | undefined
}

/**
 * Splits what a call used into classes that each pay one rate and do not overlap. Of counts that cannot all be true (more parts than
 * tokens) the rest is 0, not negative.
 *
 * @param promptTokens the whole prompt, as in {@link Usage}
 * @param completionTokens the whole answer
 */
export function tokenClasses(
  usage: Usage,
  promptTokens: number,
  completionTokens: number,
  rates: TokenRates,
): readonly TokenClass[] {
  const cachedAudio = usage.cachedAudioPromptTokens ?? 0
  const cachedImage = usage.cachedImagePromptTokens ?? 0
  const cachedVideo = usage.cachedVideoPromptTokens ?? 0
  const cached = Math.min(usage.cachedPromptTokens ?? 0, promptTokens)
  const cachedRate = rates.cachedInputPerMillion === null ? rates.inputPerMillion : rates.cachedInputPerMillion
  const classes: TokenClass[] = [
    {
      part: "cacheWrite5m",
      tokens: usage.cacheWrite5mTokens ?? 0,
      rate: rates.cacheWrite5mPerMillion ?? rates.cacheWritePerMillion,
    },
    { part: "cacheWrite1h", tokens: usage.cacheWrite1hTokens ?? 0, rate: rates.cacheWrite1hPerMillion },
    {
      part: "cacheWrite",
      tokens: usage.cacheWriteTokens ?? 0,
      rate: rates.cacheWritePerMillion ?? rates.cacheWrite5mPerMillion,
    },
    { part: "audioInput", tokens: rest(usage.audioPromptTokens ?? 0, cachedAudio), rate: rates.audioInputPerMillion },
    { part: "imageInput", tokens: rest(usage.imagePromptTokens ?? 0, cachedImage), rate: rates.imageInputPerMillion },
    { part: "videoInput", tokens: rest(usage.videoPromptTokens ?? 0, cachedVideo), rate: rates.videoInputPerMillion },
    { part: "cachedAudioInput", tokens: cachedAudio, rate: rates.cachedAudioInputPerMillion },
    { part: "cachedImageInput", tokens: cachedImage, rate: rates.cachedImageInputPerMillion },
    { part: "cachedVideoInput", tokens: cachedVideo, rate: rates.cachedVideoInputPerMillion },
  ]
  const cachedText = rest(cached, cachedAudio + cachedImage + cachedVideo)
  const overlap = cachedText + mediaIn(usage) - promptTokens
  const disjoint = overlap > 0 ? classes.map((tokenClass) => ofOverlap(tokenClass, rates)) : classes
  const input = rest(promptTokens, cachedText + sumOf(disjoint))
  const written: TokenClass[] = [
    { part: "audioOutput", tokens: usage.audioCompletionTokens ?? 0, rate: rates.audioOutputPerMillion },
    { part: "imageOutput", tokens: usage.imageCompletionTokens ?? 0, rate: rates.imageOutputPerMillion },
    ...reasoning(usage, rates),
  ]
  return [
    { part: "input", tokens: input, rate: rates.inputPerMillion },
    { part: "cachedInput", tokens: cachedText, rate: cachedRate },
    ...disjoint,
    { part: "output", tokens: rest(completionTokens, sumOf(written)), rate: rates.outputPerMillion },
    ...written,
  ]
}

function mediaIn({ imagePromptTokens, audioPromptTokens, videoPromptTokens }: Usage): number {
  return (imagePromptTokens ?? 0) + (audioPromptTokens ?? 0) + (videoPromptTokens ?? 0)
}

const mediaParts = { imageInput: "cachedImage", audioInput: "cachedAudio", videoInput: "cachedVideo" } as const

/**
 * More tokens were cached and of pictures, say, than the prompt has: some were both, and how many is not known. Where both cost what text costs
 * they are among the text's; else their rate is unknown.
 */
function ofOverlap(tokenClass: TokenClass, rates: TokenRates): TokenClass {
  const cachedMedia = mediaParts[tokenClass.part as keyof typeof mediaParts]
  if (cachedMedia === undefined) return tokenClass
  const cachedRate = rates[`${cachedMedia}InputPerMillion`] ?? rates.cachedInputPerMillion
  const isAsText = tokenClass.rate === rates.inputPerMillion && cachedRate === rates.cachedInputPerMillion
  return isAsText ? { ...tokenClass, tokens: 0 } : { ...tokenClass, rate: undefined }
}

/**
 * Tokens of the classes that have a rate of their own beside prompt, cached prompt and answer, by the part of the cost that they
 * are billed as: cache writes by lifetime, audio, images. Only those of which something was used.
 */
export function otherTokenClasses(usage: Usage): Readonly<Record<string, number>> {
  const { promptTokens, completionTokens } = usage
  const noRates = { inputPerMillion: 0, outputPerMillion: 0 }
  const classes = tokenClasses(usage, promptTokens ?? 0, completionTokens ?? 0, noRates)
  const others = classes.filter(({ part, tokens }) => tokens > 0 && !defaultParts.has(part))
  return Object.fromEntries(others.map(({ part, tokens }) => [part, tokens]))
}

const defaultParts: ReadonlySet<string> = new Set(["input", "cachedInput", "output", "reasoning"])

/** A class of its own only where it has a rate of its own. */
function reasoning(usage: Usage, { reasoningPerMillion }: TokenRates): TokenClass[] {
  if (reasoningPerMillion === undefined) return []
  const tokens = usage.reasoningTokens ?? 0
  return [{ part: "reasoning", tokens, rate: reasoningPerMillion }]
}

function sumOf(classes: readonly TokenClass[]): number {
  return classes.reduce((sum, { tokens }) => sum + tokens, 0)
}

function rest(whole: number, parts: number): number {
  return Math.max(0, whole - parts)
}
