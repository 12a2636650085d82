import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runThroughChaos } from "../../test/support/chaos/through-run.ts"
import { startServing } from "./serving.ts"

/** One `evalkit run` of many requests: its memory must not grow with them. The slope is that of the answers' stage. */
const count = Number(process.argv[2] ?? 200_000)
const megabyte = 1e6

const serving = await startServing()
const folder = mkdtempSync(join(tmpdir(), "evalkit-soak-"))
const readings: { readonly n: number; readonly rss: number }[] = []
let peak = 0
const ended = await runThroughChaos({
  folder,
  server: serving,
  arrangement: "undici",
  rate: 0,
  count,
  concurrency: 64,
  retries: 0,
  onReading({ rss }) {
    peak = Math.max(peak, rss)
    void serving.log().then(({ none: n = 0 }) => {
      if (n > 0 && n < count) readings.push({ n, rss })
    })
  },
})
const { none = 0 } = await serving.log()
// The first fifth fills caches and the heap.
const later = readings.filter(({ n }) => n > count / 5)
const [first, last] = [later[0]!, later.at(-1)!]
console.log(
  `${none} requests in ${ended.seconds.toFixed(0)} s, exit ${ended.code}, wrong ${ended.wrong.length}; resident memory ` +
    `${(first.rss / megabyte).toFixed(0)} MB after ${first.n} and ${(last.rss / megabyte).toFixed(0)} MB after ${last.n}, slope ` +
    `${((slope(later) * 10_000) / megabyte).toFixed(2)} MB per 10,000 requests; ${(peak / megabyte).toFixed(0)} MB at most, the scores and the report included`,
)
for (const line of ended.wrong.slice(0, 5)) console.error(line)
serving.close()
rmSync(folder, { recursive: true, force: true })
process.exit(ended.wrong.length === 0 && none === count ? 0 : 1)

/** Least squares, bytes per request. */
function slope(points: readonly { readonly n: number; readonly rss: number }[]): number {
  const mean = (pick: (point: { n: number; rss: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const [n, rss] = [mean((point) => point.n), mean((point) => point.rss)]
  const covariance = points.reduce((sum, point) => sum + (point.n - n) * (point.rss - rss), 0)
  return covariance / points.reduce((sum, point) => sum + (point.n - n) ** 2, 0)
}
