import type { RunReport } from "../../src/core/report/report.ts"
import { renderMarkdown } from "./markdown.ts"

/** Bytes that GitHub shows of the summary of one step. */
export const stepSummaryBytes = 1024 * 1024

/**
 * The report as the summary of a step in GitHub Actions: its Markdown, within the 1 MiB that GitHub takes (more is not shown at
 * all). What does not fit is left out whole, table by table and chart by chart, and a sentence says so.
 *
 * @param room bytes that are left, 1 MiB less what the step's summary holds already
 */
export function renderStepSummary(report: RunReport, room = stepSummaryBytes): string {
  return shortened(renderMarkdown(report), room)
}

/** Markdown of at most so many bytes of UTF-8, cut between two paragraphs outside of code; empty where not even a sentence fits. */
export function shortened(markdown: string, room: number): string {
  if (Buffer.byteLength(markdown) <= room) return markdown
  const parts = markdown.split("\n\n")
  for (let kept = longest(parts, room); kept >= 0; kept--) {
    const head = parts.slice(0, kept).join("\n\n")
    const isInCode = head.split("\n").filter((line) => line.startsWith("```")).length % 2 === 1
    const left = parts.length - kept
    const text = `${head}${kept > 0 ? "\n\n" : ""}_${left === 1 ? "One part" : `${left} parts`} of this report ${left === 1 ? "is" : "are"} left out: GitHub shows 1 MiB of a summary. The whole is in \`evalkit report --format markdown\`._\n`
    if (!isInCode && Buffer.byteLength(text) <= room) return text
  }
  return ""
}

/** How many parts fit, at most. */
function longest(parts: readonly string[], room: number): number {
  let bytes = 0
  for (const [i, part] of parts.entries()) {
    bytes += Buffer.byteLength(part) + 2
    if (bytes > room) return i
  }
  return parts.length
}
