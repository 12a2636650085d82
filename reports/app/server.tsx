import { render } from "preact-render-to-string"
import type { RunReport } from "../../src/core/report/report.ts"
import type { PageFacts } from "../page/payload.ts"
import { Page } from "./page.tsx"

/** The whole page as HTML, as the browser would draw it before anybody touches it. */
export function renderPage(report: RunReport, facts: PageFacts): string {
  return render(<Page report={report} facts={facts} />)
}
