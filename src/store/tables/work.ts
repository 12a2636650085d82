import { lostQuota, type StoredWork, type WorkerRecord } from "../../core/run/stored-work.ts"
import { equal } from "./conditions.ts"
import { type Connection, parseColumn, redactedColumn } from "./connection.ts"
import type { SqlValue } from "./database.ts"

/** Seconds by the store's own clock. */
const now = "unixepoch('subsec')"

/** Workers of a run, and which slice each has. */
export function createStoredWorkers({
  sql,
}: Connection): Pick<
  StoredWork,
  | "wallMs"
  | "registerWorker"
  | "heartbeat"
  | "workers"
  | "claim"
  | "claims"
  | "orphans"
  | "hasClaim"
  | "releaseClaim"
  | "claimQuestion"
  | "releaseQuestion"
> {
  /** Takes what nobody has who is alive. */
  const take = (table: "claims" | "questions", thing: string): string => {
    const owned = `SELECT 1 FROM workers WHERE workers.run_id = ${table}.run_id AND workers.number = ${table}.worker`
    return `INSERT INTO ${table} (run_id, ${thing}, worker) VALUES (?1, ?2, ?3) ON CONFLICT (run_id, ${thing}) DO UPDATE SET worker = excluded.worker WHERE ${table}.worker = excluded.worker OR NOT EXISTS (${owned} AND seen_at > ${now} - ?4)`
  }
  return {
    wallMs: () => 1000 * Number(sql(`SELECT ${now} AS seconds`).get([])?.seconds),
    registerWorker(runId, name, data) {
      // Two that come at the same moment want the same number: one of them takes the next.
      for (;;) {
        const next = Number(
          sql("SELECT coalesce(max(number), 0) + 1 AS next FROM workers WHERE run_id = ?").get([runId])?.next,
        )
        const insert = `INSERT INTO workers (run_id, number, name, seen_at, data) VALUES (?, ?, ?, ${now}, ?) ON CONFLICT DO NOTHING`
        if (sql(insert).run([runId, next, name, redactedColumn(data)]).changes === 1) return next
      }
    },
    heartbeat(runId, worker, data) {
      const update = `UPDATE workers SET seen_at = ${now}, data = ? WHERE run_id = ? AND number = ?`
      return sql(update).run([redactedColumn(data), runId, worker]).changes === 1
    },
    workers(runId) {
      return sql(`SELECT number, name, ${now} - seen_at, data FROM workers WHERE run_id = ? ORDER BY number`)
        .all([runId])
        .map(toWorker)
    },
    claim(runId, slice, worker, aliveSeconds) {
      return sql(take("claims", "slice")).run([runId, slice, worker, aliveSeconds]).changes === 1
    },
    claims(runId) {
      return Number(sql("SELECT count(*) AS held FROM claims WHERE run_id = ?").get([runId])?.held ?? 0)
    },
    claimQuestion(runId, key, worker, aliveSeconds) {
      return sql(take("questions", "key")).run([runId, key, worker, aliveSeconds]).changes === 1
    },
    releaseQuestion(runId, key, worker) {
      sql("DELETE FROM questions WHERE run_id = ? AND key = ? AND worker = ?").run([runId, key, worker])
    },
    orphans(runId, aliveSeconds) {
      const alive = `SELECT number FROM workers WHERE run_id = ?1 AND seen_at > ${now} - ?2`
      return sql(`SELECT slice FROM claims WHERE run_id = ?1 AND worker NOT IN (${alive}) ORDER BY slice`)
        .all([runId, aliveSeconds])
        .map(([slice]) => Number(slice))
    },
    hasClaim(runId, slice, worker) {
      return (
        sql("SELECT 1 AS held FROM claims WHERE run_id = ? AND slice = ? AND worker = ?").get([
          runId,
          slice,
          worker,
        ]) !== undefined
      )
    },
    releaseClaim(runId, slice, worker) {
      sql("DELETE FROM claims WHERE run_id = ? AND slice = ? AND worker = ?").run([runId, slice, worker])
    },
  }
}

function toWorker([number, name, silentSeconds, data]: readonly SqlValue[]): WorkerRecord {
  return {
    number: Number(number),
    name: String(name),
    silentSeconds: Number(silentSeconds),
    data: parseColumn(data as SqlValue),
  }
}

/** Quotas that workers lease parts of, and the pace of what is sent. */
export function createStoredQuotas({
  sql,
  transaction,
}: Connection): Omit<StoredWork, keyof ReturnType<typeof createStoredWorkers>> {
  const ofLease = equal("run_id", "name", "worker")
  const use = (runId: string, name: string, more: number): void => {
    sql("UPDATE quotas SET used = used + ? WHERE run_id = ? AND name = ?").run([more, runId, name])
  }
  /** Who changes a quota and its leases begins with the quota: two that do so at the same moment never wait for each other. */
  const lock = (runId: string, name: string): void => use(runId, name, 0)
  /** Carries out a worker's statement, unless it was carried out before, and the worker could not know. */
  const once = <Done>(runId: string, worker: number, statement: number, before: Done, work: () => Done): Done =>
    transaction(() => {
      const note = `UPDATE workers SET last_statement = ? WHERE run_id = ? AND number = ? AND last_statement < ?`
      if (sql(note).run([statement, runId, worker, statement]).changes === 0) return before
      const done = work()
      if (done === false) sql(note).run([statement - 1, runId, worker, statement + 1])
      return done
    })
  /** Of what the dead had leased, only what was at risk counts as used. */
  const takeFromDead = (runId: string, name: string, deadSeconds: number): void => {
    const dead = `SELECT number FROM workers WHERE run_id = ?1 AND seen_at < ${now} - ?3`
    const gone = sql(
      `DELETE FROM leases WHERE run_id = ?1 AND name = ?2 AND worker IN (${dead}) RETURNING granted, settled, spent, at_risk`,
    ).all([runId, name, deadSeconds])
    for (const amounts of gone) {
      const [granted = 0, settled = 0, spent = 0, atRisk = 0] = amounts.map(Number)
      const lost = Math.min(Math.max(0, granted - settled), atRisk)
      use(runId, name, spent + lost - granted)
      use(runId, lostQuota(name), lost)
    }
  }
  /** What the living have settled counts as what it was. */
  const settleLiving = (runId: string, name: string): void => {
    const settled = sql(
      "SELECT worker, settled, spent FROM leases WHERE run_id = ? AND name = ? AND settled > 0 ORDER BY worker",
    ).all([runId, name])
    for (const [worker = 0, aside = 0, spent = 0] of settled.map((row) => row.map(Number))) {
      const update = `UPDATE leases SET granted = granted - ?, settled = settled - ?, spent = spent - ? WHERE ${ofLease} AND settled >= ?`
      const changed = sql(update).run([aside, aside, spent, runId, name, worker, aside]).changes
      if (changed === 1) use(runId, name, spent - aside)
    }
  }
  return {
    setQuota(runId, name, max, used) {
      const insert =
        "INSERT INTO quotas (run_id, name, most, used) VALUES (?, ?, ?, ?) ON CONFLICT (run_id, name) DO UPDATE SET most = excluded.most, used = CASE WHEN quotas.used > excluded.used THEN quotas.used ELSE excluded.used END"
      sql(insert).run([runId, name, max, used])
    },
    quota(runId, name) {
      const row = sql("SELECT most, used FROM quotas WHERE run_id = ? AND name = ?").get([runId, name])
      return row ? { most: Number(row.most), used: Number(row.used) } : null
    },
    lease(runId, { quota, worker }, amount, atRisk, statement) {
      return once(runId, worker, statement, true, () => {
        // The whole check is one statement: of two workers that ask for the last of it, one gets it.
        const take =
          "UPDATE quotas SET used = used + ?1 WHERE run_id = ?2 AND name = ?3 AND used + ?1 <= most * (1 + 1e-9)"
        if (sql(take).run([amount, runId, quota]).changes === 0) return false
        sql(
          "INSERT INTO leases (run_id, name, worker, granted, settled, spent, at_risk) VALUES (?, ?, ?, ?, 0, 0, ?) ON CONFLICT (run_id, name, worker) DO UPDATE SET granted = leases.granted + excluded.granted, at_risk = excluded.at_risk",
        ).run([runId, quota, worker, amount, atRisk])
        return true
      })
    },
    hold(runId, { quota, worker }, amount) {
      return transaction(() => {
        const [before] = sql(`SELECT granted FROM leases WHERE ${ofLease}`).all([runId, quota, worker])
        const more = amount - Number(before?.[0] ?? 0)
        const take =
          "UPDATE quotas SET used = used + ?1 WHERE run_id = ?2 AND name = ?3 AND (?1 <= 0 OR used + ?1 <= most)"
        if (sql(take).run([more, runId, quota]).changes === 0) return false
        sql(
          "INSERT INTO leases (run_id, name, worker, granted, settled, spent, at_risk) VALUES (?, ?, ?, ?, 0, 0, 0) ON CONFLICT (run_id, name, worker) DO UPDATE SET granted = excluded.granted",
        ).run([runId, quota, worker, amount])
        return true
      })
    },
    keepOpen(runId, { quota, worker }, open) {
      transaction(() => {
        lock(runId, quota)
        const [lease] = sql(`SELECT granted - settled FROM leases WHERE ${ofLease}`).all([runId, quota, worker])
        const more = Number(lease?.[0] ?? 0) - open
        if (more <= 0) return
        sql(`UPDATE leases SET granted = granted - ? WHERE ${ofLease}`).run([more, runId, quota, worker])
        use(runId, quota, -more)
      })
    },
    settle(runId, { quota, worker }, aside, used, statement) {
      const update = `UPDATE leases SET settled = settled + ?, spent = spent + ? WHERE ${ofLease}`
      once(runId, worker, statement, undefined, () => void sql(update).run([aside, used, runId, quota, worker]))
    },
    reclaim(runId, deadSeconds) {
      const names = sql("SELECT name FROM quotas WHERE run_id = ? ORDER BY name").all([runId])
      for (const [name] of names)
        transaction(() => {
          lock(runId, String(name))
          takeFromDead(runId, String(name), deadSeconds)
          settleLiving(runId, String(name))
        })
    },
    charge(runId, { quota, worker }, amount, statement) {
      once(runId, worker, statement, undefined, () => use(runId, quota, amount))
    },
    pause(runId, name, seconds) {
      const insert = `INSERT INTO paces (run_id, name, next_at, paused_until) VALUES (?1, ?2, 0, ${now} + ?3) ON CONFLICT (run_id, name) DO UPDATE SET paused_until = excluded.paused_until WHERE paces.paused_until < excluded.paused_until`
      sql(insert).run([runId, name, seconds])
    },
    pauses(runId) {
      const rows = sql(`SELECT name, paused_until - ${now} FROM paces WHERE run_id = ?1 AND paused_until > ${now}`).all(
        [runId],
      )
      return new Map(rows.map(([name, seconds]) => [String(name), Number(seconds)]))
    },
    reserveSlot(runId, name, count, perMinute) {
      const seconds = (count * 60) / perMinute
      sql("INSERT INTO paces (run_id, name, next_at, paused_until) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING").run([
        runId,
        name,
      ])
      const update = `UPDATE paces SET next_at = CASE WHEN next_at > ${now} THEN next_at ELSE ${now} END + ?1 WHERE run_id = ?2 AND name = ?3 RETURNING next_at - ?1 - ${now}`
      const [row] = sql(update).all([seconds, runId, name])
      return Math.max(0, Number(row?.[0] ?? 0))
    },
  }
}
