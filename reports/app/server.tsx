import { render } from "preact-render-to-string"
import type { RunReport } from "../../src/core/report/report.ts"
import type { BenchResult } from "../../src/perf/bench/bench-result.ts"
import type { PageFacts } from "../page/payload.ts"
import type { FindWord } from "../page/words.ts"
import { BenchPage } from "./bench/page.tsx"
import { Page } from "./page.tsx"

/** The whole page as HTML, as the browser would draw it before anybody touches it. */
export function renderPage(report: RunReport, facts: PageFacts, words: FindWord): string {
  return render(<Page report={report} facts={facts} words={words} />)
}

/** The page of a load test as HTML; it has no script. */
export function renderBench(result: BenchResult, words: FindWord): string {
  return render(<BenchPage result={result} words={words} />)
}
