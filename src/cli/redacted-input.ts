import { createRedaction, type Redaction } from "../../metrics/safety/redaction.ts"
import type { ReportAnswer, ReportInput } from "../core/report/report.ts"
import { listed } from "../words/names.ts"
import { count } from "../words/number.ts"

/** What a renderer receives, without personal data and secrets that can be found. */
export interface RedactedInput extends ReportInput {
  /** What was replaced in what was read so far, and what is not found. */
  said(): string
}

const nouns = {
  email: ["e-mail address", "e-mail addresses"],
  phone: ["phone number", "phone numbers"],
  card: ["payment card", "payment cards"],
  iban: ["IBAN", "IBANs"],
  secret: ["key", "keys"],
} as const

/**
 * The same run with pseudonyms in place of what `leaks()` finds, in its report and in every sample and answer. Pictures and recordings are
 * left out, and so are log-probabilities and marks of an answer that was changed: they hold its text in pieces, or places in it.
 *
 * @param countries ISO 3166 codes of the countries whose national phone numbers are found
 */
export async function redactedInput(input: ReportInput, countries?: readonly string[]): Promise<RedactedInput> {
  const redaction = createRedaction(countries)
  return {
    report: await redaction.value(input.report),
    async *samples(wanted) {
      for await (const { sample, answers } of input.samples(wanted)) {
        const clean: ReportAnswer[] = []
        for (const answer of answers) clean.push(await redactedAnswer(answer, redaction))
        yield { sample: await redaction.value(sample), answers: clean }
      }
    },
    media: () => null,
    said() {
      const parts = [...redaction.counts()].map(([kind, n]) => `${count(n)} ${nouns[kind][n === 1 ? 0 : 1]}`)
      const found = parts.length === 0 ? "nothing was found to redact" : `${listed(parts)} redacted`
      return `${found}; names, postal addresses, dates of birth and keys of unknown shapes are not found`
    },
  }
}

async function redactedAnswer(answer: ReportAnswer, redaction: Redaction): Promise<ReportAnswer> {
  const clean = await redaction.value(answer)
  if (clean.generation === answer.generation) return clean
  const { highlights: _, generation, ...rest } = clean
  return { ...rest, generation: { ...generation, logprobs: null } }
}
