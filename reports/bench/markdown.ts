import type { BenchResult } from "../../src/perf/bench/bench-result.ts"
import { linesOf, markdownText } from "../export/markdown.ts"
import { levelHeader, levelRows } from "./level-rows.ts"
import { crossoverWords, lengthDoubts } from "./words/answer-lengths.ts"
import { billSentences, breakEvenSentences } from "./words/bill-sentences.ts"
import { doubtedLegend } from "./words/level-words.ts"
import { doubtWords, headline, scopeWords, verdictSentences } from "./words/verdict.ts"
import { lateWorkerDoubts } from "./words/worker-words.ts"

/** A bench for a pull request: the headline, what makes it invalid, a row a level, bills and break-even. GitHub's Markdown. */
export function benchMarkdown(result: BenchResult): string {
  const { levels } = result
  const legend = doubtedLegend(levels)
  const doubts = [...levels.flatMap(lateWorkerDoubts), ...doubtWords(result), ...lengthDoubts(levels)]
  const costs = [...crossoverWords(result), ...billSentences(result), ...breakEvenSentences(result)]
  const parts = [
    `## ${markdownText(headline(result), 600)}`,
    markdownText(scopeWords(result), 600),
    ...doubts.map((doubt) => `**Mind:** ${markdownText(doubt, 600)}`),
    listed(verdictSentences(result).slice(1)),
    levels.length === 0
      ? ""
      : linesOf(
          levelHeader,
          levelRows(levels).map((row) => row.map((text) => markdownText(text))),
        ),
    legend === null ? "" : markdownText(legend),
    listed(costs),
  ]
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`
}

function listed(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${markdownText(sentence, 1000)}`).join("\n")
}
