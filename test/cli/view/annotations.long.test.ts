import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { postgres as postgresStore } from "../../../src/store/postgres.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { runNotes, runTags } from "../../../src/store/run-tags.ts"
import { chromiumPath, openBrowser, warnWithoutChromium, watch } from "../../support/browser.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { hostileTexts } from "../../support/hostile-texts.ts"
import { ensurePage } from "../../support/page.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { keepRunIn } from "../../support/synthetic/store.ts"
import { type RunningView, send, startView } from "./world.ts"

warnWithoutChromium()
const server = postgresBinaries === null ? null : await startPostgres()
afterAll(() => server?.stop())
const directory = scratchDirectory()
const run = "aaaa1111"

describe.each([
  { name: "SQLite", args: ["--directory", directory], open: () => openRunStore(directory) },
  { name: "PostgreSQL", args: ["--store", server?.url ?? ""], open: () => postgresStore(server?.url ?? "").open() },
])("tags and notes in the browser ($name)", ({ name, args, open }) => {
  const isThere = name === "SQLite" || server !== null
  let view: RunningView
  beforeAll(async () => {
    if (!isThere) return
    await ensurePage()
    const store = open()
    await keepRunIn(store, syntheticInput({ samples: 5 }), { id: run })
    store.close()
    view = await startView(scratchDirectory(), args)
  }, 120_000)
  afterAll(() => view?.close())

  it.skipIf(!isThere)("are those of evalkit tag and note, and are refused where those refuse them", async () => {
    const path = `annotations/${run}`
    expect((await view.post(path, { add: "release  baseline" })).status).toBe(303)
    expect((await view.post(path, { remove: "baseline" })).status).toBe(303)
    expect((await view.post(path, { note: "new prompt,\r\nbefore the release" })).status).toBe(303)
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await main(["tag", run, "--json", ...args], io)).toBe(0)
    expect(JSON.parse(io.stdout())).toEqual(["release"])
    const stored = () => {
      const store = open()
      const result = { tags: runTags(store, run), notes: runNotes(store, run).map(({ text }) => text) }
      store.close()
      return result
    }
    const kept = { tags: ["release"], notes: ["new prompt,\nbefore the release"] }
    expect(stored()).toEqual(kept)
    const refused: readonly Readonly<Record<string, string>>[] = [
      { add: "x".repeat(41) },
      { add: "a,b" },
      { add: "y ".repeat(300) },
      { note: "" },
      { note: "n".repeat(2001) },
    ]
    for (const wrong of refused)
      expect((await view.post(path, wrong)).status, JSON.stringify(wrong).slice(0, 40)).toBe(400)
    expect((await view.get("annotations/none")).status).toBe(404)
    // What another site's page would send: without the form's token, or from its own origin.
    expect((await view.post(path, { add: "forged", form: "guessed" })).status).toBe(403)
    expect((await view.post(path, { add: "forged" }, { origin: "http://evil.example" })).status).toBe(403)
    const stranger = await send(`${view.url}${path}`, { method: "POST", body: "add=forged" })
    expect(stranger.status).toBe(403)
    expect(stored()).toEqual(kept)
    for (const page of ["", `run/${run}`]) expect((await view.get(page)).text).toContain(`href="/annotations/${run}"`)
  })

  it.skipIf(!isThere)("hold hostile words as text, and are only shown where the server is read only", async () => {
    const path = `annotations/${run}`
    const words = hostileTexts.filter((text) => text.trim() !== "" && text.length <= 2000).slice(0, 20)
    for (const note of words) expect([303, 400]).toContain((await view.post(path, { note })).status)
    await view.post(path, { add: '<img/src=x/onerror="alert(1)">' })
    const { text, headers } = await view.get(path)
    expect(text).not.toMatch(/<img\/|<script>alert|<svg[^>]*onload/i)
    expect(text).toContain("&#60;img/src=x/onerror=")
    expect(String(headers["content-security-policy"])).toContain("default-src 'none'")
    const reader = await startView(scratchDirectory(), [...args, "--read-only"])
    try {
      const page = await reader.get(path)
      expect(page.text).toContain("release")
      expect(page.text).toContain("read only: nothing is changed here")
      expect(page.text).not.toContain("<form")
      expect((await reader.post(path, { add: "more" })).status).toBe(403)
    } finally {
      await reader.close()
    }
    const store = open()
    expect(runTags(store, run)).not.toContain("more")
    store.close()
  })

  it.skipIf(!isThere || chromiumPath === undefined)("are written by keyboard alone", { timeout: 60_000 }, async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const watched = watch(page, (url) => url.startsWith(view.url) || url.startsWith("data:"))
      await page.goto(view.address)
      await page.waitForSelector("#list > li")
      await page.focus(`a[href="/annotations/${run}"]`)
      await page.keyboard.press("Enter")
      await page.waitForSelector("[name=add]")
      await page.focus("[name=add]")
      await page.keyboard.type("typed")
      await page.keyboard.press("Enter")
      await page.waitForSelector('button[name=remove][value="typed"]')
      await page.focus("[name=note]")
      await page.keyboard.type("by keyboard")
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await page.waitForSelector("ol.notes >> text=by keyboard")
      await page.focus('button[name=remove][value="typed"]')
      await page.keyboard.press("Enter")
      await page.waitForSelector('button[name=remove][value="typed"]', { state: "detached" })
      expect(watched.problems).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
