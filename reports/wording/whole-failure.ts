import { isAnswered, type Outcome } from "../../src/core/outcome.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { failedCount } from "../export/columns.ts"
import { readableName } from "../format/metric.ts"
import { count, plural } from "../format/number.ts"
import { failureReasons, reasonLine } from "./failure-reasons.ts"

/** A run that has no answer to its question, and what there is to say instead. */
export interface WholeFailure {
  readonly kind: "nothing_asked" | "nothing_answered" | "nothing_scored" | "undecided"
  /** What happened, in a few words. */
  readonly title: string
  /** In the words of the services, judges and metrics; the most frequent first. */
  readonly reasons: readonly string[]
  /** What to do next, in this order. */
  readonly advice: readonly Advice[]
  /** Whether any figure of the run is worth a table or a chart. */
  readonly hasFigures: boolean
}

/** One thing to do, with the command that does it. */
export interface Advice {
  readonly words: string
  readonly command?: string
}

/** What stands in place of an answer where a run as a whole failed: no call answered, nothing scored, ended early; null where it did not. */
export function wholeFailure(report: RunReport): WholeFailure | null {
  return nothingAnswered(report) ?? nothingScored(report) ?? endedEarly(report)
}

/** Where a run stands, in words: one whose every call was sent has ended, but has not finished what it was for where none was answered. */
export function statusWords(report: RunReport): string {
  const { status } = report.run
  if (status !== "finished") return status
  const kind = wholeFailure(report)?.kind
  if (kind === "nothing_answered") return "ended without an answer"
  return kind === "nothing_scored" ? "finished, nothing scored" : status
}

function nothingAnswered(report: RunReport): WholeFailure | null {
  const { variants, run } = report
  const finished = variants.reduce((sum, variant) => sum + variant.finished, 0)
  const isSilent = variants.every(({ outcomes }) =>
    Object.entries(outcomes).every(([outcome, times]) => !isAnswered(outcome as Outcome) || !times),
  )
  if (!isSilent || variants.length === 0) return null
  const broken = brokenVariants(report)
  if (finished === 0)
    return {
      kind: "nothing_asked",
      title: "No call was made: there is nothing to compare.",
      reasons: [...broken, ...(run.endedBecause === undefined ? [] : [run.endedBecause])],
      advice: [{ words: "Cure what is named above, and check it before the next run:", command: "npx evalkit doctor" }],
      hasFigures: false,
    }
  const reasons = failureReasons(report)
  const isRefused = reasons.length > 0 && reasons.every(({ outcome }) => outcome === "http_4xx")
  const planned = sum(variants, "planned")
  const stopped = planned > finished ? `, and the other ${count(planned - finished)} were not sent` : ""
  const failed = variants.reduce((sum, variant) => sum + failedCount(variant), 0)
  return {
    kind: "nothing_answered",
    title: isRefused
      ? `The service refused every call: ${count(failed)} of ${count(finished)}${stopped}.`
      : `No call brought an answer: ${count(failed)} of ${count(finished)} failed${stopped}.`,
    reasons: [
      ...reasons.map(reasonLine),
      ...broken.filter((one) => !reasons.some(({ message }) => message !== "" && one.includes(message))),
    ],
    advice: [
      {
        words: isRefused
          ? "Read what the service says: a key, a model's name or an account is often the cause."
          : "Cure the cause that is named first.",
      },
      { words: "Check it without a run:", command: "npx evalkit doctor" },
      {
        words: "Then ask again only what failed:",
        command: `npx evalkit run --resume ${run.id} --retry-failed`,
      },
    ],
    hasFigures: false,
  }
}

/** Variants that failed as a whole with what they failed of; those of one cause stand together. */
function brokenVariants({ variants }: RunReport): string[] {
  const names = new Map<string, string[]>()
  for (const { name, failure } of variants)
    if (failure !== null) names.set(failure, [...(names.get(failure) ?? []), name])
  return [...names].map(([failure, all]) => `${all.join(", ")}: ${failure}`)
}

function nothingScored({ run, metrics, variants }: RunReport): WholeFailure | null {
  const deciding = metrics.filter(({ primary }) => primary)
  const wanted = deciding.length > 0 ? deciding : metrics
  const figures = variants.flatMap(({ quality }) =>
    quality.filter(({ metric }) => wanted.some((one) => one.name === metric)),
  )
  if (wanted.length === 0 || figures.length === 0 || figures.some(({ scored }) => scored > 0)) return null
  const whys = new Map<string, number>()
  for (const { metric, unscored } of figures)
    for (const [reason, times] of Object.entries(unscored)) {
      const line = `${readableName(metric)}: ${reason}`
      whys.set(line, (whys.get(line) ?? 0) + times)
    }
  const isJudged = wanted.every(({ signature }) => /(?:^|[| ])(?:judge:|panel\|)/.test(signature))
  const names = wanted.map(({ name }) => readableName(name)).join(" and ")
  return {
    kind: "nothing_scored",
    title: isJudged
      ? `The judge gave no verdict: ${names} has no score of any answer.`
      : `No answer could be scored: ${names} has no score at all.`,
    reasons: [...whys]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 6)
      .map(([line, times]) => `${plural(times, "answer")}: ${line}`),
    advice: [
      {
        words: isJudged
          ? "The answers are kept. Cure the judge, then score them again without asking a variant:"
          : "The answers are kept. Give the samples what the metric needs, or choose another one, then score them again:",
        command: `npx evalkit score ${run.id}`,
      },
    ],
    hasFigures: true,
  }
}

function endedEarly({ run, variants, decision }: RunReport): WholeFailure | null {
  if (run.status === "finished" || run.status === "running" || run.endedBecause === undefined) return null
  const [finished, planned] = [sum(variants, "finished"), sum(variants, "planned")]
  // An answer that stands on the part that was asked stands; its doubt is said beside it.
  if (decision?.verdict === "swap" || decision?.verdict === "keep") return null
  return {
    kind: "undecided",
    title: `The run ended before it could decide: ${count(finished)} of ${plural(planned, "answer")} are there.`,
    reasons: [run.endedBecause],
    advice: [
      {
        words: "Nothing that was paid for is lost. Go on where it ended:",
        command: `npx evalkit run --resume ${run.id}`,
      },
    ],
    hasFigures: true,
  }
}

function sum(variants: RunReport["variants"], name: "finished" | "planned"): number {
  return variants.reduce((total, variant) => total + variant[name], 0)
}
