import type { ComponentChildren } from "preact"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { crossoverWords, lengthDoubts, lengthWords, shortAnswersMean } from "../../bench/words/answer-lengths.ts"
import { loadWords } from "../../bench/words/level-words.ts"
import { levelSentences } from "../../bench/words/sentences.ts"
import { doubtWords, scopeWords, verdictSentences } from "../../bench/words/verdict.ts"
import { lateWorkerDoubts } from "../../bench/words/worker-words.ts"
import type { FindWord } from "../../page/words.ts"
import type { CurvesFigure } from "../charts/curves.ts"
import { CurvesChart } from "../charts/curves-chart.tsx"
import { Heading, WordsProvider } from "../words.tsx"
import { capacityFigures } from "./capacity.ts"
import { Paragraphs } from "./cells.tsx"
import { CostTable, ResourceTables } from "./cost-tables.tsx"
import { OutcomeTable, OverviewTable, PercentileTable, ToolTable } from "./level-tables.tsx"
import { hasPromptCache, PromptCacheTable } from "./prompt-cache.tsx"
import { hasServerView, ServerView } from "./server-view.tsx"
import { timeFigures, tokenFigure } from "./streaming.ts"
import { Tiles } from "./tiles.tsx"
import { TrustTable } from "./trust.tsx"

/**
 * A bench on a page without scripts: the verdict as a sentence, the figures that support it, throughput against latency,
 * then the evidence for each of them.
 */
export function BenchPage({ result, words }: { result: BenchResult; words: FindWord }) {
  const [verdict = "Nothing was measured.", ...more] = verdictSentences(result)
  const shortWords = result.levels.flatMap((level) =>
    lengthWords(level).map((sentence) => `${level.variant}, ${loadWords(level)}: ${sentence}`),
  )
  // No claim stands above what makes it invalid.
  const invalid = [...workerDoubts(result), ...doubtWords(result)]
  const hasTools = (result.levels[0]?.tools.length ?? 0) > 0
  return (
    <WordsProvider value={words}>
      <main class="bench-page">
        <p class="eyebrow">{`evalkit bench · ${scopeWords(result)}`}</p>
        <Doubts sentences={invalid} />
        <h1>{verdict}</h1>
        <Doubts sentences={lengthDoubts(result.levels)} />
        <Paragraphs sentences={more} />
        <Tiles result={result} />
        <Figures figures={capacityFigures(result)} />
        <OverviewTable result={result} />
        <Part title="Latency and streaming">
          <Paragraphs sentences={crossoverWords(result).map((words) => `${words}.`)} />
          <Figures figures={[tokenFigure(result), ...timeFigures(result)]} />
        </Part>
        <Part title="Percentiles">
          <PercentileTable result={result} />
          <Paragraphs sentences={shortWords.length > 0 ? [...shortWords, shortAnswersMean] : []} />
        </Part>
        {hasPromptCache(result) && (
          <Part title="Prompt cache">
            <PromptCacheTable result={result} />
          </Part>
        )}
        {hasServerView(result) && (
          <Part title="The server's own view">
            <ServerView result={result} />
          </Part>
        )}
        <Part title="Failed requests">
          <OutcomeTable result={result} />
        </Part>
        <Part title="Cost">
          <CostTable result={result} />
        </Part>
        <Part title="Tokens, context window and resources">
          <ResourceTables result={result} />
        </Part>
        <Part title="Measurement error">
          <TrustTable result={result} />
        </Part>
        {hasTools && (
          <Part title="The same log in other tools' definitions">
            <ToolTable result={result} />
          </Part>
        )}
        <details>
          <summary>Each load in sentences</summary>
          <Paragraphs sentences={result.levels.map((level) => levelSentences(level).join(" "))} />
        </details>
      </main>
    </WordsProvider>
  )
}

function workerDoubts({ levels }: BenchResult): readonly string[] {
  return levels.flatMap((level) => lateWorkerDoubts(level).map((words) => `Invalid: ${words}.`))
}

function Doubts({ sentences }: { sentences: readonly string[] }) {
  return sentences.map((words) => (
    <p key={words} class="doubt">
      {words}
    </p>
  ))
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>
        <Heading title={title} place="bench" />
      </h2>
      {children}
    </section>
  )
}

function Figures({ figures }: { figures: readonly CurvesFigure[] }) {
  return (
    <div class="all-curves">
      {figures.map((figure, i) => (
        <CurvesChart key={i} figure={figure} />
      ))}
    </div>
  )
}
