import type { RunReport } from "../../src/core/report/report.ts"
import { briefing, defaultVolume } from "../wording/briefing.ts"
import { doubtsBesideVerdict } from "../wording/doubts.ts"
import { planKept } from "../wording/frozen-plan.ts"
import { criticalLines, limitLines } from "../wording/limits.ts"
import { verdictMeanings, verdictWords } from "../wording/verdict-words.ts"
import { wholeFailure } from "../wording/whole-failure.ts"
import { markdownText, renderMarkdown } from "./markdown.ts"

/**
 * The report for the one who decides, as Markdown: the answer, what gets worse, what a month costs, how sure this is and what was not
 * checked. A run without a decision, or that failed as a whole, is written in full.
 * @experimental
 */
export function renderBriefing(report: RunReport): string {
  const { decision, run, dataset } = report
  const parts = briefing(report, defaultVolume)
  if (!decision || parts.length === 0 || wholeFailure(report)) return renderMarkdown(report)
  const item = (text: string) => `- ${markdownText(text, 800)}`
  const kept = [
    ...doubtsBesideVerdict(report),
    ...criticalLines(report)
      .filter(({ candidate }) => candidate === decision.about)
      .map(({ text }) => text),
    ...limitLines(report)
      .filter(({ variant }) => variant === decision.about)
      .map(({ text }) => `The limit ${text}.`),
  ]
  return `${[
    `# ${verdictWords[decision.verdict]}: ${markdownText(decision.answer, 500)}`,
    markdownText(verdictMeanings[decision.verdict]),
    markdownText(decision.evidence, 1200),
    kept.map(item).join("\n"),
    ...parts.flatMap(({ title, sentences }) => [`## ${title}`, sentences.map(item).join("\n")]),
    `<sub>run ${markdownText(run.id)} \u00b7 ${markdownText(run.startedAt.slice(0, 10))} \u00b7 ${dataset.samples} samples${planKept(report) === null ? "" : ` \u00b7 ${planKept(report)}`}</sub>`,
  ]
    .filter((part) => part !== "")
    .join("\n\n")}\n`
}
