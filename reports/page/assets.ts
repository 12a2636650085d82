import { access, readFile } from "node:fs/promises"
import { EvalkitError } from "../../src/core/errors.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { BenchResult } from "../../src/perf/bench/bench-result.ts"
import type { PageFacts } from "./payload.ts"
import type { FindWord } from "./words.ts"

/** The built page: what the browser runs, and what renders it beforehand. */
export interface PageAssets {
  readonly script: string
  readonly style: string
  /** What the page of a load test adds to the style. */
  readonly benchStyle: string
  renderPage(report: RunReport, facts: PageFacts, words: FindWord): string
  /** The body of the page of a load test. */
  renderBench(result: BenchResult, words: FindWord): string
}

/** Beside this file in the built package; below `dist` when this file runs from its source. */
const places = ["../app/", "../../dist/reports/app/"].map((path) => new URL(path, import.meta.url))

/** Loads the built page, once a process. Throws an {@link EvalkitError} when it was not built. */
export function loadPageAssets(): Promise<PageAssets> {
  loading ??= readPageAssets()
  return loading
}

let loading: Promise<PageAssets> | undefined

async function readPageAssets(): Promise<PageAssets> {
  const folder = await builtPlace()
  const text = (name: string) => readFile(new URL(name, folder), "utf8")
  const [script, style, benchStyle, server] = await Promise.all([
    ...([text("client.js"), text("style.css"), text("bench.css")] as const),
    import(new URL("server.js", folder).href) as Promise<Pick<PageAssets, "renderPage" | "renderBench">>,
  ])
  const { renderPage, renderBench } = server
  return { script: safeScript(script), style: style.trim(), benchStyle: benchStyle.trim(), renderPage, renderBench }
}

/** Loads script and style of the pages of `evalkit view`. Throws an {@link EvalkitError} when they were not built. */
export async function loadViewAssets(): Promise<Pick<PageAssets, "script" | "style">> {
  const folder = await builtPlace()
  const [script, style] = await Promise.all(
    ["view.js", "view.css"].map((name) => readFile(new URL(name, folder), "utf8")),
  )
  return { script: safeScript(script as string), style: (style as string).trim() }
}

async function builtPlace(): Promise<URL> {
  for (const folder of places) {
    const isThere = await access(new URL("view.js", folder)).then(
      () => true,
      () => false,
    )
    if (isThere) return folder
  }
  throw new EvalkitError("the page of the report is not built", {
    code: "page_not_built",
    where: places[0]?.pathname ?? "",
    hint: "run: npm run build",
  })
}

/** A script that can stand inside HTML: it cannot end its own element or open a comment. */
function safeScript(script: string): string {
  return script
    .trim()
    .replace(/<\/(script)/gi, "<\\/$1")
    .replace(/<!--/g, "<\\!--")
}
