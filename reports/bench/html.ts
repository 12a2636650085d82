import type { BenchResult } from "../../src/perf/bench/bench-result.ts"
import { loadPageAssets } from "../page/assets.ts"
import { pageGlossary } from "../page/glossary.ts"
import { contentSource, pageHead } from "../page/head.ts"
import { headline } from "./words/verdict.ts"

/**
 * A bench as one self-contained HTML file without scripts: the verdict, what it is based on, every figure. The same result gives
 * the same bytes. Throws an {@link EvalkitError} when the page was not built (`npm run build`).
 */
export async function benchHtml(result: BenchResult): Promise<string> {
  const { style: shared, benchStyle, renderBench } = await loadPageAssets()
  const style = `${shared}${benchStyle}`
  const head = pageHead({ title: headline(result), style, policy: [`style-src '${contentSource(style)}'`] })
  const glossary = pageGlossary({ tooltips: true })
  const page = renderBench(result, glossary.find)
  return `${head}<body>${page}\n${glossary.html()}</body>\n</html>\n`
}
