import { createHash } from "node:crypto"
import type { BenchResult } from "../../src/perf/bench/bench-result.ts"
import { escaped } from "../format/escape.ts"
import { plainText } from "../format/text.ts"
import { loadPageAssets } from "../page/assets.ts"
import { benchStyle } from "./style.ts"
import { verdictSentences } from "./words/verdict.ts"

/**
 * A bench as one self-contained HTML file without scripts: the verdict, what it is based on, every figure. The same result gives
 * the same bytes. Throws an {@link EvalkitError} when the page was not built (`npm run build`).
 */
export async function benchHtml(result: BenchResult): Promise<string> {
  const { style: shared, renderBench } = await loadPageAssets()
  const style = `${shared}${benchStyle}`
  const hash = createHash("sha256").update(style).digest("base64")
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
  const [verdict = "Nothing was measured."] = verdictSentences(result)
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    `<title>${escaped(plainText(verdict, 200))}</title>`,
    `<style>${style}</style>`,
    "</head>",
    `<body>${renderBench(result)}</body>`,
    "</html>\n",
  ].join("\n")
}
