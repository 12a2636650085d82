import { chosenVariant, type VariantOfLog } from "../../analyse/source/log-variant.ts"
import { type ForeignRecord, isRecord } from "../../core/foreign/foreign-log.ts"
import type { JsonObject } from "../../core/json.ts"
import type { AnswerFacts } from "../../core/metric/scored-variant.ts"
import { isFailure } from "../../core/outcome.ts"
import { splitOf } from "../../core/sample.ts"
import { answerFacts } from "../../perf/answer-facts.ts"
import { type ForeignRow, factsOf, sampleIdOf } from "../../rows/foreign-variant.ts"
import { foreignGeneration } from "../../text/reading/foreign-generation.ts"
import type { ForeignAnswer } from "./score-file.ts"
import type { ReadAnswer } from "./scorer.ts"

/** How rows are read as answers. */
export interface ScorableOptions {
  readonly readAnswer: ReadAnswer
  /** Fields that together name a sample; null: as rows of outputs are read, by `id`, else by their place in the file. */
  readonly id: readonly string[] | null
}

/** An answer that is to be scored, and what is known of it besides. */
export interface Scorable extends ForeignAnswer {
  readonly facts: AnswerFacts
}

/** The outputs of plain rows. An id that occurs again without a `repeat` of its own is a further answer to the same sample. */
export async function* answersOfRows(
  { rows }: { readonly rows: AsyncIterable<ForeignRow> },
  { readAnswer, id }: ScorableOptions,
): AsyncGenerator<Scorable> {
  const repeats = new Map<string, number>()
  let number = 0
  for await (const { row, where } of rows) {
    const named: JsonObject = id === null ? row : { ...row, id: sampleIdOf(row, id, where) }
    const { sample, generation } = readAnswer({ row: named, where }, ++number)
    const next = repeats.get(sample.id) ?? 0
    repeats.set(sample.id, next + 1)
    const repeat = Object.hasOwn(row, "repeat") ? generation.repeat : next
    const own = { ...generation, repeat }
    const facts: AnswerFacts = {
      ...factsOf(row, sample.id, repeat, null),
      ...splitOf(sample),
      outcome: own.outcome,
      textHash: answerFacts(own).facts.textHash,
    }
    yield { sample, generation: own, where, facts }
  }
}

/**
 * The answers of a log.
 *
 * @throws {UsageError} where it has several variants and none is named
 */
export async function* answersOfLog({ log, variant }: VariantOfLog): AsyncGenerator<Scorable> {
  const variants = new Set<string>()
  for await (const read of log.records()) {
    if (!isRecord(read)) continue
    variants.add(read.variant)
    if (variant !== null ? read.variant !== variant : variants.size > 1) continue
    const answer = scorableOf(read)
    if (answer) yield answer
  }
  chosenVariant(log, variant, variants)
}

/** The answer of a record; null where it brings none. */
export function scorableOf({ sample, repeat, answer, where, startedAtMs }: ForeignRecord): Scorable | null {
  if (answer === null) return null
  const generation = foreignGeneration({ ...answer, sampleId: sample.id, repeat, text: answer.text })
  const failed = isFailure(generation.outcome) && !generation.failure
  const began = startedAtMs === undefined ? {} : { startedAtMs }
  return {
    sample,
    // What failed is not scored, whether or not the log says why.
    generation: failed ? { ...generation, failure: { message: generation.outcome } } : generation,
    where,
    facts: { ...answerFacts(generation).facts, ...splitOf(sample), ...began },
  }
}
