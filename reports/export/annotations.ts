import type { RunReport } from "../../src/core/report/report.ts"
import { plainText } from "../format/text.ts"
import { verdictWords } from "../wording/verdict-words.ts"

const limit = 40

/**
 * Annotations in the form of GitHub's workflow commands, one per line: failed rules and checks as errors, inconclusive
 * rules as warnings, the decision as a notice. At most forty. Empty when there is nothing to say.
 *
 * @example
 * // ::error title=gate failed%3A m-q2_0::0.552 is below 0.8
 */
export function renderAnnotations(report: RunReport): string {
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
    ...(report.decision
      ? [command("notice", `evalkit: ${verdictWords[report.decision.verdict]}`, report.decision.sentence)]
      : []),
  ]
  return lines
    .slice(0, limit)
    .map((line) => `${line}\n`)
    .join("")
}

function command(level: "error" | "warning" | "notice", title: string, message: string): string {
  const property = escapeCommand(plainText(title, 120)).replace(/:/g, "%3A").replace(/,/g, "%2C")
  return `::${level} title=${property}::${escapeCommand(plainText(message, 500))}`
}

function escapeCommand(text: string): string {
  return text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A")
}
