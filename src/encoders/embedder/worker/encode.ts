import { EvalkitError } from "../../../core/errors.ts"
import type { TokenEmbeddings } from "../../../core/metric/embedder.ts"
import { createRecent } from "../recent.ts"
import type { LayerOutput, LoadedModel } from "./load-model.ts"
import type { EncoderSettings } from "./messages.ts"
import { type Window, windowsOf } from "./windows.ts"

/** Tokens of one text that are read at most: the rest is left out. */
const maxTextTokens = 8192

/** What is kept of layers that were not asked for, but are by another metric, in bytes. */
const spareBytes = 16 * 1024 * 1024

/** Turns texts into token embeddings, batch by batch. */
export interface Encoder {
  tokenize(texts: readonly string[]): string[][]
  /**
   * Token embeddings of a layer; `null` is the last one.
   * @param proceed asked before every batch with the texts that are done: false stops
   */
  encode(texts: readonly string[], layer: number | null, proceed: (done: number) => boolean): Promise<TokenEmbeddings[]>
}

/**
 * An encoder over a loaded model. Only windows of equal length share a batch: nothing is padded, so that a text's embedding does
 * not depend on the texts beside it. One pass gives every layer: those that were asked for before are kept for a while, so that two metrics
 * that read different layers of the same texts cost one pass and not two.
 */
export function createEncoder(
  model: LoadedModel,
  settings: Pick<EncoderSettings, "maxTokens" | "batchSize" | "prefix">,
): Encoder {
  const { before, after } = specialTokens(model)
  const largest = settings.maxTokens === 0 ? model.maxTokens : Math.min(settings.maxTokens, model.maxTokens)
  const room = Math.max(1, largest - before.length - after.length)
  const read = (text: string) => model.tokenIds(settings.prefix + text, false).slice(0, maxTextTokens)
  const asked = new Set<number | null>()
  const spare = createRecent<TokenEmbeddings>(spareBytes, ({ vectors }) => vectors.byteLength)
  const keyOf = (layer: number | null, text: string) => `${layer} ${text}`

  /** One pass over texts: what it gives of each layer, and whether it went to the end. */
  async function pass(
    texts: readonly string[],
    layers: readonly (number | null)[],
    proceed: (done: number) => boolean,
  ) {
    const parts = texts.map(read)
    const pieces = parts.flatMap((ids, text) =>
      windowsOf(ids.length, room).map((window) => ({
        text,
        window,
        ids: [...before, ...ids.slice(window.start, window.end), ...after],
      })),
    )
    const results = layers.map(() => parts.map((ids) => emptyResult(model, before, ids, after)))
    let done = 0
    let isWhole = true
    for (const batch of batchesByLength(pieces, settings.batchSize)) {
      isWhole = proceed(done)
      if (!isWhole) break
      const outputs = await model.run(batch.map(({ ids }) => ids))
      for (const [i, layer] of layers.entries()) {
        const output = layerOf(outputs, layer)
        for (const [row, { text, window, ids }] of batch.entries())
          copyWindow(results[i]![text] as Result, output, row * ids.length, window, before.length, after.length)
      }
      done += batch.length
    }
    return { byLayer: results.map((texts) => texts.map(finished)), isWhole }
  }

  return {
    tokenize: (texts) => texts.map((text) => model.tokenTexts([...before, ...read(text), ...after])),

    async encode(texts, layer, proceed) {
      // A copy each: what is answered with is moved out of this thread.
      const vectors = texts.map((text): TokenEmbeddings | undefined => {
        const kept = spare.get(keyOf(layer, text))
        return kept && { ...kept, vectors: kept.vectors.slice() }
      })
      const missing = [...texts.keys()].filter((i) => !vectors[i])
      const others = [...asked].filter((other) => other !== layer)
      if (missing.length > 0) {
        const pending = missing.map((i) => texts[i] as string)
        const { byLayer, isWhole } = await pass(pending, [layer, ...others], proceed)
        for (const [k, i] of missing.entries()) vectors[i] = byLayer[0]![k]
        if (isWhole)
          for (const [l, other] of others.entries())
            for (const [k, text] of pending.entries()) spare.set(keyOf(other, text), byLayer[l + 1]![k]!)
      }
      asked.add(layer)
      return vectors as TokenEmbeddings[]
    },
  }
}

function finished({ tokens, special, vectors }: Result): TokenEmbeddings {
  const dimension = (vectors?.length ?? 0) / tokens.length
  return { tokens, special, vectors: vectors ?? new Float32Array(0), dimension }
}

interface Result {
  readonly tokens: string[]
  readonly special: Uint8Array
  vectors: Float32Array | null
}

/** What the tokenizer puts before and after a text: found by comparing a text with and without. */
function specialTokens(model: LoadedModel): { before: number[]; after: number[] } {
  const bare = model.tokenIds("a", false)
  const full = model.tokenIds("a", true)
  const start = full.findIndex((_, i) => bare.every((id, k) => full[i + k] === id))
  return { before: full.slice(0, start), after: full.slice(start + bare.length) }
}

function emptyResult(model: LoadedModel, before: number[], ids: number[], after: number[]): Result {
  const special = new Uint8Array(before.length + ids.length + after.length)
  special.fill(1, 0, before.length).fill(1, before.length + ids.length)
  return { tokens: model.tokenTexts([...before, ...ids, ...after]), special, vectors: null }
}

function* batchesByLength<Piece extends { readonly ids: readonly number[] }>(
  pieces: readonly Piece[],
  batchSize: number,
): Generator<Piece[]> {
  const byLength = new Map<number, Piece[]>()
  for (const piece of pieces) {
    const group = byLength.get(piece.ids.length)
    if (group) group.push(piece)
    else byLength.set(piece.ids.length, [piece])
  }
  for (const [, group] of [...byLength].sort(([a], [b]) => a - b))
    for (let start = 0; start < group.length; start += batchSize) yield group.slice(start, start + batchSize)
}

/** Layers are named as the bundled model names them, or as Optimum exports them; the last one is named alike everywhere. */
function layerOf(outputs: ReadonlyMap<string, LayerOutput>, layer: number | null): LayerOutput {
  const last = outputs.get("last_hidden_state") ?? outputs.get("token_embeddings")
  const hidden = [...outputs.keys()].filter((name) => /^hidden(_states)?[_.]\d+$/.test(name)).length
  const named = layer === null ? last : (outputs.get(`hidden_${layer}`) ?? outputs.get(`hidden_states.${layer}`))
  const output = named ?? (layer === hidden ? last : undefined)
  if (output) return output
  throw new EvalkitError(`the model does not give layer ${layer === null ? "last_hidden_state" : layer}`, {
    code: "layer_unavailable",
    where: `outputs: ${[...outputs.keys()].join(", ")}`,
    hint: "leave the layer out to take the last one, or export the model with its hidden states",
  })
}

/** Copies the kept tokens of a window; the special tokens come from the first and the last window. */
function copyWindow(
  result: Result,
  { data, dimension }: LayerOutput,
  firstRow: number,
  { start, end, keepStart, keepEnd }: Window,
  before: number,
  after: number,
): void {
  result.vectors ??= new Float32Array(result.tokens.length * dimension)
  const length = result.tokens.length - before - after
  const from = keepStart === 0 ? 0 : before + keepStart
  const to = end === length ? result.tokens.length : before + keepEnd
  const source = firstRow + from - start
  result.vectors.set(data.subarray(source * dimension, (source + to - from) * dimension), from * dimension)
}
