/**
 * How long `evalkit report` takes to write the page of a stored run, how large it is and how long it takes to open, at 1,000,
 * 10,000 and 100,000 answers, or how long the reports take to open whose files are named.
 * Run: npm run build && npx jiti benchmarks/report/run.ts [REPORT.html …] (opening needs Chromium: CHROMIUM_PATH or
 * /usr/bin/chromium).
 */
import { mkdirSync } from "node:fs"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { chromiumPath, openBrowser } from "../../test/support/browser.ts"
import { measureCommand } from "../scale/measured-command.ts"
import { writeProject } from "../scale/recorded-run.ts"

const variants = 6
const opens = 5

/** Runs recorded answers into a store, and has the page written from there by the command that a user runs. */
async function build(answers: number, project: string) {
  mkdirSync(project)
  writeProject(project, { samples: Math.floor(answers / variants), variants })
  await measureCommand(["run", "--no-html"], project)
  const path = join(project, "page.html")
  return {
    path,
    ...(await measureCommand(["report", "-f", "html", "-o", path], project)),
    bytes: (await stat(path)).size,
  }
}

/** Medians over several cold pages: first paint, samples ready to be filtered, JavaScript heap, DOM nodes. */
async function open(path: string) {
  const browser = await openBrowser()
  try {
    const rounds = []
    for (let round = 0; round < opens; round++) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      const start = performance.now()
      await page.goto(`file://${path}`, { waitUntil: "commit" })
      await page.waitForSelector(".sample-space .sample-row")
      const readyMs = performance.now() - start
      const facts = (await page.evaluate(
        "({ paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime, heapBytes: performance.memory?.usedJSHeapSize, nodes: document.getElementsByTagName('*').length })",
      )) as { paintMs: number; heapBytes: number; nodes: number }
      rounds.push({ readyMs, ...facts })
      await page.close()
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number
    return {
      paintMs: median(rounds.map((round) => round.paintMs)),
      readyMs: median(rounds.map((round) => round.readyMs)),
      heapBytes: median(rounds.map((round) => round.heapBytes)),
      nodes: median(rounds.map((round) => round.nodes)),
    }
  } finally {
    await browser.close()
  }
}

const cpu = `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`
const named = process.argv.slice(2)
if (named.length > 0) {
  const rows = []
  for (const path of named) rows.push({ report: path, bytes: (await stat(path)).size, ...(await open(resolve(path))) })
  console.log(cpu)
  console.table(rows)
  process.exit(0)
}

const folder = await mkdtemp(join(tmpdir(), "evalkit-benchmark-"))
try {
  const rows = []
  for (const answers of [1_000, 10_000, 100_000]) {
    const built = await build(answers, join(folder, String(answers)))
    const opened = chromiumPath ? await open(built.path) : null
    rows.push({
      answers,
      "command s": Number(built.seconds.toFixed(2)),
      "CPU s": Number(built.cpuSeconds.toFixed(2)),
      "peak MiB": Math.round(built.peakMebibytes),
      "size MB": Number((built.bytes / 1e6).toFixed(2)),
      "first paint ms": opened ? Math.round(opened.paintMs) : "no Chromium",
      "samples ready ms": opened ? Math.round(opened.readyMs) : "no Chromium",
      "heap MB": opened ? Number((opened.heapBytes / 1e6).toFixed(1)) : "no Chromium",
      "DOM nodes": opened?.nodes ?? "no Chromium",
    })
  }
  console.log(cpu)
  console.table(rows)
} finally {
  await rm(folder, { recursive: true, force: true })
}
