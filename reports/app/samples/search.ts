import { useEffect, useState } from "preact/hooks"
import type { SampleText } from "../../page/payload.ts"
import type { RowStore } from "./rows.ts"

/** What a search has found so far. */
export interface SearchState {
  /** Positions of the samples that hold the query; null without a query. */
  readonly hits: ReadonlySet<number> | null
  /** Share of the texts that were read, 0..1. */
  readonly progress: number
}

const idle: SearchState = { hits: null, progress: 1 }

/** Searches ids, inputs, references and answers, chunk by chunk; a new query ends the search for the old one. */
export function useSearch(store: RowStore, query: string): SearchState {
  const [state, setState] = useState<SearchState>(idle)
  useEffect(() => {
    const words = query.trim().toLowerCase()
    if (words === "") {
      setState(idle)
      return
    }
    let stopped = false
    const run = async () => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      const hits = new Set<number>()
      store.index.sampleIds.forEach((id, sample) => {
        if (id.toLowerCase().includes(words)) hits.add(sample)
      })
      for (let position = 0; position < store.chunks && !stopped; position++) {
        const texts = await store.chunk(position)
        const first = store.index.chunkStarts[position] ?? 0
        texts.forEach((text, offset) => {
          if (holds(text, words)) hits.add(first + offset)
        })
        if (!stopped && (position % 8 === 7 || position === store.chunks - 1))
          setState({ hits: new Set(hits), progress: (position + 1) / store.chunks })
      }
    }
    void run()
    return () => {
      stopped = true
    }
  }, [store, query])
  return query.trim() === "" ? idle : state
}

function holds({ input, references, answers }: SampleText, words: string): boolean {
  return (
    input.some((turn) => turn.text.toLowerCase().includes(words)) ||
    references.some((reference) => reference.toLowerCase().includes(words)) ||
    answers.some((answer) => answer.text.toLowerCase().includes(words))
  )
}
