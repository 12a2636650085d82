import type { RunReport } from "../../src/core/report/report.ts"
import { escaped } from "../../src/words/escape.ts"
import { plainLines } from "../../src/words/text.ts"
import { verdictWords } from "../wording/verdict-words.ts"

/**
 * The run as JUnit XML. Suite `gate`: a failed rule is a failure, an inconclusive one an error. Suite `checks`: a failed
 * check is stated in its output, an unknown one skipped: no rule asked for it. Suite `verdicts`: one passing case per comparison with its finding, an
 * error only when the measurement is invalid: whether a worse candidate fails a build is for the gate to say.
 * @experimental
 */
export function renderJunit(report: RunReport): string {
  return junitOf(report)
}

/** What of a report is in its JUnit XML. */
type JunitFacts = Pick<RunReport, "gate" | "checks" | "comparisons"> & {
  readonly run: Pick<RunReport["run"], "name" | "durationMs">
}

/** The JUnit XML of a report, or of a gate over a load test. */
export function junitOf(report: JunitFacts): string {
  const suites = [
    suite(
      "gate",
      report.gate.map((rule) => ({
        name: `${rule.variant}: ${rule.rule}`,
        body:
          rule.status === "passed"
            ? ""
            : element(rule.status === "failed" ? "failure" : "error", { message: rule.message, type: rule.status }),
      })),
    ),
    suite(
      "checks",
      report.checks.map((check) => ({
        name: check.name,
        body:
          check.status === "passed"
            ? ""
            : check.status === "failed"
              ? `<system-out>${xmlText(check.message)}</system-out>`
              : element("skipped", { message: check.message }),
      })),
    ),
    suite(
      "verdicts",
      report.comparisons.map((comparison) => {
        const finding = `${verdictWords[comparison.verdict]}: ${comparison.sentence}`
        return {
          name: `${comparison.candidate} for ${comparison.baseline}`,
          body:
            comparison.verdict === "invalid"
              ? element("error", { message: finding })
              : `<system-out>${xmlText(finding)}</system-out>`,
        }
      }),
    ),
  ]
  const total = (read: (suite: Suite) => number) => suites.reduce((sum, next) => sum + read(next), 0)
  const counts = `tests="${total((item) => item.tests)}" failures="${total((item) => item.failures)}" errors="${total((item) => item.errors)}"`
  const attributes = `name="${xmlText(report.run.name)}" ${counts} time="${(report.run.durationMs / 1000).toFixed(3)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${suites.map((item) => item.xml).join("")}</testsuites>\n`
}

/** A foreign text for XML, in elements and attributes: escaped, and without characters that XML 1.0 forbids. */
export function xmlText(text: string): string {
  return escaped(plainLines(text).replace(/[\ufffe\uffff]/g, "\ufffd")).replace(
    /[\n\t]/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  )
}

interface Case {
  readonly name: string
  /** What the case holds, as XML; empty when it passed. */
  readonly body: string
}

interface Suite {
  readonly tests: number
  readonly failures: number
  readonly errors: number
  readonly xml: string
}

function suite(name: string, cases: readonly Case[]): Suite {
  const having = (tag: string) => cases.filter((entry) => entry.body.startsWith(`<${tag} `)).length
  const [failures, errors, skipped] = [having("failure"), having("error"), having("skipped")]
  const lines = cases.map((entry) => {
    const open = `    <testcase classname="evalkit.${name}" name="${xmlText(entry.name)}"`
    return entry.body === "" ? `${open}/>\n` : `${open}>${entry.body}</testcase>\n`
  })
  const attributes = `name="${name}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`
  return {
    tests: cases.length,
    failures,
    errors,
    xml: `  <testsuite ${attributes}>\n${lines.join("")}  </testsuite>\n`,
  }
}

function element(tag: string, attributes: Readonly<Record<string, string>>): string {
  const text = Object.entries(attributes).map(([name, value]) => `${name}="${xmlText(value)}"`)
  return `<${tag} ${text.join(" ")}/>`
}
