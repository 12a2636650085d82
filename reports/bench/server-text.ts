import type { BenchLevel } from "../../src/perf/bench/bench-level.ts"
import { significant } from "../../src/words/number.ts"
import { stackedTables } from "../terminal/text-table.ts"
import { loadWords } from "./words/level-words.ts"
import { type ServerCell, type ServerRow, serverRows, serverShares, serverTitles } from "./words/server.ts"

/** The server's own view as a table: a load after the other, and what each of its sources says. Nothing where no server says anything. */
export function serverTable(levels: readonly BenchLevel[], width: number): readonly string[] {
  const { rows, names } = serverRows(levels)
  if (rows.length === 0) return []
  const header = ["the server's own view", ...names.map((name) => serverTitles[name])]
  return [
    ...stackedTables(
      header,
      rows.map((row, i) => [nameOf(row, rows[i - 1], levels.length > 1), ...names.map((name) => cellOf(row, name))]),
      width,
    ),
    "  times in ms; network and other is the network, HTTP and the tokenizer, and the queue where the server does not state one",
    "",
  ]
}

/** The load once, before the first of its rows. */
function nameOf({ level, source }: ServerRow, before: ServerRow | undefined, isOneOfMany: boolean): string {
  if (!isOneOfMany) return source
  return before?.level === level ? `  ${source}` : `${level.variant}, ${loadWords(level)}: ${source}`
}

function cellOf({ cells }: ServerRow, name: ServerCell): string {
  const figure = cells[name]
  if (figure === null) return ""
  if (figure.status === "unknown") return "unknown"
  return serverShares.has(name) ? `${significant(figure.value * 100)} %` : significant(figure.value)
}
