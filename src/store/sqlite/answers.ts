import type { Answer } from "../../core/generation.ts"
import { readGivenText } from "../../core/given-text.ts"
import type { StoredAnswers } from "../../core/run-store.ts"
import { decodeGeneration, encodeGeneration } from "../generation-codec.ts"
import { type Connection, pageSize, parseColumn } from "./connection.ts"
import type { SqlValue } from "./database.ts"

/** Answers: those of runs, one transaction each, and those that are kept by request key across runs. */
export function createStoredAnswers({ sql, pages }: Connection): StoredAnswers {
  return {
    saveGeneration(runId, generation) {
      sql(
        "INSERT INTO generations (run_id, variant, sample_id, repeat, number, segment, outcome, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      ).run([
        runId,
        generation.variant,
        generation.sampleId,
        generation.repeat,
        generation.position,
        generation.segment,
        generation.outcome,
        encodeGeneration(generation),
      ])
    },
    *generations(runId, variant) {
      for (const row of pages("SELECT number, data FROM generations WHERE run_id = ? AND variant = ?", [
        runId,
        variant,
      ]))
        yield decodeGeneration(String(row.data))
    },
    generation(runId, key) {
      const row = sql(
        "SELECT data FROM generations WHERE run_id = ? AND variant = ? AND sample_id = ? AND repeat = ?",
      ).get([runId, key.variant, key.sampleId, key.repeat])
      return row ? decodeGeneration(String(row.data)) : null
    },
    *finished(runId) {
      let after: SqlValue[] = ["", "", -1]
      for (;;) {
        const page = sql(
          `SELECT variant, sample_id, repeat FROM generations WHERE run_id = ? AND (variant, sample_id, repeat) > (?, ?, ?) ORDER BY variant, sample_id, repeat LIMIT ${pageSize}`,
        ).all([runId, ...after])
        for (const row of page)
          yield { variant: String(row.variant), sampleId: String(row.sample_id), repeat: Number(row.repeat) }
        const last = page.at(-1)
        if (!last || page.length < pageSize) return
        after = [String(last.variant), String(last.sample_id), Number(last.repeat)]
      }
    },
    lastSegment(runId) {
      return Number(
        sql("SELECT coalesce(max(segment), -1) AS last FROM generations WHERE run_id = ?").get([runId])?.last,
      )
    },
    cachedAnswer(key) {
      const row = sql("SELECT data FROM answers WHERE key = ?").get([key])
      return row ? readGivenText(parseColumn<Answer>(row.data)) : null
    },
    saveCachedAnswer(key, answer) {
      sql("INSERT OR REPLACE INTO answers (key, data) VALUES (?, ?)").run([key, JSON.stringify(answer)])
    },
  }
}
