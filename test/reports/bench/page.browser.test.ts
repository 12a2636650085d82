import { writeFile } from "node:fs/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { benchHtml } from "../../../reports/bench/html.ts"
import { meanMetric } from "../../../src/core/metric/mean-metric.ts"
import { benchResult } from "../../../src/engine/bench/bench-result.ts"
import { measureLevel } from "../../../src/engine/bench/measure-level.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { saturationOf } from "../../../src/perf/bench/saturation.ts"
import { parseSlo } from "../../../src/perf/bench/slo.ts"
import { tokenPrice } from "../../cost/generations.ts"
import { fakeSession, loadDefaults } from "../../engine/bench/fake-session.ts"
import { virtualClock } from "../../engine/bench/virtual-clock.ts"
import { sharedBrowser, violations } from "../../support/browser/shared-browser.ts"
import { chromiumPath, warnWithoutChromium, watch } from "../../support/browser.ts"
import { layoutFaults } from "../page/layout-faults.tsx"

warnWithoutChromium()

const slo = parseSlo("ttft<30ms,e2e<60ms")
const loads = [1, 2, 4, 8, 16, 32, 64]
const correct = meanMetric({ name: "correct", signature: "correct|v1", measure: () => 1 })

const noLoad = {
  ...{ loops: 1, eventLoopUtilisation: 0, eventLoopDelayMsP99: 0, gcMs: 0, gcCount: 0 },
  ...{ involuntaryContextSwitches: null, cpuSeconds: 0, durationMs: 0 },
}
const clientError = {
  ...{ ttftMsP50: 1, ttftMsP99: 2, itlMsP50: 0.1, itlMsP99: 0.5, requests: 100, chunks: 500 },
  ...{ chunksPerSecond: 250, concurrency: 1, load: noLoad },
}

/** A sweep of a service with eight places: beyond them requests wait, answers get worse and some fail. */
async function sweep(variant: string): Promise<readonly BenchLevel[]> {
  const levels: BenchLevel[] = []
  for (const concurrency of loads) {
    const session = fakeSession((index) => ({
      firstMs: 3 + Math.max(0, concurrency - 8),
      intervalMs: 1,
      tokens: 5,
      outcome: concurrency > 16 && index % 20 === 0 ? "timeout_first_token" : "ok",
    }))
    const message = () => ({ messages: [{ role: "user" as const, content: "hello" }], parameters: {} })
    const [level] = await measureLevel({
      ...loadDefaults,
      clock: virtualClock(),
      targets: [
        {
          name: variant,
          session,
          price: tokenPrice,
          contextWindow: { tokens: 64, source: "a test" },
          requestOf: message,
          warmUpRequestOf: message,
          metrics: [correct],
          primary: correct.name,
          async score(_, index) {
            const value = Number(index % concurrency < 8)
            return { rows: [{ sampleId: `s${index}`, repeat: 0, measured: { status: "scored", row: value }, value }] }
          },
        },
      ],
      plan: { kind: "closed", concurrency, requests: Math.max(40, 4 * concurrency) },
      blocks: 1,
      slo,
      signal: new AbortController().signal,
      calibrate: async () => clientError,
    })
    levels.push(level as BenchLevel)
  }
  return levels
}

async function resultOf(variants: readonly string[]): Promise<BenchResult> {
  const swept = new Map<string, readonly BenchLevel[]>()
  for (const variant of variants) swept.set(variant, await sweep(variant))
  const points = (levels: readonly BenchLevel[]) =>
    levels.map(({ speed, goodput }, i) => ({
      concurrency: loads[i] as number,
      throughput: speed.systemTokensPerSecond,
      goodput,
    }))
  const reason = "the endpoint was not started here, so its processes cannot be seen"
  const none = {
    peakRssBytes: null,
    rssOverIdleBytes: null,
    cpuSeconds: null,
    gpu: null,
    modelBytes: null,
    loadMs: null,
  }
  return benchResult({
    levels: [...swept.values()].flat(),
    coldStarts: new Map(),
    saturation: new Map([...swept].map(([variant, levels]) => [variant, saturationOf(points(levels))])),
    searches: new Map(),
    resources: new Map(variants.map((variant) => [variant, { ...none, reason }])),
    queriesPerMonth: 1_000_000,
    slo,
    availabilityTarget: 0.999,
    interrupted: false,
    budgetSpent: null,
  })
}

describe.skipIf(!chromiumPath)("the page of a sweep in Chromium", { timeout: 120_000 }, () => {
  const shared = sharedBrowser()
  const urls: Record<string, string> = {}

  beforeAll(async () => {
    for (const [name, variants] of Object.entries({ one: ["tiny-s"], two: ["tiny-s", "a-much-longer-variant-name"] })) {
      const path = `${shared.folder()}/${name}.html`
      await writeFile(path, await benchHtml(await resultOf(variants)))
      urls[name] = `file://${path}`
    }
  }, 120_000)

  async function open(name: string, width: number, colorScheme: "light" | "dark" = "light") {
    const context = await shared.browser().newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    const watched = watch(page)
    await page.goto(urls[name] as string)
    return { page, watched, close: () => context.close() }
  }

  describe.each([400, 800, 1280, 1920])("at %i pixels", (width) => {
    it.each(["light", "dark"] as const)("has no accessibility violation in the %s theme", async (scheme) => {
      const { page, watched, close } = await open("two", width, scheme)
      await page.click("summary")
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(layoutFaults, "body")).toEqual({ cut: [], overlaps: [], charts: [], sideways: 0 })
      expect(watched.problems).toEqual([])
      await close()
    })

    it("scrolls its tables by themselves, never the page, and keeps their first column and their captions in sight", async () => {
      const { page, close } = await open("two", width)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      const tables = await page.$$eval(".table-frame", (frames) =>
        frames.map((frame) => {
          frame.scrollLeft = frame.scrollWidth
          const head = frame.querySelector("tbody th")?.getBoundingClientRect().left ?? Number.NaN
          const caption = frame.previousElementSibling?.getBoundingClientRect()
          return {
            head: Math.round(head - frame.getBoundingClientRect().left),
            isCaptionInSight: caption !== undefined && caption.left >= 0 && caption.right <= innerWidth,
          }
        }),
      )
      expect(tables.length).toBeGreaterThan(6)
      for (const table of tables) expect(table).toEqual({ head: 0, isCaptionInSight: true })
      await close()
    })

    it.each(["one", "two"])(
      "has texts in its charts that can be read and do not cover each other (%s)",
      async (name) => {
        const { page, close } = await open(name, width)
        const { smallest, collisions, charts } = await page.evaluate(textsOfCharts)
        expect(charts).toBeGreaterThan(6)
        expect(collisions).toEqual([])
        expect(smallest).toBeGreaterThanOrEqual(10)
        await close()
      },
    )
  })

  it("says at the top that figures are invalid, so that nobody plans with them", async () => {
    const { page, close } = await open("one", 1280)
    const doubt = await page.textContent(".doubt")
    expect(doubt).toContain("Invalid: the client's own error is over 5\u00a0% of")
    expect(doubt).toContain("TTFT p50 at 5 of 7 loads")
    expect(doubt).toContain("ITL p99 at every load")
    await close()
  })
})

/** Runs in the page: how small the smallest text of a chart is as it is shown, and which texts overlap. */
function textsOfCharts(): { smallest: number; collisions: string[]; charts: number } {
  const collisions: string[] = []
  let smallest = Number.POSITIVE_INFINITY
  const shown = [...document.querySelectorAll("figure svg")].filter((svg) => svg.getBoundingClientRect().width > 0)
  for (const svg of shown) {
    const scale = svg.getBoundingClientRect().width / (svg as SVGSVGElement).viewBox.baseVal.width
    const texts = [...svg.querySelectorAll("text")].map((text) => ({
      words: text.textContent ?? "",
      box: text.getBoundingClientRect(),
      size: Number.parseFloat(getComputedStyle(text).fontSize) * scale,
    }))
    for (const { size } of texts) smallest = Math.min(smallest, size)
    for (const [i, one] of texts.entries())
      for (const other of texts.slice(i + 1)) {
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        // A line of text is taller than its letters: boxes may touch by two pixels.
        if (across > 1 && down > 3) collisions.push(`${svg.getAttribute("aria-label")}: ${one.words} / ${other.words}`)
      }
  }
  return { smallest, collisions, charts: shown.length }
}
