import { type Figure, figureValue } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { significant } from "../../src/words/number.ts"
import { plainText } from "../../src/words/text.ts"
import { type TerminalOptions, type TerminalStyle, wrapParts } from "./style.ts"

/** Sections that split the time to the first token, the exact one first. */
const topics = ["server_metrics", "server_view"]

/**
 * One line that says where the time to the first token of each variant went by the word of its server: queue, prefill and the rest. Nothing of
 * variants whose server says nothing, and of those whose time evalkit cannot measure well enough to split it.
 */
export function firstTokenLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const parts = report.variants.flatMap(({ name, speed }) => {
    const { p50 } = speed.ttftMs
    if (p50.status === "unknown" || p50.isApproximate) return []
    for (const topic of topics) {
      const split = splitOf(report, topic, name)
      if (split) return [style.text(`${plainText(name, 30)} ${split}`)]
    }
    return []
  })
  const [first, ...others] = parts
  if (first === undefined) return []
  return wrapParts([`first token by the server's own word: ${first}`, ...others], options.columns - 2, {
    ...{ limit: 2, unicode: options.unicode, more: (hidden) => `${hidden} more in the report` },
  }).map((line) => ` ${style.dim(line)}`)
}

/** `queue 5.00, prefill 8.00, network 4.30 ms`: means by metrics, medians by answers, which do not add up. Null where it is not known. */
function splitOf(report: RunReport, topic: string, variant: string): string | null {
  const section = report.sections.find((one) => one.kind === "table" && one.topic === topic)
  if (section?.kind !== "table") return null
  const row = section.data.rows.find(([name]) => name === variant)
  const cellValue = (title: string): number | null => {
    const cell = row?.[section.data.columns.findIndex((column) => column.title === title)]
    return typeof cell === "object" ? figureValue(cell as Figure) : null
  }
  const [queue, prefill, rest] = [cellValue("queue"), cellValue("prefill"), cellValue("the rest of it")]
  if (prefill === null || rest === null) return null
  const known = [
    ...(queue === null ? [] : [`queue ${significant(queue)}`]),
    `prefill ${significant(prefill)}`,
    `${queue === null ? "queue and network" : "network"} ${significant(rest)}`,
  ]
  return `${known.join(", ")} ms`
}
