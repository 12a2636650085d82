import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { capital } from "../../../src/words/names.ts"
import { loadWords } from "../../bench/words/level-words.ts"
import { serverRows, serverSentences, serverShares, serverTitles } from "../../bench/words/server.ts"
import { BenchTable, FigureTd, Paragraphs, RowHead } from "./cells.tsx"

/** Whether a server says anything of a load. */
export function hasServerView({ levels }: BenchResult): boolean {
  return serverRows(levels).rows.length > 0 || levels.some((level) => serverSentences(level).length > 0)
}

/** What the server says of each load beside what the client saw, and where the two cannot both be true. */
export function ServerView({ result: { levels } }: { result: BenchResult }) {
  const { rows, names } = serverRows(levels)
  const rowsOf = (level: BenchLevel) => rows.filter((row) => row.level === level)
  return (
    <>
      {rows.length > 0 && (
        <BenchTable
          caption="Times in milliseconds: medians of what came with the answers, means of the server's /metrics; of the readings the highest. The rest of it is network, HTTP and the tokenizer, and the queue where the server does not state one."
          headings={["Load", { words: "Timings of" }, ...names.map((name) => capital(serverTitles[name]))]}
        >
          {levels.flatMap((level) =>
            rowsOf(level).map((row, index) => (
              <tr key={`${levels.indexOf(level)} ${index}`}>
                <RowHead text={`${level.variant}, ${loadWords(level)}`} rows={rowsOf(level).length} index={index} />
                <td class="words">{row.source}</td>
                {names.map((name) => {
                  const figure = row.cells[name]
                  const share = serverShares.has(name) ? { scale: 100, after: " %" } : {}
                  return figure === null ? <td key={name} /> : <FigureTd key={name} figure={figure} {...share} />
                })}
              </tr>
            )),
          )}
        </BenchTable>
      )}
      <Paragraphs
        sentences={levels.flatMap((level) =>
          serverSentences(level).map((sentence) => `${level.variant}, ${loadWords(level)}: ${sentence}`),
        )}
      />
    </>
  )
}
