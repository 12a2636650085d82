import type { CriticalFinding } from "../../core/report/critical.ts"
import type { NamedMetric } from "../../core/report/verdict-facts.ts"
import { listed, spoken } from "../../words/names.ts"
import { count, counted } from "../../words/number.ts"

/** Samples that are named; more are counted. */
const mostNamed = 5

/**
 * What became of the samples that must not break, as one sentence.
 *
 * @example "Of 20 samples that must not break, none went from right to wrong by exact match: 20 were right before, 20 are now, which is at least 86 % of samples like them (95 % confidence)."
 */
export function criticalSentence(finding: Omit<CriticalFinding, "sentence">, metric: NamedMetric): string {
  const { samples, broken, unknown, brokenByFailure } = finding
  const of = `Of ${counted(samples, "sample")} that must not break`
  const by = `from right to wrong by ${spoken(metric)}`
  if (broken.length > 0) {
    const failed = brokenByFailure === 0 ? "" : `; of ${count(brokenByFailure)} the answer failed`
    return `${of}, ${count(broken.length)} went ${by}: ${namesOf(broken)}${failed}.`
  }
  if (unknown > 0) return `${of}, none is known to have gone ${by}, but of ${count(unknown)} it is not known.`
  return `${of}, none went ${by}: ${rightWords(finding)}.`
}

function rightWords({ rightBaseline, rightCandidate, atLeast }: Omit<CriticalFinding, "sentence">): string {
  const counts = `${count(rightBaseline)} ${rightBaseline === 1 ? "was" : "were"} right before, ${count(rightCandidate)} ${rightCandidate === 1 ? "is" : "are"} now`
  if (atLeast === null || atLeast === 0) return counts
  // Rounded down: the claim is a lower bound.
  return `${counts}, which is at least ${Math.floor(atLeast * 100)} % of samples like them (95 % confidence)`
}

/** "s1, s5 and 12 more". */
function namesOf(ids: readonly string[]): string {
  const more = ids.length - mostNamed
  return listed([...ids.slice(0, mostNamed), ...(more > 0 ? [`${count(more)} more`] : [])])
}

/** What broke, for the answer of a verdict: "2 of 20 samples that must not break went from right to wrong". */
export function brokenSamplesWords(findings: readonly CriticalFinding[]): string {
  const broken = new Set(findings.flatMap((finding) => finding.broken))
  const samples = findings[0]?.samples ?? 0
  return `${count(broken.size)} of ${counted(samples, "sample")} that must not break went from right to wrong (${namesOf([...broken])})`
}
