import { join } from "node:path"
import axe from "axe-core"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath, openBrowser, warnWithoutChromium, watch } from "../../support/browser.ts"
import { ensurePage } from "../../support/page.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import {
  ended,
  type RunningView,
  type RunUnderWay,
  type SlowService,
  startRun,
  startSlowService,
  startView,
  until,
} from "./world.ts"

const cwd = scratchDirectory()
const samples = 40

describe("a run under way in evalkit view", { timeout: 120_000 }, () => {
  let service: SlowService
  let run: RunUnderWay
  let view: RunningView
  let id = ""

  beforeAll(async () => {
    await ensurePage()
    service = await startSlowService((question, model) => {
      const number = Number(question.split(" ")[1])
      if (model === "m-candidate" && number % 10 === 7) return { refused: "<b>the model</b> is not for you" }
      return model === "m-today" || number % 3 === 0 ? `It is Paris ${number}` : `<i>Lyon</i> ${number}`
    })
    run = startRun(join(cwd, "project"), service, samples)
    view = await startView(join(cwd, "project"))
  }, 60_000)

  afterAll(async () => {
    await view?.close()
    if (run) await ended(run.child)
    await service?.close()
  })

  it("is in the list with its progress, before it has a report", async () => {
    service.allow(30)
    const { text } = await until(
      () => view.get(""),
      (list) => /running, [1-9]\d? %/.test(list.text),
    )
    expect(text).toContain("under way")
    expect(text).toContain("no verdict yet")
    expect(text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d (?:CET|GMT\+1)/)
    expect(text).toContain("today, candidate")
    id = /href="\/run\/([^"]+)"/.exec(text)?.[1] as string
  })

  it("shows answers, quality so far with its interval, rate, cost and failures with their reason, and no verdict", async () => {
    const reply = await until(
      () => view.get(`run/${id}`),
      (page) => /n = 1\d<\/small>/.test(page.text) && page.text.includes("What failed"),
    )
    const text = reply.text.slice(reply.text.indexOf("<main"), reply.text.indexOf("</main>"))
    expect(text).toContain("So far, no verdict.")
    expect(text).not.toMatch(/SWAP|KEEP|INCONCLUSIVE/)
    expect(text).toMatch(/contains so far/i)
    service.allow(4)
    await until(
      () => view.get(`run/${id}`),
      (page) => page.text.includes(" answers a second</dd>"),
    )
    expect(text).toMatch(/cost of (?:the answers so far|\d+ answers that are read)<\/dt><dd>\$0\.00\d/)
    expect(text).toContain("&#60;i&#62;Lyon&#60;/i&#62;")
    expect(text).toContain("refused by the service: HTTP 400: &#60;b&#62;the model&#60;/b&#62; is not for you")
    expect(text.match(/<li><div class="head">/g)?.length).toBe(12)
    // What is shown is what the variant has so far: today answers all as wanted.
    const quality = /<th scope="row">today<\/th><td>(\d+) of 40<\/td><td>0<\/td><td>(\d+)\/(\d+) /.exec(text)
    expect(quality?.[2]).toBe(quality?.[3])
  })

  it("answers 304 while nothing is new", async () => {
    const headers = { ...view.allowed, "x-evalkit-part": "1" }
    const stands = await until(
      async () => {
        const { text } = await view.get("", headers)
        await new Promise((resolve) => setTimeout(resolve, 500))
        return [text, await view.get("", headers)] as const
      },
      ([before, { text }]) => before === text,
    )
    const { headers: answered, text } = stands[1]
    expect(text.startsWith("<main")).toBe(true)
    const second = await view.get("", { ...headers, "if-none-match": String(answered.etag) })
    expect({ status: second.status, text: second.text }).toEqual({ status: 304, text: "" })
  })

  warnWithoutChromium()
  it.skipIf(!chromiumPath)("brings new answers into the open page by itself, and at the end the report", async () => {
    const browser: Browser = await openBrowser()
    try {
      const page: Page = await browser.newPage()
      const watched = watch(page, (url) => url.startsWith(view.url) || url.startsWith("data:"))
      await page.goto(view.address)
      await page.click("a.name >> nth=0")
      const finished = async () => Number((await page.textContent("#facts dd"))?.split(" of ")[0])
      const before = await finished()
      await page.evaluate(axe.source)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        const result = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
          violations: { id: string }[]
        }
        expect(result.violations.map((violation) => violation.id)).toEqual([])
      }
      service.allow(10)
      await until(finished, (count) => count > before)
      expect(await page.textContent("#latest")).toContain("Lyon")
      expect(await page.$$("#latest i")).toHaveLength(0)
      service.allow(1000)
      await page.waitForSelector("#page h1", { timeout: 60_000 })
      expect(watched.problems).toEqual([])
    } finally {
      await browser.close()
    }
  })

  it("was not disturbed: every planned answer is there, and the list says done", async () => {
    service.allow(1000)
    await run.ended()
    expect(run.complained()).not.toMatch(/locked|busy/i)
    const { text } = await until(
      () => view.get(""),
      (list) => !list.text.includes("running,"),
    )
    expect(text).toMatch(/class="verdict \w+"/)
    const report = await view.get(`run/${id}`)
    expect(report.text).toContain('<div id="page">')
  })
})
