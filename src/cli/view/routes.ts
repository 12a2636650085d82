import type { Write } from "../../../reports/export/write.ts"
import { pathPart, type ViewAssets } from "../../../reports/view/document.ts"
import type { RunFilter } from "../../../reports/view/listed-run.ts"
import type { LoadedMetrics } from "../../analyse/source/stored-metrics.ts"
import { reportInput } from "../../analyse/summary/report-input.ts"
import { UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { BenchResult } from "../../perf/bench/bench-result.ts"
import { findRun } from "../../store/find-run.ts"
import { foundOfBench } from "../bench/render-bench.ts"
import { localTime } from "../history/local-time.ts"
import { answerAnnotations } from "./annotations-route.ts"
import { createLabelRoutes } from "./label-routes.ts"
import { createLiveFollowers } from "./live/followers.ts"
import { pageReply, type ViewReply, type ViewRequest } from "./reply.ts"
import { createRunLister } from "./run-list.ts"
import type { ViewRoute } from "./server.ts"

/** What the pages are made of. */
export interface ViewRoutesOptions {
  /** Opens the store to read; anew for every page, so that a running evaluation is seen. */
  open(): RunStore
  /** Opens it to write, for a label, a tag or a note. */
  openToWrite(): RunStore
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Metrics of a run's config, where it may be loaded. */
  loadMetrics(run: RunRecord): Promise<LoadedMetrics>
  readonly signal: AbortSignal
}

/** The page of a load test. */
async function benchReply(benchResult: BenchResult, id: string): Promise<ViewReply> {
  const { benchHtml } = await import("../../../reports/bench/html.ts")
  const [head = "", body = ""] = (await benchHtml(benchResult)).split("<body>")
  return pageStream(async (write) => {
    await write(head)
    await withWayBack(write, id)(`<body>\n${body}`)
  })
}

/** Script and style of the pages, read once. */
export async function viewAssets(): Promise<ViewAssets> {
  loaded ??= import("../../../reports/page/assets.ts").then(({ loadViewAssets }) => loadViewAssets())
  return loaded
}

let loaded: Promise<ViewAssets> | undefined

/**
 * The pages of `evalkit view`: `/` all runs; `/run/ID` a report, or the progress of a run that is under way; `/compare?a=ID&b=ID` two runs;
 * `/label/ID` labelling; `/annotations/ID` tags and notes.
 */
export function viewRoutes(options: ViewRoutesOptions): ViewRoute {
  const lister = createRunLister(options.environment)
  const followers = createLiveFollowers(options)
  const labels = createLabelRoutes({ openToWrite: options.openToWrite, assets: viewAssets })
  return async (request) => {
    const { path, query } = request
    const [page, id = "", rest] = path
    if (request.form && page !== "label" && page !== "annotations")
      throw new UsageError("not found", { where: path.join("/") })
    const store = options.open()
    let isStreaming = false
    try {
      if (page === "" && path.length === 1) {
        const { runsPage } = await import("../../../reports/view/runs-page.ts")
        return pageReply(runsPage(lister.list(store, filterOf(query)), await viewAssets()), request)
      }
      if (page === "run" && id !== "" && rest === undefined) {
        const record = findRun(store, id, "all")
        if (record.kind === "bench") return await benchReply(foundOfBench(store, record), record.id)
        const isUnderWay = record.status === "running" && query.get("report") !== "last"
        const report = isUnderWay ? null : reportOf(store, record)
        if (!report) return await live(store, record, request)
        if (request.isPart) return pageReply(await over(), request)
        isStreaming = true
        return report
      }
      if (page === "compare" && path.length === 1) {
        const [{ comparePage }, { compareRuns }] = await Promise.all([
          import("../../../reports/view/compare-page.ts"),
          import("./compare-route.ts"),
        ])
        return pageReply(comparePage(await compareRuns(store, query, options), await viewAssets()), request)
      }
      if (page === "label" && id !== "" && path.length <= 4)
        return await labels.answer(request, store, findRun(store, id))
      if (page === "annotations" && id !== "" && rest === undefined)
        return await answerAnnotations({ ...options, assets: viewAssets }, request, store, findRun(store, id, "all"))
      throw new UsageError("there is no such page", { where: path.join("/") })
    } finally {
      if (!isStreaming) store.close()
    }
  }

  async function live(store: RunStore, record: RunRecord, request: ViewRequest): Promise<ViewReply> {
    const { livePage } = await import("../../../reports/view/live-page.ts")
    const follower = await followers.of(record)
    const liveRun = await follower.look(store, record)
    const facts = {
      record,
      started: localTime(record.startedAt, options.environment),
      elapsedMs: Math.max(0, Date.now() - Date.parse(record.startedAt)),
      hasReport: store.report(record.id) !== null,
    }
    return pageReply(livePage(facts, liveRun, await viewAssets()), request)
  }

  /** Its report as a stream; the store is closed at its end. Null where there is none yet. */
  function reportOf(store: RunStore, record: RunRecord): ViewReply | null {
    if (store.report(record.id) === null) return null
    return pageStream(async (write) => {
      try {
        const { renderHtml } = await import("../../../reports/export/html.ts")
        await renderHtml(reportInput(store, record, options.signal), withWayBack(write, record.id))
      } finally {
        store.close()
      }
    })
  }

  /** Tells the script of a live page that there is a report now. */
  async function over() {
    const { plainDocument } = await import("../../../reports/view/document.ts")
    return plainDocument({ title: "", body: "", isOver: true }, await viewAssets())
  }
}

function pageStream(body: Extract<ViewReply["body"], (...args: never) => unknown>): ViewReply {
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": "frame-ancestors 'none'" }
  return { status: 200, headers, body }
}

function filterOf(query: URLSearchParams): RunFilter {
  const page = Number(query.get("page") ?? 1)
  return {
    search: (query.get("q") ?? "").slice(0, 200).trim(),
    tags: query.getAll("tag").slice(0, 10),
    state: (query.get("state") ?? "").slice(0, 20),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

/** The list of runs, and what people say of this one, from a report that the server shows. The report's own policy takes plain links. */
const wayBack = (runId: string) =>
  `<nav class="way-back" aria-label="evalkit"><a href="/">evalkit: all runs</a> \u00b7 <a href="/annotations/${pathPart(runId)}">tags and notes</a></nav>\n`

/** Writes a report's page with links to the list and to its tags and notes above it: the file that `evalkit report` makes has none, as it stands alone. */
function withWayBack(write: Write, runId: string): Write {
  let isSaid = false
  return (chunk) => {
    if (isSaid || !chunk.startsWith("<body>\n")) return write(chunk)
    isSaid = true
    return write(chunk.replace("<body>\n", `<body>\n${wayBack(runId)}`))
  }
}
