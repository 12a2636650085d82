import { describe, expect, it } from "vitest"
import { renderChartSvg } from "../../../reports/export/chart-svg.ts"
import { renderJunit } from "../../../reports/export/junit.ts"
import { sharedBrowser, unfold } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium, watch } from "../../support/browser.ts"
import { hostileTexts } from "../../support/hostile-texts.ts"
import { sized } from "../../support/nightly.ts"
import { pageFile } from "../../support/page.ts"
import { dealt, poisoned } from "../../support/poison.ts"
import { poisonedInput } from "../../support/poisoned-input.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

warnWithoutChromium()

describe.skipIf(!chromiumPath)("hostile texts in Chromium", { timeout: 120_000 }, () => {
  const shared = sharedBrowser()

  it("reads the JUnit and SVG exports with its own XML parser, whatever the texts hold", async () => {
    const page = await shared.browser().newPage()
    const { report } = syntheticInput({ samples: 60 })
    const documents = [renderJunit(report), await renderChartSvg(report, "frontier")]
    for (let deal = 0; deal < 6; deal++) documents.push(renderJunit(poisoned(report, dealt(hostileTexts, deal))))
    const roots = await page.evaluate(
      (all) =>
        all.map((text) => {
          const parsed = new DOMParser().parseFromString(text, "application/xml")
          return parsed.querySelector("parsererror")?.textContent ?? parsed.documentElement.nodeName
        }),
      documents,
    )
    expect(roots).toEqual(documents.map((_, index) => (index === 1 ? "svg" : "testsuites")))
    await page.close()
  })

  it("runs nothing and keeps its layout whatever the texts hold", async () => {
    const small = syntheticInput({ samples: 3 })
    const context = await shared
      .browser()
      .newContext({ reducedMotion: "reduce", viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const watched = watch(page)
    for (let deal = 0; deal < sized(14, 4); deal++) {
      const payload = dealt(hostileTexts, deal)
      await page.goto(`${await pageFile(poisonedInput(small, payload), `${shared.folder()}/hostile.html`)}?${deal}`)
      await unfold(page)
      await page.waitForSelector(".sample-space .sample-row")
      await page.click(".sample-space .sample-row >> nth=0")
      await page.waitForSelector(".pane .output")
      const state = await page.evaluate(() => ({
        owned: "__owned" in window,
        sideways: document.documentElement.scrollWidth > innerWidth,
        sections: document.querySelectorAll("main > section, #details > section").length,
        foreign: document.querySelectorAll("iframe, img, object, embed, video, form, base, dialog, #page script")
          .length,
      }))
      expect({ deal, ...state }).toEqual({ deal, owned: false, sideways: false, sections: 13, foreign: 0 })
    }
    expect(watched.problems).toEqual([])
    await context.close()
  }, 300_000)
})
