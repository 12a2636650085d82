import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { postgres } from "../../../src/store/postgres.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"

const server = postgresBinaries === null ? null : await startPostgres()
afterAll(() => server?.stop())

const script = fileURLToPath(new URL("../../support/fleet/use-quota.mjs", import.meta.url))
const entry = new URL("../../../dist/src/index.js", import.meta.url).href

/** Runs a process that uses the quota; its exit status, and what it said on the way out. */
async function use(kind: "worker" | "coordinator" | "charging", number: number, rounds: number) {
  const child = spawn(process.execPath, [script, entry, server!.url, kind, String(number), String(rounds)])
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const said = await text(child.stderr)
  return { status: await ended, said }
}

describe.skipIf(server === null)("a quota that several processes use at the same moment", () => {
  it("refuses nobody's statement, and comes out even", async () => {
    const store = postgres(server!.url).open()
    const rounds = 150
    try {
      store.setQuota("r", "usd", 1e6, 0)
      for (const name of ["one", "two", "three"]) store.registerWorker("r", name, {})
      const ends = await Promise.all([
        ...[1, 2, 3].map((number) => use("worker", number, rounds)),
        use("coordinator", 0, rounds),
        use("coordinator", 0, rounds),
      ])
      expect(ends.map(({ said }) => said)).toEqual(["", "", "", "", ""])
      expect(ends.map(({ status }) => status)).toEqual([0, 0, 0, 0, 0])
      store.reclaim("r", 60)
      // Three workers used one dollar a round; what they set aside beside it is back.
      expect(store.quota("r", "usd")).toEqual({ most: 1e6, used: 3 * rounds })
    } finally {
      store.close()
    }
  }, 120_000)

  it("begins a transaction again that another was in the way of, and writes it once", async () => {
    const store = postgres(server!.url).open()
    const rounds = 200
    // The server looks for deadlocks at once: by default each would take it a second.
    await server!.run("ALTER ROLE owner SET deadlock_timeout = '10ms'")
    try {
      for (const name of ["one", "two", "three"]) store.registerWorker("c", name, {})
      for (const quota of ["usd", "tokens"]) store.setQuota("c", quota, 1e6, 0)
      const ends = await Promise.all([1, 2, 3].map((number) => use("charging", number, rounds)))
      expect(ends.map(({ said }) => said)).toEqual(["", "", ""])
      for (const quota of ["usd", "tokens"])
        expect(store.quota("c", quota)).toEqual({ most: 1e6, used: ends.length * rounds })
    } finally {
      store.close()
    }
  }, 120_000)
})
