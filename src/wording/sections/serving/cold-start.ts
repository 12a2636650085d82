import { type Figure, figureValue, type KnownFigure, unknown } from "../../../core/report/figure.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import { tableData } from "../../../core/report/table-data.ts"
import { toJson } from "../../../core/report/to-json.ts"
import { elapsed } from "../../../words/quantity.ts"
import type { ServedVariant } from "./served-variant.ts"

/** How long each variant's model took from nothing to its first token. Null where no server was started for any. */
export function coldStartSection(variants: readonly ServedVariant[]): ReportSection | null {
  if (variants.every(({ resources }) => resources?.loadMs == null)) return null
  const rows = variants.map((variant) => ({ variant, parts: partsOf(variant) }))
  return {
    kind: "table",
    topic: "cold_start",
    title: "Cold start: load and first token",
    sentences: [
      ...rows.flatMap(({ variant, parts }) => sentenceOf(variant, parts)),
      "Load is from the start of the server's process until it is ready; a download that the server makes is inside it, and stated apart where its log says how long it took. The first token is that of the first request that a server had; services that run elsewhere are met warm or cold, as they are: of them it is the first request of the run, with its new connection.",
    ],
    data: toJson(
      tableData(rows, [
        ["variant", ({ variant }) => variant.report.name],
        ["download", ({ parts }) => parts.download, "ms"],
        ["load", ({ parts }) => parts.load, "ms"],
        ["first token, cold", ({ parts }) => parts.coldToken, "ms"],
        ["first token, warm", ({ parts }) => parts.warmToken, "ms"],
      ]),
    ),
  }
}

interface Parts {
  readonly download: Figure
  readonly load: Figure
  readonly coldToken: Figure
  readonly warmToken: Figure
}

const elsewhere = "the service runs elsewhere: when it loads a model cannot be seen"

function partsOf({ report, resources, serving }: ServedVariant): Parts {
  const warmToken = report.speed.ttftMs.p50
  if (resources?.loadMs == null) {
    const { firstRequestMs } = serving
    return {
      download: unknown(elsewhere),
      load: unknown(elsewhere),
      coldToken:
        firstRequestMs === null
          ? unknown("no first request was timed")
          : once(firstRequestMs, "first request of the run, over a new connection"),
      warmToken,
    }
  }
  const { downloadMs, firstTokenMs, loadMs } = resources
  return {
    download:
      downloadMs == null
        ? unknown("the server's log states no download: the files were there, or it is inside the load")
        : once(downloadMs, "as the server's log states it, inside the load"),
    load: once(loadMs, "start of the server until it was ready"),
    coldToken:
      firstTokenMs == null
        ? unknown("the server had no first request by itself that was timed")
        : once(firstTokenMs, "the server's first request, which asks for four tokens"),
    warmToken,
  }
}

function once(value: number, method: string): KnownFigure {
  return { status: "known", value, n: 1, method }
}

function sentenceOf({ report }: ServedVariant, { load, coldToken, warmToken }: Parts): readonly string[] {
  const [loadMs, cold, warm] = [load, coldToken, warmToken].map((figure) => figureValue(figure))
  if (loadMs == null || cold == null) return []
  const then = warm == null ? "" : `, later ones after ${elapsed(warm)} (median)`
  return [
    `${report.name} was ready ${elapsed(loadMs)} after its start; its first token came ${elapsed(cold)} after the first request${then}.`,
  ]
}
