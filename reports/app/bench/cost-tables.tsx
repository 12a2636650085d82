import type { ResourceUsage } from "../../../src/core/provider.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { count, significant } from "../../../src/words/number.ts"
import { breakEvenSentences } from "../../bench/words/bill-sentences.ts"
import { loadWords } from "../../bench/words/level-words.ts"
import { BenchTable, FigureTd, Paragraphs, RowHead } from "./cells.tsx"

/** What the answers cost, and what a month of the stated traffic would. */
export function CostTable({ result }: { result: BenchResult }) {
  const { levels, monthlyUsd, queriesPerMonth } = result
  const month = queriesPerMonth === null ? [] : [`${count(queriesPerMonth)} queries a month`]
  const headings = ["Load", "Per query", "Per 1,000", "Per correct answer", "Spent on failures", "Judges", ...month]
  return (
    <>
      <BenchTable
        caption="Failed calls and judges are counted separately. Where a price is unknown, every figure that depends on it is unknown."
        headings={[...headings, { words: "Price" }]}
      >
        {levels.map((level, i) => {
          const { perQueryUsd, perThousandUsd, perCorrectUsd, failedUsd, judgeUsd, priceSource } = level.cost
          const bill = monthlyUsd?.[i]
          const figures = [perQueryUsd, perThousandUsd, perCorrectUsd, failedUsd, judgeUsd, ...(bill ? [bill] : [])]
          return (
            <tr key={i}>
              <RowHead text={`${level.variant}, ${loadWords(level)}`} />
              {figures.map((figure, column) => (
                <FigureTd key={column} figure={figure} before="$" />
              ))}
              <td class="words">{priceSource ?? "no price is known"}</td>
            </tr>
          )
        })}
      </BenchTable>
      <Paragraphs sentences={breakEvenSentences(result)} />
    </>
  )
}

/** Tokens, caches, the context window and what the serving process used. */
export function ResourceTables({ result }: { result: BenchResult }) {
  const share = { scale: 100, after: " %" }
  return (
    <>
      <BenchTable
        caption="Tokens as the endpoint reported them; context use is (prompt + output tokens) / window of each request."
        headings={[
          ...["Load", "Prompt tokens", "Output tokens", "Prompt cache hits", "Window", "Use p50", "Use p99"],
          ...["Over 90 %", "Cut off by the window", "Too long for the window"],
        ]}
      >
        {result.levels.map((level, i) => (
          <tr key={i}>
            <RowHead text={`${level.variant}, ${loadWords(level)}`} />
            <FigureTd figure={level.tokens.prompt} />
            <FigureTd figure={level.tokens.completion} />
            <FigureTd figure={level.promptCacheHitRate} {...share} />
            <FigureTd figure={level.contextUse.window} />
            <FigureTd figure={level.contextUse.share.p50} {...share} />
            <FigureTd figure={level.contextUse.share.p99} {...share} />
            <td>{count(level.contextUse.nearlyFull)}</td>
            <td>{count(level.contextUse.cutOff)}</td>
            <td>{count(level.contextUse.refused)}</td>
          </tr>
        ))}
      </BenchTable>
      <JudgeTable result={result} />
      <UsageTable result={result} />
    </>
  )
}

/** What judging the answers used; nothing where no judge was asked. */
function JudgeTable({ result }: { result: BenchResult }) {
  const judged = result.levels.filter(({ judges }) => judges.calls + judges.replayed > 0)
  if (judged.length === 0) return null
  return (
    <BenchTable
      caption="Judges are called after a load has ended. Their tokens are counted in no other figure; identical answers are judged once."
      headings={["Load", "Calls", "Verdicts reused", "Prompt tokens", "Output tokens", "Cost"]}
    >
      {judged.map((level, i) => (
        <tr key={i}>
          <RowHead text={`${level.variant}, ${loadWords(level)}`} />
          <td>{count(level.judges.calls)}</td>
          <td>{count(level.judges.replayed)}</td>
          <FigureTd figure={level.judges.promptTokens} />
          <FigureTd figure={level.judges.completionTokens} />
          <FigureTd figure={level.judges.usd} before="$" />
        </tr>
      ))}
    </BenchTable>
  )
}

function UsageTable({ result }: { result: BenchResult }) {
  return (
    <BenchTable
      caption="The serving process and its children, where they run on this machine."
      headings={[
        ...["Variant", "Memory, peak", "Above idle", "CPU", "GPU memory", "GPU busy", "GPU energy"],
        ...["Model file", "Load time", { words: "Note" }],
      ]}
    >
      {[...result.resources].map(([variant, usage]) => (
        <tr key={variant}>
          <RowHead text={variant} />
          {usageOf(usage).map(([value, scale, unit], column) =>
            value == null ? (
              <td key={column} class="unknown">
                unknown
              </td>
            ) : (
              <td key={column}>{`${significant(value / scale)} ${unit}`}</td>
            ),
          )}
          <td class="words message unknown">{usage.reason ?? ""}</td>
        </tr>
      ))}
    </BenchTable>
  )
}

function usageOf(usage: ResourceUsage): readonly (readonly [number | null | undefined, scale: number, unit: string])[] {
  const { gpu } = usage
  return [
    [usage.peakRssBytes, 2 ** 20, "MiB"],
    [usage.rssOverIdleBytes, 2 ** 20, "MiB"],
    [usage.cpuSeconds, 1, "s"],
    [gpu?.peakMemoryBytes, 2 ** 20, "MiB"],
    [gpu?.meanUtilisation == null ? null : gpu.meanUtilisation * 100, 1, "%"],
    [gpu?.energyJoules, 1, "J"],
    [usage.modelBytes, 2 ** 20, "MiB"],
    [usage.loadMs, 1000, "s"],
  ]
}
