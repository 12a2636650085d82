import type { ReportInput } from "../core/report/report.ts"
import type { ReportAnswer } from "../core/report/report-sample.ts"
import type { Redaction } from "../text/personal-data/redaction.ts"
import { redactionSentence } from "../wording/redaction.ts"

/** What a renderer receives, without personal data and secrets that can be found. */
export interface RedactedInput extends ReportInput {
  /** What was replaced in what was read so far, and what is not found. */
  said(): string
}

/**
 * The same run with pseudonyms in place of personal data and secrets, in its report and in every sample and answer. Pictures and recordings
 * are left out, and so are log-probabilities and marks of an answer that was changed: they hold its text in pieces, or places in it.
 */
export async function redactedInput(input: ReportInput, redaction: Redaction): Promise<RedactedInput> {
  return {
    report: await redaction.value(input.report),
    async *samples(filter) {
      for await (const reportSample of input.samples(filter)) {
        const { sample, answers } = await redaction.record(reportSample)
        yield { sample, answers: answers.map((answer, i) => withoutPieces(answer, reportSample.answers[i])) }
      }
    },
    media: () => null,
    said: () => redactionSentence(redaction.counts()),
  }
}

function withoutPieces(clean: ReportAnswer, original: ReportAnswer | undefined): ReportAnswer {
  if (clean.generation === original?.generation) return clean
  const { highlights: _, generation, ...rest } = clean
  return { ...rest, generation: { ...generation, logprobs: null } }
}
