import { type Unscored, unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import type { Sample } from "../../src/core/sample.ts"
import type { Offence } from "../hallucination/detector-row.ts"
import { type CitedSentence, citedSentences } from "./cited-sentences.ts"
import type { Claim, Support } from "./support.ts"

/** The citations of one answer, checked. @public */
export type CitationRow = {
  /** Sentences that state something, and those without a mark. */
  readonly sentences: number
  readonly uncited: number
  /** Sentences whose passages support them, all together. */
  readonly supported: number
  /** Citations of sentences that name existing passages only; those that are needed for support; those that are not. */
  readonly citations: number
  readonly precise: number
  readonly unneeded: number
  /** Citations of passages that do not exist. */
  readonly invented: number
  readonly offences: readonly Offence[]
}

/** Marked places that are kept for the report. */
const maxOffences = 20

/**
 * Checks an answer's citations by ALCE's rules. A sentence is supported when its passages together support it. A citation of a
 * supported sentence is precise unless its passage alone does not support it while the others without it do. A sentence that
 * names a passage which does not exist is not supported, and its citations do not count.
 *
 * Source: Gao et al. 2023, "Enabling Large Language Models to Generate Text with Citations", and its published evaluation.
 */
export async function citationRow(
  { context }: Sample,
  answer: string,
  support: Support,
  tools: MetricTools,
): Promise<CitationRow | Unscored> {
  if (context.length === 0) return unscored("no_context", "the sample has no passages")
  const sentences = citedSentences(answer)
  if (sentences.length === 0)
    return answer.trim() === ""
      ? unscored("empty_output")
      : unscored("abstained", "the answer says that it does not know, or states nothing")
  const claimOf = (sentence: CitedSentence, passages: readonly number[]): Claim => ({
    statement: sentence.statement,
    passages: passages.map((passage) => context[passage - 1] as string),
  })
  const exists = (passage: number) => passage <= context.length
  const valid = sentences.filter(({ passages }) => passages.length > 0 && passages.every(exists))

  const together = await support.check(
    valid.map((sentence) => claimOf(sentence, sentence.passages)),
    tools,
  )
  if ("status" in together) return together
  const supported = valid.filter((_, i) => together[i])

  const several = supported.flatMap((sentence) =>
    sentence.passages.length > 1 ? sentence.passages.map((passage) => ({ sentence, passage })) : [],
  )
  const alone = await support.check(
    several.map(({ sentence, passage }) => claimOf(sentence, [passage])),
    tools,
  )
  if ("status" in alone) return alone
  const weak = several.filter((_, i) => !alone[i])
  const others = await support.check(
    weak.map(({ sentence, passage }) =>
      claimOf(
        sentence,
        sentence.passages.filter((other) => other !== passage),
      ),
    ),
    tools,
  )
  if ("status" in others) return others
  const unneeded = weak.filter((_, i) => others[i])

  const invented = sentences.flatMap(({ passages }) => passages.filter((passage) => !exists(passage)))
  const offences = sentences.flatMap((sentence) => {
    const reason = faultOf(sentence, context.length, supported)
    return reason === null ? [] : [{ text: sentence.text.slice(0, 500), start: sentence.start, reason }]
  })
  return {
    sentences: sentences.length,
    uncited: sentences.filter(({ passages }) => passages.length === 0).length,
    supported: supported.length,
    citations: total(valid),
    precise: total(supported) - unneeded.length,
    unneeded: unneeded.length,
    invented: invented.length,
    offences: offences.slice(0, maxOffences),
  }
}

function total(sentences: readonly CitedSentence[]): number {
  return sentences.reduce((sum, { passages }) => sum + passages.length, 0)
}

function faultOf(sentence: CitedSentence, passages: number, supported: readonly CitedSentence[]): string | null {
  if (sentence.passages.length === 0) return "cites no passage"
  const missing = sentence.passages.filter((passage) => passage > passages)
  if (missing.length > 0) return `cites ${named(missing)}, of ${passages}`
  return supported.includes(sentence) ? null : `not supported by ${named(sentence.passages)}`
}

function named(passages: readonly number[]): string {
  return passages.length === 1 ? `passage ${passages[0]}` : `passages ${passages.join(", ")}`
}
