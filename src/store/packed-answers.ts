import type { Generation } from "../core/generation.ts"
import type { AnswerText, PackedAnswers } from "../core/run/run-store.ts"
import type { Sample } from "../core/sample.ts"

/** Characters that a part has at most, where it has more than one answer. */
const maxCharacters = 4_000_000

/** What {@link packAnswers} reads: a call, its answer as it is stored, and its sample. */
export type StoredAnswerRow = readonly [sampleId: string, repeat: number, answer: string, sample: string]

/** Answers in parts of so many; of large ones fewer. */
export function* packAnswers(variant: string, rows: Iterable<StoredAnswerRow>, max: number): Generator<PackedAnswers> {
  let part = { calls: [] as PackedAnswers["calls"][number][], answers: [] as string[], samples: [] as string[] }
  let characters = 0
  for (const [sampleId, repeat, answer, sample] of rows) {
    part.calls.push({ variant, sampleId, repeat })
    part.answers.push(answer)
    part.samples.push(sample)
    characters += answer.length + sample.length
    if (part.calls.length < max && characters < maxCharacters) continue
    yield part
    part = { calls: [], answers: [], samples: [] }
    characters = 0
  }
  if (part.calls.length > 0) yield part
}

/** The answers of a part, each with its sample. Nothing of an answer is read besides its text and how it ended. */
export function* unpackAnswers({ answers, samples }: PackedAnswers): Generator<readonly [AnswerText, Sample]> {
  for (const [i, text] of answers.entries()) {
    const stored = JSON.parse(text) as Generation
    const { variant, sampleId, repeat, outcome, failure, returned } = stored
    const answer = { variant, sampleId, repeat, outcome, text: stored.text, failure }
    yield [returned ? { ...answer, returned } : answer, JSON.parse(samples[i] as string) as Sample]
  }
}
