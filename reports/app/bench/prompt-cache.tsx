import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { count } from "../../../src/words/number.ts"
import { loadWords } from "../../bench/words/level-words.ts"
import { cacheRows, promptCacheSentences } from "../../bench/words/prompt-cache-words.ts"
import { BenchTable, FigureTd, Paragraphs, RowHead } from "./cells.tsx"

/** Whether a bench has hits and misses of a prompt cache to show. */
export function hasPromptCache({ levels }: BenchResult): boolean {
  return cacheRows(levels).length > 0
}

/** Hits and misses of the prompt cache beside each other, two rows a load. */
export function PromptCacheTable({ result: { levels } }: { result: BenchResult }) {
  return (
    <>
      <Paragraphs sentences={promptCacheSentences(levels)} />
      <BenchTable
        caption="A hit is a prompt of which at least half of the tokens came from the cache, as the service reports. Intervals are 95 %."
        headings={[
          ...["Load", { words: "Prompts" }, "Answers", "Prompt tokens", "From the cache"],
          ...["TTFT p50, ms", "Per query"],
        ]}
      >
        {cacheRows(levels).map(({ name, level, hit, miss }) =>
          [["in the cache", hit] as const, ["not in the cache", miss] as const].map(([words, side], index, all) => (
            <tr key={`${name} ${words}`}>
              <RowHead text={`${name}, ${loadWords(level)}`} rows={all.length} index={index} />
              <td class="words">{words}</td>
              <td>{count(side.answers)}</td>
              <FigureTd figure={side.promptTokens} />
              <FigureTd figure={side.cachedShare} scale={100} after=" %" />
              <FigureTd figure={side.ttftMs} interval />
              <FigureTd figure={side.costUsd} before="$" interval />
            </tr>
          )),
        )}
      </BenchTable>
    </>
  )
}
