import type { InputForm, ReadTexts, WindowRule } from "./settings.ts"
import { firstWindow, textWindows } from "./text-windows.ts"

/** Token numbers of one text or pair, as the tokenizer makes them. */
export interface Encoded {
  readonly ids: readonly number[]
  /** Which of a pair's texts each belongs to; null where the tokenizer does not say. */
  readonly types: readonly number[] | null
}

/** What is needed of a tokenizer. */
export interface TextEncoder {
  /** With special tokens. */
  encode(text: string, pair: string | null): Encoded
  /** Tokens of a text without special tokens. */
  count(text: string): number
  /** The token that ends a text, as text; `""` where there is none. */
  readonly endOfText: string
  /** Special tokens after a text. */
  readonly closing: number
}

/** One pass of the model: its inputs by prefix (`""` where there is one input), and where the scored text's tokens are. */
export interface ClassifierPass {
  readonly inputs: ReadonlyMap<string, Encoded>
  readonly from: number
  readonly to: number
}

/** Characters of a text that are read. */
const maxTextLength = 200_000

/**
 * The passes in which a model reads an item: one where it fits into `limit` tokens or only the first window counts; else one for
 * each window of the first text, beside the whole second text (of which at most half a pass is read).
 */
export function readingsOf(
  item: ReadTexts,
  encoder: TextEncoder,
  { form, windows, limit }: { readonly form: InputForm; readonly windows: WindowRule; readonly limit: number },
): readonly ClassifierPass[] {
  const text = item.text.slice(0, maxTextLength)
  const pair = item.pair?.slice(0, maxTextLength) ?? null
  if (form.kind === "separate") return [separately(item, encoder, form.prefixes, limit)]
  const whole = encode(text, pair, form, encoder)
  if (whole.ids.length <= limit) return [reading(whole, pair, encoder)]
  const frame = encode("", pair === null ? null : "", form, encoder).ids.length
  const room = Math.max(1, limit - frame)
  const half = Math.max(1, Math.floor(room / 2))
  const countPiece = remembering((piece) => encoder.count(piece))
  const second = pair === null || encoder.count(pair) <= half ? pair : firstWindow(pair, half, countPiece)
  const left = Math.max(1, room - (second === null ? 0 : encoder.count(second)))
  const cut = windows === "first" ? [firstWindow(text, left, countPiece)] : textWindows(text, left, countPiece)
  return cut.map((part) => reading(atMost(encode(part, second, form, encoder), limit), second, encoder))
}

function encode(text: string, pair: string | null, form: InputForm, encoder: TextEncoder): Encoded {
  if (form.kind !== "template") return encoder.encode(text, pair)
  const values: Readonly<Record<string, string>> = { text, pair: pair ?? "", eos: encoder.endOfText }
  return encoder.encode(
    form.template.replace(/\{(text|pair|eos)\}/g, (_, name: string) => values[name] ?? ""),
    null,
  )
}

/** The scored text is the last one: its tokens stand before the closing special tokens. */
function reading(encoded: Encoded, pair: string | null, encoder: TextEncoder): ClassifierPass {
  const to = Math.max(1, encoded.ids.length - encoder.closing)
  const from = pair === null ? 0 : Math.max(0, to - encoder.count(pair))
  return { inputs: new Map([["", encoded]]), from, to }
}

function separately(
  item: ReadTexts,
  encoder: TextEncoder,
  prefixes: Readonly<Record<"source" | "pair" | "text", string>>,
  limit: number,
): ClassifierPass {
  const inputs = (["source", "pair", "text"] as const).flatMap((role): [string, Encoded][] => {
    const text = item[role]
    return text === undefined
      ? []
      : [[prefixes[role], atMost(encoder.encode(text.slice(0, maxTextLength), null), limit)]]
  })
  return { inputs: new Map(inputs), from: 0, to: 1 }
}

/** Cut at the limit, with the closing token kept. */
function atMost({ ids, types }: Encoded, limit: number): Encoded {
  if (ids.length <= limit) return { ids, types }
  const kept = (list: readonly number[]) => [...list.slice(0, limit - 1), list.at(-1) as number]
  return { ids: kept(ids), types: types && kept(types) }
}

function remembering(count: (piece: string) => number): (piece: string) => number {
  const cache = new Map<string, number>()
  return (piece) => {
    const length = cache.get(piece)
    if (length !== undefined) return length
    const counted = count(piece)
    cache.set(piece, counted)
    return counted
  }
}
