import type { Comparison } from "../core/report/comparison.ts"
import type { Check, VariantReport } from "../core/report/report.ts"
import { counted } from "../words/number.ts"

/** Checks that a run makes of itself; a failed one is a line of doubt under the verdict. */
export function runChecks(variants: readonly VariantReport[], comparisons: readonly Comparison[]): readonly Check[] {
  return [
    everythingAnswered(variants, comparisons),
    ...answersBegan(variants),
    ...answersAreWhole(variants),
    nothingReplayed(variants),
    clientKeptUp(variants),
    ...serviceWasWarm(variants),
    notOneEndpoint(comparisons),
  ]
}

function everythingAnswered(variants: readonly VariantReport[], comparisons: readonly Comparison[]): Check {
  const short = variants.filter((variant) => variant.finished < variant.planned || variant.failure !== null)
  const counts = short.map(
    ({ name, finished, planned, failure }) => `${name}: ${finished} of ${planned}${failure ? ` (${failure})` : ""}`,
  )
  const mayGoOn = comparisons.length > 0 && short.some(({ failure }) => failure === null)
  return {
    name: "every planned call has an answer or a failure on record",
    status: short.length === 0 ? "passed" : "failed",
    message: short.length === 0 ? "nothing is missing" : `${counts.join(" · ")}${mayGoOn ? `. ${readTwice}` : ""}`,
  }
}

/** What a verdict on a part of a run is worth, where the run may go on. */
export const readTwice =
  "A run that is decided on before its end and again at its end errs more often than its error rate says; to decide early, use --until decided, or --limit and then --extend."

/** Only where it happened: answers of which nothing was written before their token limit. */
function answersBegan(variants: readonly VariantReport[]): Check[] {
  const cut = variants.filter(({ outcomes }) => (outcomes.length_empty ?? 0) > 0)
  if (cut.length === 0) return []
  const counts = cut.map(({ name, outcomes, finished }) => `${name}: ${outcomes.length_empty} of ${finished}`)
  return [
    {
      name: "answers began before their token limit",
      status: "failed",
      message: `${counts.join(" · ")} answers are empty, since their tokens were spent before the answer began, as by thinking: raise maxTokens`,
    },
  ]
}

/** Only where it happened: answers that are scored without a secret which the model repeated. */
function answersAreWhole(variants: readonly VariantReport[]): Check[] {
  const cut = variants.filter(({ redactedAnswers = 0 }) => redactedAnswers > 0)
  if (cut.length === 0) return []
  const counts = cut.map(({ name, redactedAnswers, finished }) => `${name}: ${redactedAnswers} of ${finished}`)
  return [
    {
      name: "answers are scored as they came",
      status: "failed",
      message: `${counts.join(" · ")} answers held a secret of this process, which was taken out (•••) before they were scored: take the key out of the prompts, or out of evalkit's environment`,
    },
  ]
}

function nothingReplayed(variants: readonly VariantReport[]): Check {
  const replayed = variants.reduce((sum, { speed }) => sum + speed.replayed, 0)
  return {
    name: "latencies come from calls of this run",
    status: "passed",
    message:
      replayed === 0
        ? "nothing was cached"
        : `${counted(replayed, "answer")} came from the cache and ${replayed === 1 ? "is" : "are"} left out of every latency figure`,
  }
}

/** Answers whose latency is left out, as a share of a variant's: above it the rest may be another selection, and its figures are in doubt. */
const maxStalled = 0.05

function clientKeptUp(variants: readonly VariantReport[]): Check {
  const stalled = variants.filter(({ speed }) => (speed.stalled ?? 0) > 0)
  const isDoubtful = stalled.some(({ speed, finished }) => (speed.stalled ?? 0) > maxStalled * finished)
  return {
    name: "this machine kept up with the answers",
    status: isDoubtful ? "failed" : "passed",
    message:
      stalled.length === 0
        ? "the process that measured never stood still"
        : `the process that measured stood still (stopped, or without a processor) while answers came; their latency is left out: ${stalled
            .map(({ name, speed }) => `${speed.stalled} of ${name}`)
            .join(" · ")}`,
  }
}

/** Only where a service was met cold. */
function serviceWasWarm(variants: readonly VariantReport[]): Check[] {
  const name = "latencies are those of a warm service"
  const count = (variant: VariantReport) => variant.speed.cold ?? variant.speed.coldCounted ?? 0
  const list = (some: readonly VariantReport[]) =>
    some.map((variantReport) => `${count(variantReport)} of ${variantReport.name}`).join(" · ")
  const left = variants.filter(({ speed }) => speed.cold !== undefined)
  const counted = variants.filter(({ speed }) => speed.coldCounted !== undefined)
  if (left.length + counted.length === 0) return []
  const what = "first answers of a session, or first over a new connection"
  const words = [
    ...(left.length > 0 ? [`${what}, are left out of every latency and gain: ${list(left)}`] : []),
    ...(counted.length > 0 ? [`${what}, count all the same where there are no others: ${list(counted)}`] : []),
  ]
  return [{ name, status: counted.length > 0 ? "unknown" : "passed", message: words.join("; ") }]
}

/** Answers that are all the same may be what was hoped for: that no fault can be seen is not known then, and the comparison says so. */
function notOneEndpoint(comparisons: readonly Comparison[]): Check {
  const alike = comparisons.flatMap(({ identity }) => identity.warning ?? [])
  return {
    name: "variants differ from the baseline",
    status: alike.length === 0 ? "passed" : "unknown",
    message: alike.length === 0 ? "no two variants look like one endpoint" : alike.join(" · "),
  }
}
