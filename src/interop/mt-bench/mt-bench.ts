import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignLog, ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import { jsonLines, type PlacedValue } from "../json-file.ts"
import { createOccasions, type Occasions } from "../occasions.ts"

/** Whether a line is an answer or a single judgment of MT-bench. */
export function isMtBench(row: JsonObject): boolean {
  if (!("question_id" in row)) return false
  if (listOf(row.choices).some((choice) => Array.isArray(member(choice, "turns")))) return true
  return "judge" in row && "score" in row && "turn" in row && typeof row.model === "string"
}

/** Answers of MT-bench (`model_answer`), or its single judgments (`model_judgment/*_single.jsonl`): a sample a turn. */
export function mtBenchLog(path: string, given: string): ForeignLog {
  return {
    tool: "mt-bench",
    file: given,
    dataset: "mt-bench",
    startedAt: null,
    metrics: new Map([["score", { direction: "higher", range: [1, 10] }]]),
    notes: [],
    async *records() {
      const occasions = createOccasions()
      for await (const line of jsonLines(path, given)) {
        if (!("value" in line)) yield line
        else if (member(line.value, "judge") === undefined) yield* answersOf(line, occasions)
        else yield judgmentOf(line, occasions)
      }
    },
  }
}

function* answersOf({ value, where }: PlacedValue, occasions: Occasions): Generator<ForeignRecord | SkippedRow> {
  const row = objectOf(value)
  const question = textOf(row?.question_id)
  if (!row || question === undefined) {
    yield { where, field: "question_id", reason: "the line has no question_id" }
    return
  }
  const variant = textOf(row.model_id) ?? "model"
  for (const choice of listOf(row.choices))
    for (const [turn, text] of textsOf(member(choice, "turns")).entries()) {
      const sample = turnSample(question, turn + 1, row)
      const repeat = occasions.next(variant, sample.id)
      yield { variant, sample, repeat, answer: foreignAnswer({ text }, "MT-bench"), scores: {}, where }
    }
}

function judgmentOf({ value, where }: PlacedValue, occasions: Occasions): ForeignRecord | SkippedRow {
  const row = objectOf(value) ?? {}
  const question = textOf(row.question_id)
  const turn = numberOf(row.turn)
  if (question === undefined || turn === undefined)
    return { where, field: "question_id", reason: "the judgment has no question_id or no turn" }
  const variant = textOf(row.model) ?? "model"
  const sample = turnSample(question, turn, {})
  // The judge writes −1 where its own reply held no score.
  const score = numberOf(row.score)
  const given: ForeignScore = score === undefined || score < 0 ? { reason: "the judge gave no score" } : score
  return {
    ...{ variant, sample, repeat: occasions.next(variant, sample.id), where },
    answer: foreignAnswer({ text: answerIn(row.user_prompt) }, "MT-bench"),
    scores: { score: given },
  }
}

/** A judgment holds the answer in what the judge was sent. */
function answerIn(prompt: JsonValue | undefined): string {
  const found =
    /\[The Start of Assistant(?:'s| A's)? (?:Answer|Conversation[^\]]*)\]\n([\s\S]*?)\n\[The End of Assistant/.exec(
      textOf(prompt) ?? "",
    )
  return found?.[1] ?? ""
}

/** Turns of one question are not independent. */
function turnSample(question: string, turn: number, row: JsonObject) {
  const category = textOf(row.category)
  return foreignSample({
    id: `${question}/${turn}`,
    input: null,
    cluster: question,
    metadata: { question_id: question, turn, ...(category !== undefined && { category }) },
  })
}
