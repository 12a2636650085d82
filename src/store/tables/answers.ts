import { type Answer, type Attempt, attemptOf, type Generation } from "../../core/generation.ts"
import { isFailure, type Outcome } from "../../core/outcome.ts"
import type { CallKey, FinishedCall, ModelCall, OpenAttempt, StoredAnswers } from "../../core/run/run-store.ts"
import { answerFacts } from "../../perf/answer-facts.ts"
import { decodeFacts, factsMark } from "../facts-codec.ts"
import { decodeAttempt, decodeGeneration, encodeAnswer, encodeAttempt, encodeGeneration } from "../generation-codec.ts"
import { decodeLogprobs } from "../logprobs-codec.ts"
import { packAnswers, type StoredAnswerRow, unpackAnswers } from "../packed-answers.ts"
import { equal, isIn, ofCall } from "./conditions.ts"
import { type Connection, parseColumn } from "./connection.ts"
import type { SqlValue } from "./database.ts"
import { deleteRowsOfCall } from "./rows.ts"
import { createStoredSteps } from "./steps.ts"
import { createLogprobsReader, logprobsColumns } from "./stored-logprobs.ts"
import { insertIfNew, insertRow } from "./upsert.ts"

const generationColumns = [
  "run_id",
  "variant",
  "sample_id",
  "repeat",
  "number",
  "segment",
  "outcome",
  "data",
  "logprobs",
  "facts",
]
const ofSamples = `${equal("run_id", "variant")} AND ${isIn("sample_id", "SELECT value FROM json_each(?)")}`

/** What follows an answer, besides its rows. */
type OfAnswer = "generations" | "attempts" | "steps"

/** Answers: those of runs, one transaction each, and those that are kept by request key across runs. */
export function createStoredAnswers(connection: Connection): StoredAnswers {
  const { saveStep } = createStoredSteps(connection)
  const { sql, pages, transaction, list, readAhead } = connection
  const readLogprobs = createLogprobsReader(connection)
  const insert = (runId: string, generation: Generation, statement = insertRow): number => {
    const { data, logprobs, facts } = encodeGeneration(generation)
    const { changes } = sql(statement("generations", generationColumns)).run([
      runId,
      generation.variant,
      generation.sampleId,
      generation.repeat,
      generation.position,
      generation.segment,
      generation.outcome,
      data,
      logprobs,
      facts,
    ])
    return changes
  }
  const clear = (tables: readonly OfAnswer[], runId: string, { variant, sampleId, repeat }: CallKey): void => {
    for (const table of tables) sql(`DELETE FROM ${table} WHERE ${ofCall}`).run([runId, variant, sampleId, repeat])
  }
  const decode = (
    runId: string,
    key: CallKey,
    data: SqlValue | undefined,
    isPacked: SqlValue | undefined,
    few: SqlValue | undefined,
  ): Generation => decodeGeneration(String(data), isPacked === 1 ? readLogprobs(runId, key, few) : null)
  const generation = (runId: string, key: CallKey): Generation | null => {
    const { variant, sampleId, repeat } = key
    const row = sql(`SELECT data, ${logprobsColumns} FROM generations WHERE ${ofCall}`).get([
      runId,
      variant,
      sampleId,
      repeat,
    ])
    return row ? decode(runId, key, row.data, row.packed, row.few) : null
  }
  const saveAnswer = (key: string, answer: Answer): void => {
    const { data, logprobs } = encodeAnswer(answer)
    sql(insertIfNew("answers", ["key", "data", "logprobs"])).run([key, data, logprobs])
  }
  const saveAttempt = (runId: string, { variant, sampleId, repeat }: CallKey, attempt: Attempt): void => {
    sql(insertRow("attempts", ["run_id", "variant", "sample_id", "repeat", "data"])).run([
      runId,
      variant,
      sampleId,
      repeat,
      encodeAttempt(attempt),
    ])
  }
  const attemptsOf = (runId: string, { variant, sampleId, repeat }: CallKey): readonly Attempt[] =>
    sql(`SELECT data FROM attempts WHERE ${ofCall} ORDER BY number`)
      .all([runId, variant, sampleId, repeat])
      .map(([data]) => decodeAttempt(String(data)))
  return {
    saveGeneration(runId, generation) {
      if (generation.retries.length === 0 && !generation.episode) return void insert(runId, generation)
      transaction(() => {
        clear(["attempts", "steps"], runId, generation)
        insert(runId, generation)
      })
    },
    addGeneration(runId, answer, priced) {
      // Attempts of another that was about to answer it may be on record since this one began.
      const others = unknownOf(answer.retries, attemptsOf(runId, answer))
      const added = others.length === 0 ? answer : priced({ ...answer, retries: [...others, ...answer.retries] })
      const add = () => insert(runId, added, insertIfNew) === 1
      const isPlain = added.retries.length === 0 && !added.episode
      if (isPlain && add()) return true
      return transaction(() => {
        const before = add() ? null : generation(runId, added)
        const isSecond = before !== null && (!isFailure(before.outcome) || isFailure(added.outcome))
        // What an episode made on its way stays among its steps.
        if (isSecond && (before.episode || added.episode)) return false
        clear(["attempts", "steps"], runId, added)
        if (!before) return true
        const [first, last] = isSecond ? [added, before] : [before, added]
        const earlier = unknownOf([...last.retries, attemptOf(last)], [...first.retries, attemptOf(first)])
        // Saved before, by a commit whose confirmation was lost.
        if (isSecond && earlier.length === 0) return false
        clear(["generations"], runId, added)
        if (!isSecond) deleteRowsOfCall(connection, runId, added)
        insert(runId, priced({ ...last, retries: [...earlier, ...last.retries] }))
        return !isSecond
      })
    },
    reopenCall(runId, generation) {
      const { episode, retries } = generation
      transaction(() => {
        clear(["generations"], runId, generation)
        deleteRowsOfCall(connection, runId, generation)
        if (episode) for (const [number, step] of episode.steps.entries()) saveStep(runId, generation, number, step)
        else for (const attempt of [...retries, attemptOf(generation)]) saveAttempt(runId, generation, attempt)
      })
    },
    replaceGeneration(runId, generation) {
      transaction(() => {
        clear(["generations", "attempts", "steps"], runId, generation)
        deleteRowsOfCall(connection, runId, generation)
        insert(runId, generation)
      })
    },
    saveCost(runId, generation) {
      transaction(() => {
        clear(["generations"], runId, generation)
        insert(runId, generation)
      })
    },
    saveAttempt,
    *attempts(runId, call) {
      const [condition, key] = call
        ? [ofCall, [runId, call.variant, call.sampleId, call.repeat]]
        : ["run_id = ?", [runId]]
      for (const [, variant, sampleId, repeat, data] of pages(
        `SELECT number, variant, sample_id, repeat, data FROM attempts WHERE ${condition}`,
        key,
      ))
        yield {
          variant: String(variant),
          sampleId: String(sampleId),
          repeat: Number(repeat),
          attempt: decodeAttempt(String(data)),
        } satisfies OpenAttempt
    },
    *generations(runId, variant, order = "plan") {
      const key = order === "plan" ? ["number"] : ["sample_id", "repeat"]
      const columns = [...key, "sample_id", "repeat", "data", logprobsColumns].join(", ")
      const query = `SELECT ${columns} FROM generations WHERE run_id = ? AND variant = ?`
      for (const row of pages(query, [runId, variant], key)) {
        const [sampleId, repeat, data, isPacked, few] = row.slice(key.length)
        yield decode(runId, { variant, sampleId: String(sampleId), repeat: Number(repeat) }, data, isPacked, few)
      }
    },
    generationsTo(runId, variant, sampleIds) {
      const query = `SELECT sample_id, repeat, data, ${logprobsColumns} FROM generations WHERE ${ofSamples} ORDER BY sample_id, repeat`
      return sql(query)
        .all([runId, variant, list(sampleIds)])
        .map(([sampleId, repeat, data, isPacked, few]) =>
          decode(runId, { variant, sampleId: String(sampleId), repeat: Number(repeat) }, data, isPacked, few),
        )
    },
    *packedAnswers(runId, variant, dataset, max) {
      readAhead()
      // Both by sample: each is found where the last one was, which a search by id for every answer is not.
      const samples = pages("SELECT sample_id, data FROM samples WHERE dataset = ?", [dataset], ["sample_id"])
      const query = "SELECT sample_id, repeat, data FROM generations WHERE run_id = ? AND variant = ?"
      const read = function* (): Generator<StoredAnswerRow> {
        let sample = samples.next()
        for (const [sampleId, repeat, data] of pages(query, [runId, variant], ["sample_id", "repeat"])) {
          while (!sample.done && sample.value[0] !== sampleId) sample = samples.next()
          if (sample.done) throw new Error(`sample ${String(sampleId)} is not in the store`)
          yield [String(sampleId), Number(repeat), String(data), String(sample.value[1])]
        }
      }
      yield* packAnswers(variant, read(), max)
    },
    unpackAnswers,
    *answerFacts(runId, variant) {
      // Four columns: each costs as much as the facts themselves.
      const query = `SELECT number, sample_id, repeat, CASE WHEN substr(facts, 1, ${factsMark.length}) = '${factsMark}' THEN facts END FROM generations WHERE run_id = ? AND variant = ?`
      for (const [, sampleId, repeat, facts] of pages(query, [runId, variant])) {
        const key = { variant, sampleId: String(sampleId), repeat: Number(repeat) }
        const older = facts === null ? generation(runId, key) : null
        yield older ? answerFacts(older) : decodeFacts(String(facts), key)
      }
    },
    generation,
    *finished(runId) {
      // In about the order in which the file has them.
      const query = "SELECT variant, number, sample_id, repeat, outcome FROM generations WHERE run_id = ?"
      for (const [variant, position, ...rest] of pages(query, [runId], ["variant", "number"]))
        yield finishedCall(String(variant), position, rest)
    },
    finishedTo(runId, variant, sampleIds) {
      return sql(`SELECT number, sample_id, repeat, outcome FROM generations WHERE ${ofSamples}`)
        .all([runId, variant, list(sampleIds)])
        .map(([position, ...rest]) => finishedCall(variant, position, rest))
    },
    *finishedFrom(runId, variant, position) {
      const query = "SELECT number, sample_id, repeat FROM generations WHERE run_id = ? AND variant = ? AND number >= ?"
      for (const [number, sampleId, repeat] of pages(query, [runId, variant, position]))
        yield { variant, sampleId: String(sampleId), repeat: Number(repeat), position: Number(number) }
    },
    countFinished(runId) {
      const rows = sql("SELECT variant, count(*) FROM generations WHERE run_id = ? GROUP BY variant").all([runId])
      return new Map(rows.map(([variant, count]) => [String(variant), Number(count)]))
    },
    lastSegment(runId) {
      return Number(
        sql("SELECT coalesce(max(segment), -1) AS last FROM generations WHERE run_id = ?").get([runId])?.last,
      )
    },
    cachedAnswer(key) {
      const row = sql("SELECT data, logprobs FROM answers WHERE key = ?").get([key])
      if (!row) return null
      const answer = parseColumn<Answer>(row.data)
      return row.logprobs instanceof Uint8Array ? { ...answer, logprobs: decodeLogprobs(row.logprobs) } : answer
    },
    saveCachedAnswer: saveAnswer,
    forgetCachedAnswer(key) {
      sql("DELETE FROM answers WHERE key = ?").run([key])
    },
    saveModelCall(runId, call, answer, id) {
      transaction(() => {
        const insertCall = sql(insertIfNew("model_calls", ["run_id", "id", "data"]))
        if (insertCall.run([runId, id ?? null, JSON.stringify(call)]).changes > 0 && answer)
          saveAnswer(call.key, answer)
      })
    },
    *modelCalls(runId) {
      for (const [, data] of pages("SELECT number, data FROM model_calls WHERE run_id = ?", [runId]))
        yield parseColumn<ModelCall>(data)
    },
  }
}

/** Those of the attempts that are not among the known ones. */
function unknownOf(stored: readonly Attempt[], attempts: readonly Attempt[]): readonly Attempt[] {
  if (attempts.length === 0) return attempts
  const texts = new Set(stored.map(encodeAttempt))
  return attempts.filter((attempt) => !texts.has(encodeAttempt(attempt)))
}

function finishedCall(
  variant: string,
  position: SqlValue | undefined,
  [sampleId, repeat, outcome]: readonly SqlValue[],
): FinishedCall {
  const call = { variant, sampleId: String(sampleId), repeat: Number(repeat), position: Number(position) }
  return { ...call, outcome: String(outcome) as Outcome }
}
