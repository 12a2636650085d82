import { readFileSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import { postgres } from "../../../src/store/postgres.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"
import { fakeRecord } from "../../support/run-fixtures.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"

const server = postgresBinaries === null ? null : await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(server === null)("a worker with the rights that the page on scale grants", () => {
  it("puts an answer in the place of another's failure, and takes the failure's rows away", async () => {
    const owner = postgres(server!.url).open()
    owner.createRun(fakeRecord("r"))
    const page = readFileSync(new URL("../../../docs/scale.md", import.meta.url), "utf8")
    const rights = page.match(/^GRANT .* TO worker;$/gm) ?? []
    await server!.run(`CREATE ROLE worker LOGIN PASSWORD 'w'; ${rights.join("\n")}`)
    const url = new URL(server!.url)
    url.username = "worker"
    url.password = "w"
    const store = postgres(url.href).open()
    const { retryAfterMs: _, ...answer } = fakeAnswer("right")
    const call = { variant: "a", sampleId: "s", repeat: 0 }
    const location = { ...call, source: "measured", segment: 0, position: 0, retries: [] } as const
    const cost = { status: "known", usd: 0, parts: {} } as const
    const add = (outcome: "ok" | "http_5xx", sendMs: number) =>
      store.addGeneration("r", { ...answer, ...location, outcome, cost, log: { ...answer.log, sendMs } }, (own) => own)
    expect(add("http_5xx", 1)).toBe(true)
    store.addRows("r", [
      { ...call, metric: "exactMatch", measured: { status: "unscored", code: "failed", reason: "down" }, value: null },
    ])
    expect(add("ok", 2)).toBe(true)
    expect(owner.generation("r", call)?.outcome).toBe("ok")
    expect([...owner.rows("r", "a", "exactMatch")]).toEqual([])
    store.close()
    owner.close()
  }, 120_000)
})
