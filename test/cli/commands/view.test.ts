import { mkdtemp, rm } from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import axe from "axe-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { viewRoutes } from "../../../src/cli/view/routes.ts"
import { startViewServer, type ViewServer } from "../../../src/cli/view/server.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { takeWriterLock, type WriterLock } from "../../../src/store/writer-lock.ts"
import { chromiumPath, openBrowser, warnWithoutChromium, watch } from "../../support/browser.ts"
import { ensurePage } from "../../support/page.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { keepRun } from "../../support/synthetic/store.ts"

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

function get(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, method }, (response) => {
      let text = ""
      response.on("data", (chunk) => {
        text += String(chunk)
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on("error", reject)
    sent.end()
  })
}

describe("evalkit view", () => {
  let directory: string
  let server: ViewServer
  /** Without a process that writes, no run is running. */
  let writer: WriterLock

  beforeAll(async () => {
    await ensurePage()
    directory = await mkdtemp(join(tmpdir(), "evalkit-view-"))
    await keepRun(directory, syntheticInput({ samples: 30 }), { id: "aaaa1111", startedAt: "2026-11-20T10:00:00.000Z" })
    await keepRun(directory, syntheticInput({ samples: 30, seed: 7 }), {
      id: "bbbb2222",
      fingerprint: "7d1f04aa",
      startedAt: "2026-11-21T10:00:00.000Z",
    })
    const running = { id: "cccc3333", status: "running", report: false, startedAt: "2026-11-21T11:00:00.000Z" } as const
    await keepRun(directory, syntheticInput({ samples: 10 }), running)
    writer = takeWriterLock(directory)
    server = await startViewServer(viewRoutes(() => openRunStore(directory, { readonly: true })))
  })

  afterAll(async () => {
    await server?.close()
    writer?.release()
    await rm(directory, { recursive: true, force: true })
  })

  it("lists the runs, newest first, with verdicts and arrows", async () => {
    const { status, text, headers } = await get(server.url)
    expect(status).toBe(200)
    expect(text.indexOf("bbbb2222")).toBeLessThan(text.indexOf("aaaa1111"))
    expect(text).toContain("→")
    expect(headers["content-security-policy"]).toContain("default-src 'none'")
    expect(headers["cache-control"]).toBe("no-store")
  })

  it("serves the report of a finished run and the progress of a running one", async () => {
    const report = await get(`${server.url}run/aaaa1111`)
    expect(report.text).toContain('<div id="page">')
    const live = await get(`${server.url}run/cccc3333`)
    expect(live.text).toContain("running, 100 %")
    expect(live.headers["content-security-policy"]).toMatch(/script-src 'sha256-[^']+'; connect-src 'self'/)
    expect(live.text).toMatch(/±\S+ <small>n = 10/)
  })

  it("compares two runs, the older first", async () => {
    const { text } = await get(`${server.url}compare?a=bbbb2222&b=aaaa1111`)
    expect(text.indexOf("aaaa1111")).toBeLessThan(text.indexOf("bbbb2222"))
    expect(text).toContain("evalkit compare aaaa1111:m-f16 bbbb2222:m-f16")
  })

  it("answers nobody without the token, and no other host, origin or method", async () => {
    const { port } = new URL(server.url)
    const refused: readonly Promise<Reply>[] = [
      get(`http://127.0.0.1:${port}/`),
      get(`http://127.0.0.1:${port}/${"x".repeat(24)}/`),
      get(server.url, { host: "evil.example" }),
      get(server.url, { host: `evil.example:${port}` }),
      get(server.url, { origin: "http://evil.example" }),
      get(server.url, { origin: "null" }),
    ]
    for (const reply of await Promise.all(refused))
      expect({ status: reply.status, text: reply.text }).toEqual({ status: 403, text: "forbidden\n" })
    expect((await get(server.url, {}, "POST")).status).toBe(405)
    expect((await get(server.url, { origin: `http://127.0.0.1:${port}` })).status).toBe(200)
  })

  it("says that there is no such page or run", async () => {
    for (const path of ["nothing", "run/ffff", "run/..%2f..%2fetc", "compare?a=ffff&b=aaaa1111", "%zz"])
      expect((await get(server.url + path)).status).toBe(404)
  })

  it("shows progress until there is a report", async () => {
    const record = { id: "dddd4444", status: "running", report: false, startedAt: "2026-11-21T12:00:00.000Z" } as const
    writer.release()
    await keepRun(directory, syntheticInput({ samples: 5 }), record)
    expect((await get(`${server.url}run/dddd4444`)).text).toContain("The intervals are partial")
    const store = openRunStore(directory)
    const { report } = syntheticInput({ samples: 5 })
    store.saveReport("dddd4444", { ...report, run: { ...report.run, id: "dddd4444" } })
    store.close()
    expect((await get(`${server.url}run/dddd4444`)).text).toContain('id="page"')
  })

  warnWithoutChromium()
  it.skipIf(!chromiumPath)(
    "works in Chromium: from the list to a report, and to a comparison",
    async () => {
      const browser = await openBrowser()
      try {
        const page = await browser.newPage()
        const watched = watch(page, (url) => url.startsWith(server.url) || url.startsWith("data:"))
        await page.goto(server.url)
        await page.click("a:has-text('aaaa1111')")
        await page.waitForSelector(".sample-space .sample-row")
        await page.goto(server.url)
        await page.click("button:has-text('show')")
        await page.waitForSelector("th[scope=rowgroup]")
        for (const path of ["", "run/cccc3333", "compare?a=aaaa1111&b=bbbb2222"]) {
          await page.goto(server.url + path)
          await page.evaluate(axe.source)
          const found = (await page.evaluate("axe.run(document)")) as { violations: { id: string }[] }
          expect(found.violations.map((one) => one.id)).toEqual([])
        }
        const store = openRunStore(directory)
        store.setStatus("cccc3333", "running", null)
        await page.goto(`${server.url}run/cccc3333`)
        const { report } = syntheticInput({ samples: 10 })
        store.saveReport("cccc3333", { ...report, run: { ...report.run, id: "cccc3333" } })
        store.close()
        await page.waitForSelector(".sample-space .sample-row")
        expect(watched.problems).toEqual([])
      } finally {
        await browser.close()
      }
    },
    90_000,
  )
})
