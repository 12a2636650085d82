import { join } from "node:path"
import type { Answer } from "../core/generation.ts"
import type { JsonObject } from "../core/json.ts"
import { type Measured, unscored } from "../core/metric/metric.ts"
import type { RunReport } from "../core/report/report.ts"
import type { RunEvent, RunRecord, RunStatus, VariantState } from "../core/run-record.ts"
import type { RunStore, StoredRow } from "../core/run-store.ts"
import type { Sample } from "../core/sample.ts"
import { createContentCache } from "./content-cache.ts"
import { type Database, openDatabase, type SqlValue, type Statement } from "./database.ts"
import { decodeGeneration, encodeGeneration } from "./generation-codec.ts"
import { takeWriterLock } from "./writer-lock.ts"

/** Rows that one page of a stream reads at a time: memory stays flat and the writer is never held up. */
const pageSize = 500

/**
 * Opens the store of a project: `<directory>/evalkit.db`, SQLite in WAL mode.
 * One writer at a time, any number of readers.
 * @throws {UsageError} when another process writes to it
 */
export function openRunStore(directory: string, options: { readonly readonly?: boolean } = {}): RunStore {
  const readonly = options.readonly ?? false
  const database = openDatabase(join(directory, "evalkit.db"), { readonly })
  if (readonly) return createRunStore(database, () => {})
  try {
    return createRunStore(database, takeWriterLock(join(directory, "writer.lock")))
  } catch (error) {
    database.close()
    throw error
  }
}

function createRunStore(database: Database, release: () => void): RunStore {
  const statements = new Map<string, Statement>()
  const sql = (text: string): Statement => {
    const known = statements.get(text)
    if (known) return known
    const statement = database.prepare(text)
    statements.set(text, statement)
    return statement
  }
  const transaction = (work: () => void): void => {
    database.exec("BEGIN IMMEDIATE")
    try {
      work()
      database.exec("COMMIT")
    } catch (error) {
      database.exec("ROLLBACK")
      throw error
    }
  }
  /** Pages through a query ordered by an increasing integer column `number`. */
  function* pages(text: string, parameters: readonly SqlValue[]): Generator<Record<string, SqlValue>> {
    let after = -1
    for (;;) {
      const page = sql(`${text} AND number > ? ORDER BY number LIMIT ${pageSize}`).all([...parameters, after])
      yield* page
      if (page.length < pageSize) return
      after = Number(page.at(-1)?.number)
    }
  }

  return {
    createRun(record) {
      sql("INSERT INTO runs (id, started_at, finished_at, status, plan, record) VALUES (?, ?, ?, ?, ?, ?)").run([
        record.id,
        record.startedAt,
        record.finishedAt,
        record.status,
        record.plan,
        JSON.stringify(record),
      ])
    },
    setStatus(runId, status, finishedAt) {
      sql("UPDATE runs SET status = ?, finished_at = ? WHERE id = ?").run([status, finishedAt, runId])
    },
    saveSamples(dataset, samples, firstNumber) {
      transaction(() => {
        samples.forEach((sample, index) => {
          sql("INSERT OR IGNORE INTO samples (dataset, number, sample_id, data) VALUES (?, ?, ?, ?)").run([
            dataset,
            firstNumber + index,
            sample.id,
            JSON.stringify(sample),
          ])
        })
      })
    },
    *samples(dataset) {
      for (const row of pages("SELECT number, data FROM samples WHERE dataset = ?", [dataset]))
        yield parse<Sample>(row.data)
    },
    *sampleIds(dataset) {
      for (const row of pages("SELECT number, sample_id FROM samples WHERE dataset = ?", [dataset]))
        yield String(row.sample_id)
    },
    sample(dataset, id) {
      const row = sql("SELECT data FROM samples WHERE dataset = ? AND sample_id = ?").get([dataset, id])
      return row ? parse<Sample>(row.data) : null
    },
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
    saveRows(runId, rows) {
      transaction(() => {
        for (const row of rows) {
          sql(
            "INSERT OR REPLACE INTO rows (run_id, variant, metric, sample_id, repeat, value, reason, row) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
          ).run([
            runId,
            row.variant,
            row.metric,
            row.sampleId,
            row.repeat,
            row.value,
            row.measured.status === "unscored" ? row.measured.reason : null,
            keptRow(row.measured),
          ])
        }
      })
    },
    *rows(runId, variant, metric) {
      let [afterId, afterRepeat]: [string, number] = ["", -1]
      for (;;) {
        const page = sql(
          `SELECT sample_id, repeat, value, reason, row FROM rows WHERE run_id = ? AND variant = ? AND metric = ? AND (sample_id, repeat) > (?, ?) ORDER BY sample_id, repeat LIMIT ${pageSize}`,
        ).all([runId, variant, metric, afterId, afterRepeat])
        for (const row of page) yield toStoredRow(row, variant, metric)
        if (page.length < pageSize) return
        afterId = String(page.at(-1)?.sample_id)
        afterRepeat = Number(page.at(-1)?.repeat)
      }
    },
    answerRows(runId, { variant, sampleId, repeat }) {
      return sql(
        "SELECT metric, sample_id, repeat, value, reason, row FROM rows WHERE run_id = ? AND variant = ? AND sample_id = ? AND repeat = ?",
      )
        .all([runId, variant, sampleId, repeat])
        .map((row) => toStoredRow(row, variant, String(row.metric)))
    },
    clearRows(runId) {
      sql("DELETE FROM rows WHERE run_id = ?").run([runId])
    },
    saveLabel(runId, { variant, sampleId, repeat, metric, labeller, score, drawn, at }) {
      sql(
        "INSERT OR REPLACE INTO labels (run_id, variant, sample_id, repeat, metric, labeller, score, drawn, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ).run([runId, variant, sampleId, repeat, metric, labeller, score, drawn, at])
    },
    labels(runId) {
      return sql(
        "SELECT variant, sample_id, repeat, metric, labeller, score, drawn, at FROM labels WHERE run_id = ? ORDER BY variant, sample_id, repeat, metric, labeller",
      )
        .all([runId])
        .map((row) => ({
          variant: String(row.variant),
          sampleId: String(row.sample_id),
          repeat: Number(row.repeat),
          metric: String(row.metric),
          labeller: String(row.labeller),
          score: Number(row.score),
          drawn: row.drawn === "chance" ? ("chance" as const) : ("doubt" as const),
          at: String(row.at),
        }))
    },
    saveVariantState(runId, variant, state) {
      sql("INSERT OR REPLACE INTO variant_states (run_id, variant, data) VALUES (?, ?, ?)").run([
        runId,
        variant,
        JSON.stringify(state),
      ])
    },
    variantState(runId, variant) {
      const row = sql("SELECT data FROM variant_states WHERE run_id = ? AND variant = ?").get([runId, variant])
      return row ? parse<VariantState>(row.data) : null
    },
    saveEvent(runId, event) {
      sql("INSERT INTO events (run_id, at, kind, data) VALUES (?, ?, ?, ?)").run([
        runId,
        event.at,
        event.kind,
        JSON.stringify(event.data),
      ])
    },
    *events(runId) {
      for (const row of pages("SELECT number, at, kind, data FROM events WHERE run_id = ?", [runId]))
        yield { at: String(row.at), kind: String(row.kind), data: parse<JsonObject>(row.data) } satisfies RunEvent
    },
    saveReport(runId, report) {
      sql("INSERT OR REPLACE INTO reports (run_id, data) VALUES (?, ?)").run([runId, JSON.stringify(report)])
    },
    report(runId) {
      const row = sql("SELECT data FROM reports WHERE run_id = ?").get([runId])
      return row ? parse<RunReport>(row.data) : null
    },
    runs() {
      return sql("SELECT status, finished_at, record FROM runs ORDER BY started_at DESC, id").all([]).map(toRunRecord)
    },
    run(runId) {
      const row = sql("SELECT status, finished_at, record FROM runs WHERE id = ?").get([runId])
      return row ? toRunRecord(row) : null
    },
    cachedAnswer(key) {
      const row = sql("SELECT data FROM answers WHERE key = ?").get([key])
      return row ? parse<Answer>(row.data) : null
    },
    saveCachedAnswer(key, answer) {
      sql("INSERT OR REPLACE INTO answers (key, data) VALUES (?, ?)").run([key, JSON.stringify(answer)])
    },
    cache: createContentCache(sql),
    close() {
      database.close()
      release()
    },
  }
}

function parse<T>(data: SqlValue | undefined): T {
  return JSON.parse(String(data)) as T
}

function toRunRecord(row: Record<string, SqlValue>): RunRecord {
  return {
    ...parse<RunRecord>(row.record),
    status: String(row.status) as RunStatus,
    finishedAt: row.finished_at === null ? null : String(row.finished_at),
  }
}

/** The row, or what was found out although there is no score. */
function keptRow(measured: Measured<unknown>): string | null {
  if (measured.status === "scored") return JSON.stringify(measured.row)
  return measured.details === undefined ? null : JSON.stringify(measured.details)
}

function toStoredRow(row: Record<string, SqlValue>, variant: string, metric: string): StoredRow {
  return {
    variant,
    metric,
    sampleId: String(row.sample_id),
    repeat: Number(row.repeat),
    value: row.value === null ? null : Number(row.value),
    measured:
      row.reason === null
        ? { status: "scored", row: parse<unknown>(row.row) }
        : unscored(String(row.reason), row.row === null ? undefined : parse<unknown>(row.row)),
  }
}
