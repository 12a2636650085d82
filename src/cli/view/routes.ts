import type { ServerResponse } from "node:http"
import type { PlainDocument } from "../../../reports/view/document.ts"
import { UsageError } from "../../core/errors.ts"
import type { RunReport } from "../../core/report/report.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { reportInput } from "../../engine/report/report-input.ts"
import { streamWriter } from "../stream-writer.ts"
import { liveVariants } from "./live-variants.ts"
import type { ViewRoute } from "./server.ts"

/**
 * The pages of `evalkit view`: `/` all runs, `/run/ID` a report (or the progress of a run that has none yet),
 * `/compare?a=ID&b=ID` two runs. The store is opened anew for every page, so that a running evaluation is seen.
 */
export function viewRoutes(open: () => RunStore): ViewRoute {
  return async (path, query, response) => {
    const store = open()
    try {
      const [page, id, rest] = path
      if (page === "" && id === undefined) return await sendRuns(store, response)
      if (page === "run" && id !== undefined && rest === undefined) return await sendRun(store, id, response)
      if (page === "compare" && id === undefined) return await sendComparison(store, query, response)
      throw new UsageError("there is no such page", { where: path.join("/") })
    } finally {
      store.close()
    }
  }
}

async function sendRuns(store: RunStore, response: ServerResponse): Promise<void> {
  const { runsPage } = await import("../../../reports/view/runs-page.ts")
  const runs = store.runs().map((record) => ({ record, report: store.report(record.id) }))
  send(response, runsPage(runs, await pageStyle()))
}

async function sendRun(store: RunStore, id: string, response: ServerResponse): Promise<void> {
  const record = findRun(store, id)
  if (store.report(record.id) === null) {
    const { livePage } = await import("../../../reports/view/live-page.ts")
    return send(response, livePage(record, liveVariants(store, record), await pageStyle()))
  }
  const { renderHtml } = await import("../../../reports/export/html.ts")
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
  await renderHtml(reportInput(store, record), streamWriter(response))
  response.end()
}

async function sendComparison(store: RunStore, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const { comparePage } = await import("../../../reports/view/compare-page.ts")
  const report = (name: "a" | "b"): RunReport => reportInput(store, findRun(store, query.get(name) ?? undefined)).report
  const [first, second] = [report("a"), report("b")].sort((a, b) => (a.run.startedAt < b.run.startedAt ? -1 : 1))
  send(response, comparePage(first as RunReport, second as RunReport, await pageStyle()))
}

async function pageStyle(): Promise<string> {
  const { loadPageAssets } = await import("../../../reports/page/assets.ts")
  return (await loadPageAssets()).style
}

function send(response: ServerResponse, document: PlainDocument): void {
  response.writeHead(200, { ...document.headers })
  response.end(document.html)
}
