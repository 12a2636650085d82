import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { postgres as postgresStore } from "../../../src/store/postgres.ts"
import { ensurePage } from "../../support/page.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { keepRunIn } from "../../support/synthetic/store.ts"
import { type RunningView, startView } from "./world.ts"

const server = postgresBinaries === null ? null : await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(server === null)("evalkit view of a store in PostgreSQL", { timeout: 120_000 }, () => {
  let view: RunningView
  const url = server?.url ?? ""

  beforeAll(async () => {
    await ensurePage()
    const store = postgresStore(url).open()
    try {
      await keepRunIn(store, syntheticInput({ samples: 20 }), { id: "aaaa1111" })
      await keepRunIn(store, syntheticInput({ samples: 20, seed: 7 }), { id: "bbbb2222", fingerprint: "7d1f04aa" })
    } finally {
      store.close()
    }
    view = await startView(scratchDirectory(), ["--store", url])
  }, 120_000)

  afterAll(() => view?.close())

  it("lists its runs, shows a report and compares two, without the server's password", async () => {
    const pages = await Promise.all(
      ["", "?state=done", "run/aaaa1111", "compare?a=aaaa1111&b=bbbb2222", "label/aaaa1111"].map((path) =>
        view.get(path),
      ),
    )
    const [list, done, report, compared] = pages
    for (const page of [list, done])
      for (const id of ["aaaa1111", "bbbb2222"]) expect(page?.text).toContain(`<li id="run-${id}">`)
    expect(report?.status).toBe(200)
    expect(report?.text).toContain('class="way-back"')
    expect(compared?.status).toBe(200)
    expect(compared?.text).toContain("evalkit compare aaaa1111:m-f16 bbbb2222:m-f16")
    const { password } = new URL(url)
    for (const { text } of pages)
      for (const secret of [password, decodeURIComponent(password)]) expect(text).not.toContain(secret)
    expect(view.complained()).not.toContain(password)
  })

  it("shows a run that begins after the server", async () => {
    const store = postgresStore(url).open()
    try {
      await keepRunIn(store, syntheticInput({ samples: 10, seed: 9 }), { id: "cccc3333", fingerprint: "cd1f04aa" })
    } finally {
      store.close()
    }
    expect((await view.get("")).text).toContain('<li id="run-cccc3333">')
  })
})
