import axe from "axe-core"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ReportInput } from "../../../src/core/report/report.ts"
import { chromiumPath, openBrowser, temporaryFolder, warnWithoutChromium, watch } from "../../support/browser.ts"
import { ensurePage, pageFile } from "../../support/page.ts"
import { type SyntheticVariant, syntheticVariants } from "../../support/synthetic/answers.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { layoutFaults } from "./layout-faults.tsx"

warnWithoutChromium()

const [first] = syntheticVariants as [SyntheticVariant]
const twins = ["a", "b", "c", "d", "e", "f"].map((letter) => ({ ...first, name: `twin-${letter}` }))
const tuned = syntheticVariants.slice(0, 5).map((one, i) => ({
  ...one,
  ...{
    name: `${one.name}-tuned-${i}`,
    model: `${one.model}-b`,
    accuracy: one.accuracy - 0.02,
    ttftMs: one.ttftMs * 1.1,
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

const runs: Readonly<Record<string, () => ReportInput>> = {
  "two variants": () => of(syntheticVariants.slice(0, 2)),
  "six variants": () => of(syntheticVariants),
  "twelve variants": () => of([...syntheticVariants, ...tuned, long]),
  "one outlier": () => of([...syntheticVariants.slice(0, 4), outlier]),
  "six variants that coincide": () => of(twins),
  "several limits broken at once": () =>
    syntheticInput({ samples: 60, constraints: ["p95 E2E < 5 ms", "exact_match > 0.99", "energy < 5 J"] }),
  "every call refused": refused,
}

describe.skipIf(!chromiumPath)("the page's layout", { timeout: 120_000 }, () => {
  let browser: Browser
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    await ensurePage()
    folder = await temporaryFolder()
    browser = await openBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await folder?.remove()
  })

  it.each(Object.keys(runs))(
    "cuts no text and lays none on another, at any width and in both themes: %s",
    async (name) => {
      const url = await pageFile(
        (runs[name] as () => ReportInput)(),
        `${folder.path}/${name.replaceAll(" ", "-")}.html`,
      )
      const page = await browser.newPage({ reducedMotion: "reduce" })
      const watched = watch(page)
      for (const [width, theme] of [
        [1920, "light"],
        [1280, "dark"],
        [800, "light"],
        [400, "dark"],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: theme })
        await page.goto(url)
        await page.waitForSelector("html[data-ready]")
        await page.waitForSelector(".sample-space .sample-row")
        expect({ width, ...(await page.evaluate(layoutFaults, "main")) }).toEqual({
          ...{ width, cut: [], overlaps: [], charts: [], sideways: 0 },
        })
      }
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run(document))
      expect(
        violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`),
      ).toEqual([])
      expect(watched.problems).toEqual([])
      await page.close()
    },
  )

  it("answers by the keyboard: bars instead of a map, one step closer, and all of it again", async () => {
    const url = await pageFile(of(syntheticVariants), `${folder.path}/keys.html`)
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(url)
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
    expect(await page.evaluate(layoutFaults, "#frontier")).toEqual({ cut: [], overlaps: [], charts: [], sideways: 0 })
    await page.close()
  })
})
