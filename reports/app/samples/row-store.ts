import { blockIds, chunkClass, type PageIndex, type SampleText } from "../../page/payload.ts"
import type { RowStore } from "./rows.ts"

/** Reads a gzip + base64 block out of the file: base64 text in, JSON value out. */
export async function decodeBlock<Value>(text: string): Promise<Value> {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"))
  return (await new Response(stream).json()) as Value
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim())
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

const kept = 12

let opened: Promise<RowStore | null> | null = null

/** Opens the rows of this file, once; null when it has none. */
export function openRows(): Promise<RowStore | null> {
  opened ??= readRows()
  return opened
}

async function readRows(): Promise<RowStore | null> {
  const block = document.getElementById(blockIds.index)
  if (!block?.textContent) return null
  const index = await decodeBlock<PageIndex>(block.textContent)
  const blocks = [...document.getElementsByClassName(chunkClass)]
  const cache = new Map<number, readonly SampleText[]>()
  const pending = new Map<number, Promise<readonly SampleText[]>>()

  const chunk = (position: number) => {
    const existing = cache.get(position)
    if (existing) return Promise.resolve(existing)
    const waiting = pending.get(position)
    if (waiting) return waiting
    const loading = decodeBlock<readonly SampleText[]>(blocks[position]?.textContent ?? "").then((texts) => {
      cache.set(position, texts)
      pending.delete(position)
      for (const oldest of cache.keys()) {
        if (cache.size <= kept) break
        cache.delete(oldest)
      }
      return texts
    })
    pending.set(position, loading)
    return loading
  }
  const location = (sample: number) => {
    const position = chunkOf(index.chunkStarts, sample)
    return { position, offset: sample - (index.chunkStarts[position] ?? 0) }
  }
  return {
    index,
    starts: answerStarts(index),
    chunks: blocks.length,
    chunk,
    text: async (sample) => (await chunk(location(sample).position))[location(sample).offset],
    peek: (sample) => cache.get(location(sample).position)?.[location(sample).offset],
  }
}

/** The last chunk that begins at or before a sample. */
export function chunkOf(starts: readonly number[], sample: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= sample) low = middle
    else high = middle - 1
  }
  return low
}

function answerStarts({ answers, sampleIds }: PageIndex): number[] {
  const starts = new Array<number>(sampleIds.length + 1).fill(answers.sample.length)
  for (let answer = answers.sample.length - 1; answer >= 0; answer--) starts[answers.sample[answer] as number] = answer
  for (let sample = sampleIds.length - 1; sample >= 0; sample--)
    starts[sample] = Math.min(starts[sample] as number, starts[sample + 1] as number)
  return starts
}
