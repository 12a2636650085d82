import { figureValue } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { duration } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { type TerminalOptions, type TerminalStyle, wrapParts } from "./style.ts"

/** Milliseconds of a load that a reader should know of. */
const longLoadMs = 1_000

/** One line with the variants whose server took over a second until it was ready, the slowest first; nothing of services that run elsewhere. */
export function coldStartLines(
  { variants }: RunReport,
  style: TerminalStyle,
  { columns, unicode }: TerminalOptions,
): string[] {
  const slow = variants
    .map(({ name, resources }) => ({ name, loadMs: figureValue(resources.loadMs) ?? 0 }))
    .filter(({ loadMs }) => loadMs > longLoadMs)
    .sort((a, b) => b.loadMs - a.loadMs)
  if (slow.length === 0) return []
  const [first = "", ...others] = slow.map(({ name, loadMs }) =>
    style.text(`${plainText(name, 30)} ${duration(loadMs)}`),
  )
  return wrapParts([`cold start, until the server was ready: ${first}`, ...others], columns - 2, {
    ...{ limit: 2, unicode, more: (hidden) => `${hidden} more in the report` },
  }).map((line) => ` ${style.dim(line)}`)
}
