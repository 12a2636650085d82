import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { ReportInput } from "../../../src/core/report/report.ts"
import { sharedBrowser, unfold, violations } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium, watch } from "../../support/browser.ts"
import { runCli } from "../../support/cli.ts"
import { pageFile } from "../../support/page.ts"
import { pageOfConfig } from "../../support/pages/example-page.ts"
import { exampleRun, pageOfRun } from "../../support/pages/example-run.ts"
import { type SyntheticVariant, syntheticVariants } from "../../support/synthetic/answers.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { boxesAt } from "./boxes.tsx"
import { explainedHeadings } from "./explained-headings.tsx"
import { layoutFaults } from "./layout-faults.tsx"
import { openFolded, tableFaults } from "./table-faults.tsx"
import { steps, withEpisodes } from "./with-episodes.ts"

warnWithoutChromium()

const [first] = syntheticVariants as [SyntheticVariant]
const twins = ["a", "b", "c", "d", "e", "f"].map((letter) => ({ ...first, name: `twin-${letter}` }))
const tuned = syntheticVariants.slice(0, 5).map((variant, i) => ({
  ...variant,
  ...{
    name: `${variant.name}-tuned-${i}`,
    model: `${variant.model}-b`,
    accuracy: variant.accuracy - 0.02,
    ttftMs: variant.ttftMs * 1.1,
  },
}))
const long = { ...first, name: "organisation/a-very-long-model-name-8b-instruct", model: "long", accuracy: 0.83 }
const outlier = { ...first, name: "outlier", usdPerThousand: 9.5, accuracy: 0.9 }
const of = (variants: readonly SyntheticVariant[]) => syntheticInput({ samples: 60, variants })

/** Every call refused: what the page of a run without figures is. */
function refused(): ReportInput {
  const { report, samples } = of(syntheticVariants.slice(0, 2))
  const message = "HTTP 401: Incorrect API key provided. You can find your key on the account page."
  const variants = report.variants.map((variant) => ({
    ...variant,
    outcomes: { http_4xx: 60 },
    failures: [{ outcome: "http_4xx" as const, message, count: 60 }],
  }))
  return { report: { ...report, variants }, samples }
}

/** Pages whose elements are those of others, otherwise filled: what axe says of those (six variants: of the opening's) holds for them. */
const likeOthers = new Set([
  "two variants",
  "six variants",
  "one outlier",
  "six variants that coincide",
  "several limits broken at once",
])

const runLine = (args: readonly string[]) => runCli(args, { cwd: fileURLToPath(new URL("../../..", import.meta.url)) })

const firstRun = "npm start\u2019s first run"
/** Pages whose explained words are looked at here, since they are made here anyway; headings.long.browser.test.ts has the others. */
const explained = new Set([firstRun, "npm start\u2019s second run", "six variants", "twelve variants"])

/** Pages that are opened in a narrow window, too: each box has to be where it is on the page that was opened in a wide one. */
const reopened = new Set([firstRun, "twelve variants"])

const runs: Readonly<Record<string, (folder: string) => ReportInput | Promise<string>>> = {
  [firstRun]: async () => pageOfRun(await exampleRun("tiny-agent", runLine)),
  "npm start\u2019s second run": (folder) => pageOfConfig("eval.config.ts", folder, 60),
  "two variants": () => of(syntheticVariants.slice(0, 2)),
  "six variants": () => of(syntheticVariants),
  "twelve variants": () => of([...syntheticVariants, ...tuned, long]),
  "one outlier": () => of([...syntheticVariants.slice(0, 4), outlier]),
  "six variants that coincide": () => of(twins),
  "several limits broken at once": () =>
    syntheticInput({ samples: 60, constraints: ["p95 E2E < 5 ms", "exact_match > 0.99", "energy < 5 J"] }),
  "an episode": () => withEpisodes((isFirst) => steps(isFirst ? "yes, it is so" : "no")),
  "every call refused": refused,
}

describe.skipIf(!chromiumPath)("the page's layout", { timeout: 180_000 }, () => {
  const shared = sharedBrowser()

  it.each(Object.keys(runs))(
    "cuts no text and lays none on another, at any width and in both themes: %s",
    async (name) => {
      const made = (runs[name] as (folder: string) => ReportInput | Promise<string>)(shared.folder())
      const url =
        made instanceof Promise
          ? `file://${await made}`
          : await pageFile(made, `${shared.folder()}/${name.replaceAll(" ", "-")}.html`)
      const page = await shared.browser().newPage({ reducedMotion: "reduce" })
      const watched = watch(page)
      const check = async (width: number, media: "screen" | "print") => {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: "light", media })
        // What follows the window's width does so in the next frames.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
        expect({ width, ...(await page.evaluate(tableFaults, "main")) }).toEqual({
          ...{ width, halves: [], apart: [], askew: [], unlevel: [], small: [] },
        })
        // A theme is colours alone, and drawing the page anew in it takes long: one wide and one narrow window show whether it moves any.
        const themes =
          media === "screen" && [1280, 400].includes(width) ? (["light", "dark"] as const) : (["light"] as const)
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme, media })
          expect({ width, ...(await page.evaluate(layoutFaults, "main")) }).toEqual({
            ...{ width, cut: [], overlaps: [], charts: [], broken: [], sideways: 0 },
          })
        }
      }
      const open = async (width: number) => {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: "light", media: "screen" })
        await page.goto(url)
        await unfold(page)
        await page.waitForSelector("html[data-ready]")
        await page.waitForSelector(".sample-space .sample-row")
      }
      // What is said of one answer is a part of the page, too, and what is folded has to be in order.
      const openParts = async (width: number) => {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: "light", media: "screen" })
        await page.click(".sample-space .sample-row >> nth=0")
        await page.waitForSelector(".pane .output, .pane .thread-time, .pane .reason")
        await page.evaluate(openFolded)
      }
      await open(1280)
      if (explained.has(name)) {
        const { count, faults } = await explainedHeadings(page)
        expect(count).toBeGreaterThan(5)
        expect(faults).toEqual([])
      }
      // Paper shows nothing that is folded.
      await check(794, "print")
      await openParts(1280)
      // One page whose window becomes wider, narrow, and wider again is what one opened there is: `reopened` holds that.
      for (const width of [1280, 1920, 400, 800]) await check(width, "screen")
      if (reopened.has(name)) {
        const resized = await boxesAt(page, [400, 800])
        await open(400)
        await openParts(400)
        expect(await boxesAt(page, [400, 800])).toEqual(resized)
      }
      for (const colorScheme of likeOthers.has(name) ? [] : (["light", "dark"] as const)) {
        // An episode's page shows in the dark what the first run's has, too.
        if (colorScheme === "dark" && name === firstRun) continue
        await page.emulateMedia({ media: "screen", colorScheme })
        // Twelve variants have the elements of six, in more colours.
        const what = colorScheme === "light" && name !== "twelve variants" ? "all" : "colours"
        expect(await violations(page, what)).toEqual([])
      }
      expect(watched.problems).toEqual([])
      await page.close()
    },
  )

  it("answers by the keyboard: bars instead of a map, one step closer, and all of it again", async () => {
    const url = await pageFile(of(syntheticVariants), `${shared.folder()}/keys.html`)
    const page = await shared.browser().newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(url)
    await unfold(page)
    await page.waitForSelector("html[data-ready]")
    const press = async (name: string) => {
      await page.getByRole("button", { name, exact: true }).focus()
      await page.keyboard.press("Enter")
    }
    await press("zoom in")
    expect(page.url()).toContain("zoom=")
    const marks = await page.$$("[data-chart=frontier] .mark")
    expect(marks.length).toBeGreaterThan(1)
    expect(marks.length).toBeLessThan(6)
    await press("show all")
    expect(page.url()).not.toContain("zoom=")
    await press("bars")
    await page.waitForSelector(".ranking")
    expect(await page.textContent(".ranking >> nth=0 >> li >> nth=0")).toContain("hosted-70b")
    expect(await page.evaluate(layoutFaults, "#frontier")).toEqual({
      cut: [],
      overlaps: [],
      charts: [],
      broken: [],
      sideways: 0,
    })
    await page.close()
  })
})
