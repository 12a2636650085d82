import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { RunReport } from "../../src/core/report/report.ts"
import type { PageFacts } from "../page/payload.ts"

/** What every part of the page reads. */
export interface PageContext {
  readonly report: RunReport
  readonly facts: PageFacts
  /** Position of a variant, which decides its colour everywhere. */
  readonly positions: ReadonlyMap<string, number>
  /** Position of a variant's model, which decides its shape everywhere. */
  readonly shapes: ReadonlyMap<string, number>
}

const context = createContext<PageContext | null>(null)

/** Hands the report to all parts of the page. */
export const PageProvider = context.Provider

/** The report and what belongs to it. */
export function usePage(): PageContext {
  const page = useContext(context)
  if (!page) throw new Error("a part of the page was rendered outside of it")
  return page
}

/** The context of a report. */
export function pageContext(report: RunReport, facts: PageFacts): PageContext {
  const models = [...new Set(report.variants.map((variant) => variant.model))]
  return {
    report,
    facts,
    positions: new Map(report.variants.map((variant, position) => [variant.name, position])),
    shapes: new Map(report.variants.map((variant) => [variant.name, models.indexOf(variant.model)])),
  }
}

const colours = 8
const shapeCount = 4

/** Class that gives a variant its colour. */
export function colourClass(page: PageContext, variant: string): string {
  return `v${(page.positions.get(variant) ?? 0) % colours}`
}

/** Shape of a variant's mark: circle, square, triangle or diamond, by model. */
export function shapeOf(page: PageContext, variant: string): number {
  return (page.shapes.get(variant) ?? 0) % shapeCount
}
