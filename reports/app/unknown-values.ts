import type { RunReport } from "../../src/core/report/report.ts"
import { axisColumns } from "../view-model/frontier.ts"
import { variantColumns } from "../view-model/variant-columns.ts"
import { latencies } from "../wording/latencies.ts"
import { inAddress, themes } from "./address.ts"
import { readPart } from "./charts/zoom-part.ts"
import { chipsOf, orders } from "./samples/filter.ts"
import { namesIn } from "./samples/listed.ts"
import type { RowStore } from "./samples/rows.ts"

/** Something that an address asks for and the report does not have. */
export interface UnknownValue {
  /** Under which the address holds it. */
  readonly key: string
  /** What it would be: `variant`. */
  readonly what: string
  readonly value: string
}

/**
 * What an address asks for and the report does not have, in its order. `store`: the samples of the file; null while they are not read, when
 * nothing is said of what only they know. Keys that mean nothing to the page are none of it: others may have put them there.
 */
export function unknownValues(params: URLSearchParams, report: RunReport, store: RowStore | null): UnknownValue[] {
  const values = { ...ofReport(report), ...(store && ofSamples(report, store)) }
  return [...params].flatMap(([key, value]) => {
    const asked = Object.hasOwn(values, key) ? values[key] : undefined
    return asked === undefined || value === "" || asked.has(value) ? [] : [{ key, what: asked.what, value }]
  })
}

interface Known {
  readonly what: string
  has(value: string): boolean
}

function ofReport(report: RunReport): Record<string, Known> {
  const variant = among("variant", report.variants, ({ name }) => name)
  const axis = among("figure", axisColumns(report), ({ id }) => id)
  const sorted = variantColumns(report).flatMap(({ id }) => [`${id}:up`, `${id}:down`])
  const variants = ["candidate", "baseline", "left", "right", "of", "versus", "by"]
  const limits = ["xLimit", "yLimit", "from", "to", "minTokens", "maxTokens"]
  return {
    ...Object.fromEntries(variants.map((key) => [key, variant])),
    ...Object.fromEntries(limits.map((key) => [key, number("limit")])),
    listed: { what: variant.what, has: (value) => namesIn(value).every((name) => variant.has(name)) },
    requests: number("number of requests"),
    x: axis,
    y: axis,
    sort: among("order of variants", sorted),
    frontier: among("drawing", ["map", "bars"]),
    zoom: { what: "part of the picture", has: (value) => readPart(value) !== null },
    cascades: among("choice", ["yes"]),
    latency: among("latency", Object.keys(latencies)),
    theme: among("theme", themes),
    view: among("view", ["all"]),
    order: among("order", orders, ({ value }) => value),
    metric: among("metric", report.metrics, ({ name }) => name),
  }
}

function ofSamples(report: RunReport, store: RowStore): Record<string, Known> {
  const { sampleIds, groups, outcomes } = store.index
  return {
    sample: among("sample", sampleIds),
    group: among("group", groups),
    ended: among("way to end", outcomes),
    chip: among("filter", chipsOf(report, store), ({ id }) => id),
  }
}

function number(what: string): Known {
  return { what, has: (value) => value.trim() !== "" && Number.isFinite(Number(value)) }
}

function among(what: string, values: readonly string[]): Known
function among<Item>(what: string, items: readonly Item[], read: (item: Item) => string): Known
function among<Item>(what: string, items: readonly Item[], read = (item: Item) => String(item)): Known {
  return { what, has: (value) => items.some((item) => inAddress(read(item)) === value) }
}
