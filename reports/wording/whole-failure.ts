import { asksJudge } from "../../src/core/metric/asks-judge.ts"
import { isAnswered, type Outcome } from "../../src/core/outcome.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { metricCalled, metricTitle } from "../../src/words/metric.ts"
import { count, counted } from "../../src/words/number.ts"
import { failedCount } from "../view-model/variant-columns.ts"
import type { AdvisedCommand } from "./advised-command.ts"
import { failureReasons, reasonLine } from "./failure-reasons.ts"
import { unscoredSentence } from "./unscored-words.ts"
import { noAnswerWords, verdictWords } from "./verdict-words.ts"

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
  readonly command?: AdvisedCommand
}

/** What stands in place of an answer where a run as a whole failed: no call answered, nothing scored, ended early; null where it did not. */
export function wholeFailure(report: RunReport): WholeFailure | null {
  return nothingAnswered(report) ?? nothingScored(report) ?? endedEarly(report)
}

/** The word that stands first in every form of a report: that of its verdict, or that a run as a whole brought no answer; null where nothing is compared. */
export function firstWord(report: RunReport): string | null {
  if (wholeFailure(report) !== null) return noAnswerWords
  return report.decision ? verdictWords[report.decision.verdict] : null
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
  if (finished === 0) return nothingAsked(report, broken)
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
      ...broken.filter((text) => !reasons.some(({ message }) => message !== "" && text.includes(message))),
    ],
    advice: importedAdvice(run) ?? [
      {
        words: isRefused
          ? "Read what the service says: a key, a model's name or an account is often the cause."
          : "Cure the cause that is named first.",
      },
      { words: "Check it without a run:", command: { name: "doctor", words: [] } },
      {
        words:
          planned > finished
            ? "Then ask what failed again, and what was not sent:"
            : "Then ask again only what failed:",
        command: { name: "run", words: ["--resume", run.id, "--retry-failed"] },
      },
    ],
    hasFigures: false,
  }
}

/** An imported run is not evalkit's to ask again; null for any other. */
function importedAdvice({ config: { importedFrom, tool } }: RunReport["run"]): readonly Advice[] | null {
  if (typeof importedFrom !== "string") return null
  const other = typeof tool === "string" ? tool : "the tool that asked"
  return [{ words: `Cure the cause that is named first, ask again with ${other}, and import its new log.` }]
}

function nothingAsked({ run, variants }: RunReport, broken: readonly string[]): WholeFailure {
  const isStated = (reason: string) => variants.some(({ failure }) => failure !== null && reason.includes(failure))
  const because = [run.endedBecause ?? []].flat().filter((reason) => !isStated(reason))
  const goOn = { name: "run", words: ["--resume", run.id] } as const
  return {
    kind: "nothing_asked",
    title: "No call was made: there is nothing to compare.",
    reasons: [...broken, ...because],
    advice:
      broken.length > 0
        ? [
            { words: "Cure what is named above, and check it:", command: { name: "doctor", words: [] } },
            { words: "Then go on with this run:", command: goOn },
          ]
        : [{ words: "Cure the cause or allow more, then go on with this run:", command: goOn }],
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
  const required = deciding.length > 0 ? deciding : metrics
  const figures = variants.flatMap(({ quality }) =>
    quality.filter(({ metric }) => required.some((own) => own.name === metric)),
  )
  if (required.length === 0 || figures.length === 0 || figures.some(({ scored }) => scored > 0)) return null
  const whys = new Map<string, number>()
  for (const { metric, unscored } of figures)
    for (const [reason, times] of Object.entries(unscored)) {
      const line = `${metricCalled(metrics, metric)}: ${unscoredSentence(reason)}`
      whys.set(line, (whys.get(line) ?? 0) + times)
    }
  // Who stops a run before anything is scored is told that it ended early, not that its metric has a fault.
  if (whys.size === 0 && isStopped(run)) return null
  const isJudged = required.every(asksJudge)
  const names = required.map((metric) => metricTitle(metric)).join(" and ")
  return {
    kind: "nothing_scored",
    title: isJudged
      ? `The judge gave no verdict: ${names} has no score of any answer.`
      : `No answer could be scored: ${names} has no score at all.`,
    reasons: [
      ...(isStopped(run) && run.endedBecause !== undefined ? [run.endedBecause] : []),
      ...[...whys]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 6)
        .map(([line, times]) => `${counted(times, "answer")}: ${line}`),
    ],
    advice: [scoringAdvice(run, isJudged)],
    hasFigures: true,
  }
}

function scoringAdvice(run: RunReport["run"], isJudged: boolean): Advice {
  const cure = isJudged ? "Cure the judge" : "Give the samples what the metric needs, or choose another one"
  return isStopped(run)
    ? {
        words: `The answers are kept. ${cure}, then go on where the run ended; what has no score is scored, too:`,
        command: { name: "run", words: ["--resume", run.id] },
      }
    : {
        words: `The answers are kept. ${cure}, then score them again${isJudged ? " without asking a variant" : ""}:`,
        command: { name: "score", words: [run.id] },
      }
}

/** Whether a run ended with calls of its plan left. */
function isStopped({ status }: RunReport["run"]): boolean {
  return status !== "finished" && status !== "running"
}

function endedEarly({ run, variants, decision }: RunReport): WholeFailure | null {
  if (!isStopped(run) || run.endedBecause === undefined) return null
  const [finished, planned] = [sum(variants, "finished"), sum(variants, "planned")]
  // An answer that stands on the part that was asked stands; its doubt is said beside it.
  if (decision?.verdict === "swap" || decision?.verdict === "keep") return null
  return {
    kind: "undecided",
    title: `The run ended before it could decide: ${count(finished)} of ${counted(planned, "answer")} are there.`,
    reasons: [run.endedBecause],
    advice: [
      {
        words: "Nothing that was paid for is lost. Go on where it ended:",
        command: { name: "run", words: ["--resume", run.id] },
      },
    ],
    hasFigures: true,
  }
}

function sum(variants: RunReport["variants"], name: "finished" | "planned"): number {
  return variants.reduce((total, variant) => total + variant[name], 0)
}
