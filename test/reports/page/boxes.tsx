import type { Page } from "playwright-core"

/** Where each element of a page is, in pixels from the page's corner, when its window is as wide as each of these in turn. */
export async function boxesAt(page: Page, widths: readonly number[]): Promise<readonly string[]> {
  const texts: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    texts.push(...(await page.evaluate(boxes)).map((box) => `${width}: ${box}`))
  }
  return texts
}

/** Runs in the page: the boxes of all its elements, and the names that say which they are. */
function boxes(): string[] {
  scrollTo(0, 0)
  return [...document.querySelectorAll("main, main *")].map((entry) => {
    const { left, top, width, height } = entry.getBoundingClientRect()
    return `${entry.tagName} ${entry.getAttribute("class") ?? ""} ${[left, top, width, height].map((pixels) => Math.round(pixels * 4) / 4)}`
  })
}
