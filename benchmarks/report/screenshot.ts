/**
 * A picture of a report's first screens, as the README shows it.
 * Run: npm run build && npx jiti benchmarks/report/screenshot.ts REPORT.html examples/report.png (needs Chromium).
 */
import { resolve } from "node:path"
import { openBrowser } from "../../test/support/browser.ts"

const [report, picture] = process.argv.slice(2)
if (!report || !picture) throw new Error("usage: screenshot.ts REPORT.html PICTURE.png")

const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" })
  await page.goto(`file://${resolve(report)}`)
  await page.waitForSelector("html[data-ready]")
  const foot = (await page.evaluate(
    "document.getElementById('pair')?.getBoundingClientRect().top ?? innerHeight",
  )) as number
  const clip = { x: 0, y: 0, width: 1280, height: Math.round(foot) }
  await page.screenshot({ path: resolve(picture), fullPage: true, clip })
} finally {
  await browser.close()
}
