import { afterAll, describe, expect, it } from "vitest"
import { isStoreLost } from "../../../src/core/run/run-store.ts"
import { connectPostgres } from "../../../src/store/postgres/database.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"

const server = postgresBinaries === null ? null : await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(server === null)("a process that stands still in a transaction", () => {
  const connect = () =>
    connectPostgres({
      url: server!.url,
      schema: "public",
      tls: null,
      connectTimeoutMs: 5_000,
      statementTimeoutMs: 60_000,
    })

  it("keeps no row from others, and hears that its own transaction is lost", () => {
    const stuck = connect()
    stuck.exec("CREATE TABLE calls (id TEXT PRIMARY KEY, by TEXT)")
    stuck.exec("BEGIN")
    stuck.prepare("INSERT INTO calls VALUES (?, ?)").run(["one", "stuck"])
    const other = connect()
    // The key is taken until the transaction ends; who waits for ten seconds gives up.
    const insert = other.prepare("INSERT INTO calls VALUES (?, ?) ON CONFLICT DO NOTHING")
    expect(insert.run(["one", "other"])).toEqual({ changes: 1 })
    let fault: unknown = null
    try {
      stuck.exec("COMMIT")
    } catch (error) {
      fault = error
    }
    expect(isStoreLost(fault)).toBe(true)
    expect(other.prepare("SELECT by FROM calls").all([])).toEqual([["other"]])
    stuck.close()
    other.close()
  }, 60_000)
})
