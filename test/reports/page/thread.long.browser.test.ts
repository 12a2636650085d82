import { describe, expect, it } from "vitest"
import type { EpisodeStep } from "../../../src/core/episode/step.ts"
import type { ReportInput } from "../../../src/core/report/report.ts"
import { called, said } from "../../metrics/episodes/episode-answer.ts"
import { sharedBrowser, unfold } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium, watch } from "../../support/browser.ts"
import { hostileTexts } from "../../support/hostile-texts.ts"
import { pageFile } from "../../support/page.ts"
import { dealt } from "../../support/poison.ts"
import { steps, withEpisodes } from "./with-episodes.ts"

warnWithoutChromium()

describe.skipIf(!chromiumPath)("episodes on the page in Chromium", { timeout: 240_000 }, () => {
  const shared = sharedBrowser()

  async function opened(input: ReportInput, width = 1280) {
    const context = await shared.browser().newContext({ reducedMotion: "reduce", viewport: { width, height: 900 } })
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    const watched = watch(page)
    await page.goto(await pageFile(input, `${shared.folder()}/thread.html`))
    await unfold(page)
    await page.click(".sample-space .sample-row >> nth=0")
    await page.waitForSelector(".pane .thread-time")
    return { page, watched, close: () => context.close() }
  }

  it("stand side by side from where they part, with the time of the model and of the tools", async () => {
    const { page, watched, close } = await opened(withEpisodes((isFirst) => steps(isFirst ? "yes" : "no")))
    expect(await page.textContent(".pane")).toContain("They part at step 6, in turn 2 of the user.")
    expect(await page.$$eval(".pane .parts", (all) => all.map((entry) => entry.textContent))).toEqual([
      expect.stringMatching(/here they part.*yes$/),
      expect.stringMatching(/here they part.*no$/),
    ])
    // What is the same in both is folded away, and can be read.
    const common = page.locator(".answer-pane >> nth=0").locator("summary", { hasText: "the first 5 steps" })
    await common.click()
    expect(await page.textContent(".answer-pane >> nth=0")).toContain("look ok")
    expect(await page.getAttribute(".thread-time >> nth=0", "aria-label")).toBe(
      "model 90.0 ms, tools 20.0 ms, over 110 ms",
    )
    expect(await page.$$(".thread-time >> nth=0 >> rect")).toHaveLength(4)
    expect(watched.problems).toEqual([])
    await close()
  })

  it("are said to be the same where they are", async () => {
    const { page, close } = await opened(withEpisodes(() => steps("yes")))
    expect(await page.textContent(".pane")).toContain("Both went through the same steps.")
    expect(await page.$$(".pane .parts")).toHaveLength(0)
    await close()
  })

  it("run nothing and keep the layout whatever models and tools say", async () => {
    const huge = "x".repeat(300_000)
    const controls = "\u202e\u2066\u0000\u0007\u001b[31mred\u200b\u{e0041}"
    for (let deal = 0; deal < 4; deal++) {
      const payload = dealt(hostileTexts, deal)
      const text = (word: string) => `${payload(word)}${controls}${deal === 0 ? huge : ""}`
      const hostile = (isFirst: boolean): readonly EpisodeStep[] => [
        said(0, text("a"), { toolCalls: [{ name: text("b"), arguments: { [text("c")]: text("d") }, id: "c" }] }),
        called(0, text("e"), {}, text(isFirst ? "f" : "g"), "error"),
        said(1, text("h")),
      ]
      const { page, watched, close } = await opened(withEpisodes(hostile), deal % 2 === 0 ? 1280 : 400)
      await page.$$eval(".pane details", (all) => {
        for (const entry of all) (entry as HTMLDetailsElement).open = true
      })
      const state = await page.evaluate(() => ({
        owned: "__owned" in window,
        sideways: document.documentElement.scrollWidth > innerWidth,
        foreign: document.querySelectorAll(".pane iframe, .pane img, .pane object, .pane form, .pane script").length,
        raw: /[\u0000\u0007\u001b\u202e\u2066]/.test(document.querySelector(".pane")?.textContent ?? ""),
      }))
      expect({ deal, ...state }).toEqual({ deal, owned: false, sideways: false, foreign: 0, raw: false })
      expect(watched.problems).toEqual([])
      await close()
    }
  })
})
