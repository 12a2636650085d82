import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import type { Distribution, VariantReport } from "../../core/report/report.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../core/report/table-data.ts"
import { toJson } from "../../core/report/to-json.ts"
import { restOfFirstTokens, serverDisagreements } from "../../perf/server/disagreements.ts"
import { listed } from "../../words/names.ts"
import { elapsed } from "../../words/quantity.ts"

/**
 * What servers say of their own time, in the answers that came with timings, beside the client's view: where the time to the first token
 * went, how fast the server says that it decoded. Null where no answer said anything.
 */
export function serverViewSection(reports: readonly Pick<VariantReport, "name" | "speed">[]): ReportSection | null {
  const serverViews = reports.filter(({ speed }) => speed.server !== undefined)
  if (serverViews.length === 0) return null
  const disagreements = serverViews.flatMap(({ name, speed }) =>
    serverDisagreements(speed, errorOf(speed)).map((sentence) => `${name}: ${sentence}.`),
  )
  return {
    kind: "table",
    topic: "server_view",
    title: "The server's own view",
    sentences: [
      ...serverViews.flatMap(spentSentence),
      "These are durations by the servers' own clocks, medians in milliseconds. The rest of the time to the first token is the network, HTTP and the tokenizer, and the queue where the server does not state one; it is unknown where chunks were held back, since what was decoded meanwhile is in it.",
      ...disagreements,
    ],
    data: toJson(tableData(serverViews, columns)),
    ...(disagreements[0] !== undefined && { caution: disagreements[0] }),
  }
}

/** A difference of two stamps may be off by the client's error twice; null: not measured. */
function errorOf({ clientErrorMs }: VariantReport["speed"]): number | null {
  return clientErrorMs === undefined ? null : 2 * clientErrorMs
}

/** Where the time to the first token went, by the medians. */
function spentSentence({ name, speed }: Pick<VariantReport, "name" | "speed">): readonly string[] {
  const [first, queue, prefill, decode] = [
    speed.ttftMs.p50,
    median(speed.server?.queueMs),
    median(speed.server?.prefillMs),
    median(speed.server?.decodeMs),
  ].map(figureValue)
  const parts = [
    ...(queue == null ? [] : [`${elapsed(queue)} waiting in its queue`]),
    ...(prefill == null ? [] : [`${elapsed(prefill)} reading the prompt`]),
    ...(decode == null ? [] : [`${elapsed(decode)} writing`]),
  ]
  if (parts.length === 0) return []
  const seen = first == null ? "" : `; the client saw the first token after ${elapsed(first)}`
  return [`${name}: the server says that an answer took ${listed(parts)}${seen} (medians).`]
}

const columns: readonly TableColumn<Pick<VariantReport, "name" | "speed">>[] = [
  ["variant", ({ name }) => name],
  ["timings of", ({ speed }) => speed.server?.source ?? ""],
  ["answers", ({ speed }) => speed.server?.answers ?? 0],
  ["queue", ({ speed }) => median(speed.server?.queueMs), "ms"],
  ["prefill", ({ speed }) => median(speed.server?.prefillMs), "ms"],
  ["decode", ({ speed }) => median(speed.server?.decodeMs), "ms"],
  ["first token, client", ({ speed }) => speed.ttftMs.p50, "ms"],
  ["network and other", ({ speed }) => restOfFirstTokens(speed, errorOf(speed)) ?? notStated, "ms"],
  ["draft acceptance rate", ({ speed }) => keptOf(speed), "share"],
]

function keptOf({ server }: VariantReport["speed"]): Figure {
  const { drafted, accepted } = server ?? {}
  return drafted === undefined || accepted === undefined
    ? unknown("the server guessed no tokens ahead, or does not say")
    : { status: "known", value: accepted / drafted, n: drafted, method: "accepted / draft tokens", by: "server" }
}

function median(distribution: Distribution | undefined): Figure {
  return distribution?.p50 ?? notStated
}

const notStated = unknown("the server does not state it")
