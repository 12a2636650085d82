import { type Figure, figureValue } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { significant } from "../../src/words/number.ts"
import { duration } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { stagesText, stopNotes } from "../wording/stages.ts"
import { listLines, paragraph, type Screen } from "./style.ts"

/** Milliseconds of a load that a reader should know of. */
const longLoadMs = 1_000

/** Sections that split the time to the first token, the exact one first. */
const topics = ["server_metrics", "server_view"]

/**
 * Where time went beside the table: the stages of applications, the first token by the word of the servers, answers that stood still, and
 * servers that took over a second until they were ready.
 */
export function timeLines(report: RunReport, screen: Screen): string[] {
  const stages = report.variants.flatMap((variant) => {
    const text = stagesText(variant)
    return text === null ? [] : [`stages of ${plainText(variant.name, 30)}: ${text}`]
  })
  const hanging = (text: string) => paragraph(screen, text, { margin: 4, next: "   ", limit: 2000 })
  return [
    ...stages.flatMap(hanging),
    ...listLines(screen, "first token by the server's own word", firstTokens(report)),
    ...stopNotes(report).flatMap(hanging),
    ...listLines(screen, "cold start, until the server was ready", coldStarts(report)),
  ]
}

/** The variants whose server loaded for long, the slowest first; nothing of services that run elsewhere. */
function coldStarts({ variants }: RunReport): string[] {
  return variants
    .map(({ name, resources }) => ({ name, loadMs: figureValue(resources.loadMs) ?? 0 }))
    .filter(({ loadMs }) => loadMs > longLoadMs)
    .sort((a, b) => b.loadMs - a.loadMs)
    .map(({ name, loadMs }) => `${plainText(name, 30)} ${duration(loadMs)}`)
}

/**
 * Queue, prefill and the rest by the word of each server. Nothing of variants whose server says nothing, and of those whose time evalkit
 * cannot measure well enough to split it.
 */
function firstTokens(report: RunReport): string[] {
  return report.variants.flatMap(({ name, speed }) => {
    const { p50 } = speed.ttftMs
    if (p50.status === "unknown" || p50.isApproximate) return []
    const [split] = topics.flatMap((topic) => splitOf(report, topic, name) ?? [])
    return split === undefined ? [] : [`${plainText(name, 30)} ${split}`]
  })
}

/** `queue 5.00, prefill 8.00, network 4.30 ms`: means by metrics, medians by answers, which do not add up. Null where it is not known. */
function splitOf(report: RunReport, topic: string, variant: string): string | null {
  const section = report.sections.find(
    (reportSection) => reportSection.kind === "table" && reportSection.topic === topic,
  )
  if (section?.kind !== "table") return null
  const row = section.data.rows.find(([name]) => name === variant)
  const cellValue = (title: string): number | null => {
    const cell = row?.[section.data.columns.findIndex((column) => column.title === title)]
    return typeof cell === "object" ? figureValue(cell as Figure) : null
  }
  const [queue, prefill, rest] = [cellValue("queue"), cellValue("prefill"), cellValue("network and other")]
  if (prefill === null || rest === null) return null
  const parts = [
    ...(queue === null ? [] : [`queue ${significant(queue)}`]),
    `prefill ${significant(prefill)}`,
    `${queue === null ? "queue and network" : "network"} ${significant(rest)}`,
  ]
  return `${parts.join(", ")} ms`
}
