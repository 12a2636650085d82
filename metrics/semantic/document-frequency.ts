import type { Dataset } from "../../src/core/dataset.ts"
import { UsageError } from "../../src/core/errors.ts"
import { contentHash } from "../../src/core/json.ts"
import type { Embedder } from "../../src/core/metric/embedder.ts"

/** Texts that token frequencies are counted in: a data set (its references) or the texts themselves. @public */
export type FrequencySource = Dataset | readonly string[]

/** How signatures name the source of the weights. */
export function frequencyIdentity(source: FrequencySource | undefined): string {
  if (source === undefined) return "no"
  return isTexts(source) ? `${source.length}-texts-${contentHash(source, 8)}` : `references-of-${source.name}`
}

/**
 * Inverse document frequency of tokens: ln((N + 1) / (df + 1)) over N texts, as in BERTScore and MoverScore; a token that
 * is in no text weighs ln(N + 1). Needs one pass over the texts.
 * @throws {UsageError} when the embedder does not give tokens
 */
export async function inverseDocumentFrequency(
  source: FrequencySource,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<(token: string) => number> {
  const texts = isTexts(source) ? source : await referencesOf(source, signal)
  if (!embedder.tokenize)
    throw new UsageError("idf needs an embedder that gives its tokens", {
      where: embedder.identity,
      hint: "take transformers(…), or leave idf out",
    })
  const frequency = new Map<string, number>()
  for (let start = 0; start < texts.length; start += 1024)
    for (const tokens of await embedder.tokenize(texts.slice(start, start + 1024), signal))
      for (const token of new Set(tokens)) frequency.set(token, (frequency.get(token) ?? 0) + 1)
  return (token) => Math.log((texts.length + 1) / ((frequency.get(token) ?? 0) + 1))
}

/** {@link inverseDocumentFrequency}, counted once at the first answer; undefined without a source. */
export function cachedFrequency(source: FrequencySource | undefined) {
  let counted: ReturnType<typeof inverseDocumentFrequency> | undefined
  return (embedder: Embedder, signal: AbortSignal) => {
    if (source !== undefined) counted ??= inverseDocumentFrequency(source, embedder, signal)
    return counted
  }
}

function isTexts(source: FrequencySource): source is readonly string[] {
  return Array.isArray(source)
}

async function referencesOf(dataset: Dataset, signal: AbortSignal | undefined): Promise<string[]> {
  const texts: string[] = []
  for await (const sample of dataset.samples(signal)) texts.push(...sample.references)
  return texts
}
