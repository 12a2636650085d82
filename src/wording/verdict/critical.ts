import type { BreakFinding, CriticalFinding } from "../../core/report/critical.ts"
import type { NamedMetric } from "../../core/report/verdict-facts.ts"
import { capital, listed, metricTitle } from "../../words/names.ts"
import { count, counted } from "../../words/number.ts"

/** Samples that are named; more are counted. */
const maxNamed = 5

/**
 * What became of the samples that must not break, as one sentence.
 *
 * @example "Of 20 samples that must not break, none went from right to wrong by exact match: 20 were right before, 20 are now, which is at least 86 % of samples like them (95 % confidence)."
 */
export function criticalSentence(finding: Omit<CriticalFinding, "sentence">, metric: NamedMetric): string {
  const { samples, broken, unknown, brokenByFailure } = finding
  const of = `Of ${counted(samples, "sample")} that must not break`
  const by = `from right to wrong by ${metricTitle(metric)}`
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
  const more = ids.length - maxNamed
  return listed([...ids.slice(0, maxNamed), ...(more > 0 ? [`${count(more)} more`] : [])])
}

/** What broke, for the answer of a verdict: "2 of 20 samples that must not break went from right to wrong". */
export function brokenSamplesWords(findings: readonly CriticalFinding[]): string {
  const broken = new Set(findings.flatMap((finding) => finding.broken))
  const samples = findings[0]?.samples ?? 0
  return `${count(broken.size)} of ${counted(samples, "sample")} that must not break went from right to wrong (${namesOf([...broken])})`
}

/**
 * How many samples break a check, as one sentence.
 *
 * @example "Valid JSON: 3 of 60 samples break it with q4, 0 with f16; only with q4 s0, s1 and s2, and none may."
 */
export function breakSentence(
  finding: Omit<BreakFinding, "sentence">,
  metric: NamedMetric,
  [baseline, candidate]: readonly [string, string],
): string {
  const { samples, broken, unknown, allowed } = finding
  const counts = `${count(finding.candidate)} of ${counted(samples, "sample")} break it with ${candidate}, ${count(finding.baseline)} with ${baseline}`
  const only = broken.length === 0 ? "" : `; only with ${candidate} ${namesOf(broken)}, and ${mayWords(allowed)}`
  const open = unknown === 0 ? "" : `; of ${count(unknown)} it is not known`
  return `${capital(metricTitle(metric))}: ${counts}${only}${open}.`
}

function mayWords(allowed: number): string {
  return allowed === 0 ? "none may" : `${count(allowed)} may`
}

/** What broke, for the answer of a verdict: "3 samples break valid JSON only with it (s0, s1 and s2), and none may". */
export function hardBreakWords(findings: readonly BreakFinding[], metrics: readonly NamedMetric[]): string {
  const words = findings
    .filter(({ broken, allowed }) => broken.length > allowed)
    .map(({ metric, broken, allowed }) => {
      const name = metricTitle(metrics.find((namedMetric) => namedMetric.name === metric) ?? { name: metric })
      const verb = broken.length === 1 ? "breaks" : "break"
      return `${counted(broken.length, "sample")} ${verb} ${name} only with it (${namesOf(broken)}), and ${mayWords(allowed)}`
    })
  return listed(words)
}
