import type { TableData } from "../../core/report/report-sections.ts"
import type { NamedMetric } from "../../core/report/verdict-facts.ts"
import type { RetryRecord } from "../../core/run/run-record.ts"
import type { Bounds } from "../../stats/intervals/proportion-interval.ts"
import { between, signed, wordingOf } from "../../words/difference.ts"
import { metricTitle } from "../../words/names.ts"
import { count, counted } from "../../words/number.ts"
import { errorText, percent, roundPercent } from "../../words/percent.ts"

/** What became of lost samples, and of the others beside them. */
interface Repaired {
  readonly lost: number
  readonly repaired: number
  /** Interval of the share that is repaired; null bound: not bounded. */
  readonly low: number | null
  readonly high: number | null
  readonly others: number
  readonly broken: number
}

/** @example triesWords(2, 2) // "tries 3 to 4" */
export function triesWords(before: number, prompts: number): string {
  return prompts === 1 ? `try ${before + 1}` : `tries ${before + 1} to ${before + prompts}`
}

/** What a retry found: how much of a cause a changed prompt repairs, and what the verdict on it is worth. */
export const retryWords = {
  title: "Retry",
  columns: [
    { title: "variant" },
    { title: "samples" },
    { title: "lost before" },
    { title: "repaired" },
    { title: "newly lost" },
    { title: "lost now" },
    { title: "difference before" },
    { title: "difference now" },
  ] as TableData["columns"],
  parts: (cause: number) => ({ cause: `cause ${cause}`, rest: "the rest", all: "all" }),
  noDifference: "no sample has a score on both sides",
  repaired(variant: string, { of, cause, causeName }: RetryRecord, result: Repaired): string {
    const { lost, repaired, low, high, others, broken } = result
    const bounds =
      low === null || high === null ? "" : `, between ${Math.round(100 * low)} and ${Math.round(100 * high)}`
    const rate = `${roundPercent(repaired / lost)}${bounds}`
    const rest =
      others === 0
        ? ""
        : ` Of its ${counted(others, "other sample")} ${count(broken)} ${broken === 1 ? "is" : "are"} newly lost.`
    return `${variant} repairs ${count(repaired)} of ${counted(lost, "lost sample")} of cause ${cause} of run ${of} (${causeName}): ${rate}; ${count(lost - repaired)} stay lost.${rest}`
  },
  partial: (variant: string, samples: number) =>
    `${variant} was asked about the ${counted(samples, "sample")} of the cause alone, where it repairs no more than it breaks. No verdict follows from them, since they were chosen by their losses; ask all others with: evalkit retry RUN --whole.`,
  tries({ triesBefore, prompts, firstAlpha }: RetryRecord, alpha: number): string {
    const which = triesWords(triesBefore, prompts.length).replace("t", "T")
    const shared = prompts.length === 1 ? "" : " together"
    return `${which} at this set of samples: decided at ${errorText(alpha)}${shared} instead of ${errorText(firstAlpha)}, so that all tries after the first err in at most ${errorText(firstAlpha)}, however many follow.`
  },
  chosenBy: (samples: number, all: number) =>
    `${counted(samples, "sample")} of ${count(all)} (${percent(samples / all)}) are those of the cause: a prompt that was written for them has no fair test in them.`,
  rest(
    variant: string,
    metric: NamedMetric,
    samples: number,
    estimate: { readonly value: number } & Partial<Bounds>,
  ): string {
    const { value, low, high } = estimate
    const wording = wordingOf(metric)
    const bounds = low === undefined || high === undefined ? "" : `, ${between(low, high, wording)}`
    return `${variant} on the other ${count(samples)}: ${metricTitle(metric)} ${signed(value, wording)} against the baseline${bounds}.`
  },
} as const
