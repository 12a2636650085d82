import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import type { VariantReport } from "../../core/report/report.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../core/report/table-data.ts"
import { toJson } from "../../core/report/to-json.ts"
import type { ClientTotals, ServerTotals } from "../../core/run/server-totals.ts"
import { type FirstTokenSplit, splitFirstToken } from "../../perf/server/first-token-split.ts"
import { type ServerWindow, serverWindow } from "../../perf/server/server-window.ts"
import { listed } from "../../words/names.ts"
import { count } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"
import { elapsed } from "../../words/quantity.ts"

/** A variant whose server showed its metrics while it was served. */
interface Watched {
  readonly name: string
  readonly window: ServerWindow
  readonly client: ClientTotals | null
  readonly clientErrorMs: number | null
}

/**
 * What servers' own `/metrics` say of the time in which each variant was served: where the time to the first token went, and how busy the
 * server was. Empty where no server shows metrics that are known.
 *
 * @param totalsOf what was read over the variant's phases
 */
export function serverMetricsSections(
  reports: readonly Pick<VariantReport, "name" | "speed">[],
  totalsOf: (variant: string) => ServerTotals | null,
): readonly ReportSection[] {
  const watched = reports.flatMap(({ name, speed }): Watched[] => {
    const totals = totalsOf(name)
    if (!totals) return []
    const window = serverWindow(totals, totals.client?.requests ?? null, totals.client?.failed)
    return [{ name, window, client: totals.client ?? null, clientErrorMs: speed.clientErrorMs ?? null }]
  })
  if (watched.length === 0) return []
  const splits = watched.map((row) => ({ ...row, split: splitFirstToken(row.window, row.client, row.clientErrorMs) }))
  const disagreements = splits.flatMap(({ name, split }) => split.disagreements.map((said) => `${name}: ${said}.`))
  const warnings = watched.flatMap(({ name, window }) => window.warnings.map((said) => `${name}: ${said}.`))
  const caution = disagreements[0] ?? warnings[0]
  return [
    {
      kind: "table",
      topic: "server_metrics",
      title: "The server's own metrics: where the time went",
      sentences: [
        ...splits.flatMap(wentSentence),
        "Means over the requests in milliseconds, from the server's /metrics before and after each turn of the variant. The rest of the first token is the client's mean less the server's queue and prefill: network, HTTP and the tokenizer, and the queue where the server does not state one; it is unknown where chunks were held back. Percentiles lie between two edges of the server's histogram, which are their interval.",
        ...disagreements,
        ...warnings,
      ],
      data: toJson(tableData(splits, timeColumns)),
      ...(caution !== undefined && { caution }),
    },
    {
      kind: "table",
      topic: "server_state",
      title: "The server's own metrics: how busy it was",
      sentences: [
        ...watched.flatMap(busySentence),
        ...watched.flatMap(keptSentence),
        "Running, waiting and KV cache are the highest of the readings while the variant was served.",
      ],
      data: toJson(tableData(watched, stateColumns)),
    },
  ]
}

function wentSentence({ name, window, split }: Watched & { readonly split: FirstTokenSplit }): readonly string[] {
  const { queueMs, decodeMs } = window.times
  const [queue, prefill, decode] = [queueMs, split.prefillMs, decodeMs].map(figureValue)
  const parts = [
    ...(queue == null ? [] : [`waited ${elapsed(queue)} in the server's queue`]),
    ...(prefill == null ? [] : [`had their prompt read in ${elapsed(prefill)}`]),
    ...(decode == null ? [] : [`were written in ${elapsed(decode)}`]),
  ]
  return parts.length === 0 ? [] : [`${name}: requests ${listed(parts)}, on average.`]
}

function busySentence({ name, window }: Watched): readonly string[] {
  const [running, waiting, cache] = [window.running.most, window.waiting.most, window.kvCacheUsage.most].map(
    figureValue,
  )
  if (running == null) return []
  const queued = waiting == null ? "" : `, and ${count(waiting)} waiting`
  const full = cache == null ? "" : `; the KV cache was up to ${percent(cache)} full`
  return [
    `${name}: at most ${running === 1 ? "1 request was" : `${count(running)} requests were`} running at once${queued}${full}.`,
  ]
}

/** Where a longer guess stops being worth its time. */
function keptSentence({ name, window }: Watched): readonly string[] {
  const shares = window.acceptedByPosition.flatMap((figure) => figureValue(figure) ?? [])
  return shares.length === 0
    ? []
    : [`${name}: of its guesses the tokens were kept, from the first position on, in ${listed(shares.map(percent))}.`]
}

const timeColumns: readonly TableColumn<Watched & { readonly split: FirstTokenSplit }>[] = [
  ["variant", ({ name }) => name],
  ["metrics of", ({ window }) => window.dialect],
  ["requests", requestsOf],
  ["first token, client", ({ split }) => split.clientMs, "ms"],
  ["queue", ({ window }) => window.times.queueMs, "ms"],
  ["prefill", ({ split }) => split.prefillMs, "ms"],
  ["network and other", ({ split }) => split.networkMs, "ms"],
  ["decode", ({ window }) => window.times.decodeMs, "ms"],
  ["between tokens", ({ window }) => window.times.interTokenMs, "ms"],
  ["first token, server, p99", ({ window }) => window.percentiles.ttftMs.p99, "ms"],
]

function requestsOf({ window, client }: Watched): number | Figure {
  const requests = figureValue(window.counts.requests) ?? client?.requests
  return requests ?? unknown(`${window.dialect} does not count them`)
}

const stateColumns: readonly TableColumn<Watched>[] = [
  ["variant", ({ name }) => name],
  ["running", ({ window }) => window.running.most],
  ["waiting", ({ window }) => window.waiting.most],
  ["KV cache", ({ window }) => window.kvCacheUsage.most, "share"],
  ["prefix cache hits", ({ window }) => window.prefixCacheHitRate, "share"],
  ["draft acceptance rate", ({ window }) => window.acceptance, "share"],
  ["tokens a guess", ({ window }) => window.acceptedLength],
  ["preemptions", ({ window }) => window.counts.preemptions],
]
