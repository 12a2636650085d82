import type { RunReport } from "../../src/core/report/report.ts"
import { plainText } from "../../src/words/text.ts"
import { noAnswerWords, verdictWords } from "../wording/verdict-words.ts"
import { wholeFailure } from "../wording/whole-failure.ts"

const limit = 40

/** A line of a file in the repository, such as where the config has its rules. */
export interface SourceLine {
  /** From the root of the repository. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

/**
 * Annotations in the form of GitHub's workflow commands, one per line: failed rules and checks as errors, inconclusive
 * rules as warnings, the decision as a notice, and where there are several candidates a notice for each. At most forty. Empty when
 * there is nothing to say.
 *
 * @param source what they stand at in the change; absent: nowhere
 * @example
 * // ::error file=eval.config.ts,line=12,title=gate failed%3A m-q2_0::0.552 is below 0.8
 */
export function renderAnnotations(report: RunReport, source?: SourceLine): string {
  const command = (level: Level, title: string, message: string) => workflowCommand(level, title, message, source)
  const failure = wholeFailure(report)
  const lines = [
    ...report.gate.flatMap((rule) =>
      rule.status === "passed"
        ? []
        : [
            command(
              rule.status === "failed" ? "error" : "warning",
              `gate ${rule.status}: ${rule.variant}`,
              `${rule.rule}: ${rule.message}`,
            ),
          ],
    ),
    ...report.checks.flatMap((check) =>
      check.status === "failed" ? [command("error", `check failed: ${check.name}`, check.message)] : [],
    ),
    ...(failure ? [command("notice", `evalkit: ${noAnswerWords}`, [failure.title, ...failure.reasons].join(" "))] : []),
    ...(report.decision && !failure
      ? [command("notice", `evalkit: ${verdictWords[report.decision.verdict]}`, report.decision.sentence)]
      : []),
    ...(report.decision && !failure && report.decision.candidates.length > 1
      ? report.decision.candidates.map(({ candidate, verdict, sentence, answer }) =>
          command("notice", `${verdictWords[verdict]}: ${candidate}`, sentence ?? answer ?? verdictWords[verdict]),
        )
      : []),
  ]
  return lines
    .slice(0, limit)
    .map((line) => `${line}\n`)
    .join("")
}

type Level = "error" | "warning" | "notice"

function workflowCommand(level: Level, title: string, message: string, source: SourceLine | undefined): string {
  const properties = [
    ...(source ? [`file=${escapeProperty(plainText(source.file, 400))}`, `line=${source.line}`] : []),
    `title=${escapeProperty(plainText(title, 120))}`,
  ]
  return `::${level} ${properties.join(",")}::${escapeCommand(plainText(message, 500))}`
}

function escapeProperty(text: string): string {
  return escapeCommand(text).replace(/:/g, "%3A").replace(/,/g, "%2C")
}

function escapeCommand(text: string): string {
  return text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A")
}
