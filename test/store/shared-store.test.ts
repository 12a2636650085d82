import { execFile } from "node:child_process"
import { inspect, promisify } from "node:util"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { createGroupCommit } from "../../src/calls/group-commit.ts"
import { ownModule } from "../../src/platform/own-module.ts"
import { postgres } from "../../src/store/postgres.ts"
import { fakeGeneration } from "../support/fake-provider.ts"
import { fakeSample } from "../support/fake-variant.ts"
import { fakeRecord } from "../support/run-fixtures.ts"
import { freePort } from "../support/servers/free-port.ts"
import { postgresBinaries, startPostgres } from "../support/servers/postgres-server.ts"

const server = postgresBinaries === null ? null : await startPostgres()
afterAll(() => server?.stop())

const generation = (sampleId: string, position: number) =>
  fakeGeneration(`answer to ${sampleId}`, { sampleId, position })

describe.skipIf(server === null)("a store that several people share", () => {
  let schemas = 0
  let schema = ""
  beforeEach(() => {
    schema = `shared_${++schemas}`
  })
  const open = (options: { readonly readonly?: boolean } = {}) => postgres(server?.url, { schema }).open(options)

  it("shows two people one history, and each the other's run while it is made", () => {
    const [ann, ben] = [open(), open()]
    ann.createRun(fakeRecord("ann"))
    ann.saveGeneration("ann", generation("s1", 0))
    ben.createRun(fakeRecord("ben", { startedAt: "2026-01-02T00:00:00.000Z" }))
    for (const store of [ann, ben])
      expect(store.runs().map(({ id, status }) => [id, status])).toEqual([
        ["ben", "running"],
        ["ann", "running"],
      ])
    expect([...ben.finished("ann")]).toHaveLength(1)
    ann.close()
    expect(ben.run("ann")?.status).toBe("stopped")
    ben.close()
  })

  it("lets one process at a time go on with a run, and the next when that has ended", () => {
    const [ann, ben] = [open(), open()]
    ann.createRun(fakeRecord("r"))
    expect(() => ben.setStatus("r", "running", null)).toThrow(/the run r is being written by another process/)
    expect(() => ben.removeRun("r")).toThrow(/being written/)
    ann.close()
    ben.setStatus("r", "running", null)
    expect(ben.run("r")?.status).toBe("running")
    ben.close()
  })

  it("keeps the samples that another writer may be about to use when a run is removed", () => {
    const [ann, ben] = [open(), open()]
    ann.saveSamples("f", [fakeSample("s1")], 0)
    ben.createRun(fakeRecord("other", { dataset: { ...fakeRecord("x").dataset, fingerprint: "g" } }))
    ben.removeRun("other")
    expect([...ann.samples("f")]).toHaveLength(1)
    ann.close()
    ben.createRun(fakeRecord("last"))
    ben.removeRun("last")
    expect([...ben.samples("f")]).toHaveLength(0)
    ben.close()
  })

  it("makes its tables once where several open it at the same time, and once only", async () => {
    const { url, execArgv } = ownModule(new URL("../../src/store/x.ts", import.meta.url).href, "./postgres")
    const code = `const loaded = await import(${JSON.stringify(url.href)}); (loaded.postgres ?? loaded.default.postgres)(process.env.URL, { schema: process.env.SCHEMA }).open().close()`
    const opening = () =>
      promisify(execFile)(process.execPath, [...execArgv, "--input-type=module", "-e", code], {
        env: { ...process.env, URL: server?.url, SCHEMA: schema },
        timeout: 60_000,
      })
    await Promise.all([opening(), opening(), opening()])
    const store = open({ readonly: true })
    expect(store.runs()).toEqual([])
    expect(() => store.createRun(fakeRecord("r", { status: "finished" }))).toThrow(/read-only/)
    store.close()
  }, 120_000)

  it("takes only a failing write back, not what was written beside it in one transaction", async () => {
    const store = open()
    store.createRun(fakeRecord("r"))
    store.saveGeneration("r", generation("twice", 0))
    const { save } = createGroupCommit(store)
    const ends = await Promise.allSettled(
      ["before", "twice", "after"].map((id, i) => save(() => store.saveGeneration("r", generation(id, i + 1)))),
    )
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect([...store.finished("r")].map(({ sampleId }) => sampleId)).toEqual(["twice", "before", "after"])
    store.close()
  })

  it("never tells its password: not when it is shown, and not when the server refuses", async () => {
    const url = new URL(server?.url ?? "")
    const texts: string[] = [inspect(postgres(url.href), { depth: 9, showHidden: true })]
    const failing = [
      Object.assign(new URL(url), { password: "a-wrong-password" }),
      Object.assign(new URL(url), { pathname: "/nowhere" }),
      Object.assign(new URL(url), { port: String(await freePort()) }),
      Object.assign(new URL(url), { search: "?sslmode=verify-full&sslrootcert=/no/such/secret-place.pem" }),
    ]
    for (const entry of failing)
      try {
        postgres(entry.href).open()
        texts.push("it opened")
      } catch (error) {
        texts.push(`${error instanceof Error ? error.message : ""} ${inspect(error, { depth: 9, showHidden: true })}`)
      }
    for (const [i, text] of texts.entries()) {
      expect(text, `case ${i}`).not.toMatch(/a%20secret|a secret|a-wrong-password|secret-place|it opened/)
      expect(text, `case ${i}`).toContain(`owner@127.0.0.1`)
    }
    expect(() => postgres("https://user:hidden@host/db")).toThrow(/named by a URL with its database/)
    expect(() => postgres("https://user:hidden@host/db")).not.toThrow(/hidden/)
    expect(() => postgres(undefined)).toThrow(/postgres\(url\)/)
  })

  it("says that the server is gone, and has everything that was saved when it is back", async () => {
    const store = open()
    store.createRun(fakeRecord("r"))
    store.saveGeneration("r", generation("s1", 0))
    await server?.restart()
    expect(() => store.saveGeneration("r", generation("s2", 1))).toThrow(/the store cannot be reached.*run --resume/)
    expect(() => store.atomically(() => store.saveGeneration("r", generation("s2", 1)))).toThrow(/cannot be reached/)
    expect(() => store.close()).not.toThrow()
    const second = open()
    expect(second.run("r")?.status).toBe("stopped")
    expect([...second.finished("r")].map(({ sampleId }) => sampleId)).toEqual(["s1"])
    second.setStatus("r", "running", null)
    second.saveGeneration("r", generation("s2", 1))
    second.close()
  })
})
