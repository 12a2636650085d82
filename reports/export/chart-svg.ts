import { UsageError } from "../../src/core/errors.ts"
import { importOptional } from "../../src/core/optional-package.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { loadPageAssets } from "../page/assets.ts"
import { limitRules, pageLimits } from "../page/limits.ts"

/** Charts of the page that stand alone, by the name that the page gives them; `calibration` is the baseline's. */
export const chartNames = [
  "frontier",
  "forest",
  "density",
  "ecdf",
  "time-to-tokens",
  "over-time",
  "failures-over-time",
  "monthly",
  "calibration",
  "load",
  "context-window",
] as const

/** One of {@link chartNames}. @public */
export type ChartName = (typeof chartNames)[number]

/**
 * A chart of the page as a standalone SVG, in the light theme, with its colours inside: rendered in Node, no browser.
 * The same run gives the same bytes. Throws a {@link UsageError} when the run has no such chart.
 */
export async function renderChartSvg(report: RunReport, name: ChartName): Promise<string> {
  const { renderPage, style } = await loadPageAssets()
  const answers = report.variants.reduce((sum, variant) => sum + variant.finished, 0)
  const samples = report.dataset.samples
  const rules = limitRules(pageLimits(answers), answers)
  const facts = { samples, embeddedSamples: samples, answers, embeddedAnswers: answers, rules }
  const page = renderPage(report, facts, () => undefined)
  const startOf = (chart: ChartName) => page.search(new RegExp(`data-chart="${chart}(?:"|-)`))
  const start = startOf(name)
  const open = page.indexOf("<svg", start)
  if (start < 0 || open < 0)
    throw new UsageError("the run has no such chart", {
      where: name,
      hint: `it has: ${chartNames.filter((chart) => startOf(chart) >= 0).join(", ")}`,
    })
  const svg = page.slice(open, page.indexOf("</svg>", open) + "</svg>".length)
  const [tag = ""] = /^<svg(?:[^">]|"[^"]*")*>/.exec(svg) ?? []
  const head = tag.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')
  const ground = `<style>${chartStyle(style, svg)}</style><rect width="100%" height="100%" fill="#fff"/>`
  return `${head}${ground}${svg.slice(tag.length)}\n`.replace(forbidden, "\ufffd")
}

/**
 * A chart as PNG, two pixels per point unless told otherwise. Throws a {@link MissingPackageError} without
 * `@resvg/resvg-js`, which is not installed with evalkit.
 */
export async function renderChartPng(report: RunReport, name: ChartName, scale = 2): Promise<Uint8Array> {
  const svg = await renderChartSvg(report, name)
  const { Resvg } = await importOptional<typeof import("@resvg/resvg-js")>("@resvg/resvg-js", "a chart as PNG")
  const font = { loadSystemFonts: true, defaultFontFamily: "DejaVu Sans" }
  return new Resvg(svg, { fitTo: { mode: "zoom", value: scale }, font }).render().asPng()
}

/** The page's rules for the classes of a chart, outside media queries, with the light theme's values in place of variables. */
function chartStyle(style: string, svg: string): string {
  const classes = new Set([
    "chart",
    ...[...svg.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(" ")),
  ])
  const values = new Map(
    [...(/:root\{([^}]*)\}/.exec(style)?.[1] ?? "").matchAll(/(--[\w-]+):([^;]+)/g)].map(([, name, value = ""]) => [
      name,
      value.replace(/light-dark\(([^,]+),[^)]*\)/, "$1").trim(),
    ]),
  )
  const flat = style.replace(/@[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "")
  return [...flat.matchAll(/([^{}]+)\{([^{}]*)\}/g)]
    .flatMap(([, selectors = "", rules = ""]) => {
      const own = selectors.split(",").filter((selector) => isOf(classes, selector))
      const plain = rules.replace(/var\((--[\w-]+)\)/g, (_, name: string) => values.get(name) ?? "none")
      return own.length === 0 ? [] : [`${own.join(",").replaceAll(".chart ", "").trim()}{${plain}}`]
    })
    .join("")
    .concat(".limit{display:none}")
}

/** What XML 1.0 does not allow. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Whether a selector is of these classes alone, and of no state. */
function isOf(classes: ReadonlySet<string>, selector: string): boolean {
  const names = [...selector.matchAll(/\.([\w-]+)/g)].map(([, name = ""]) => name)
  return names.length > 0 && names.every((name) => classes.has(name)) && !selector.includes(":")
}
