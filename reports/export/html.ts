import { checkOptions } from "../../src/core/options.ts"
import { createRandom } from "../../src/core/random.ts"
import type { ReportInput, RunReport } from "../../src/core/report/report.ts"
import type { Audience } from "../../src/core/report/report-renderer.ts"
import { isCut, sampleText } from "../page/answer-text.ts"
import { loadPageAssets, type PageAssets } from "../page/assets.ts"
import { createPictureBlocks, encodeBlock, encodeJson, inlineJson } from "../page/block.ts"
import { reportGlossary } from "../page/glossary.ts"
import { contentSource, pageHead } from "../page/head.ts"
import { createIndexBuilder } from "../page/index-builder.ts"
import { limitRules, type PageLimits, pageLimits } from "../page/limits.ts"
import { blockIds, chunkClass, type PageFacts, type SampleText } from "../page/payload.ts"
import { loadReference } from "../page/reference.ts"
import { wholeText } from "../page/whole-text.ts"
import { firstWord } from "../wording/whole-failure.ts"
import type { Write } from "./write.ts"

/** How a page is made. @experimental */
export interface HtmlOptions {
  /** Overrides the stated limits; for tests. */
  readonly limits?: Partial<PageLimits>
  /** `boss`: the answer and what belongs to it alone, without samples; `engineer`: with all details open. */
  readonly audience?: Audience
  /** false leaves prompts and answers out of the file. */
  readonly samples?: boolean
  /** Where the whole texts of samples go that the page cuts. */
  readonly fullTexts?: FullTexts
}

/** A folder beside the page: one text file per sample of which the page holds only a part. @public */
export interface FullTexts {
  /** The folder's address as the page links to it, relative. */
  readonly folder: string
  write(name: string, text: string): Promise<void>
}

/** Characters of texts per compressed chunk. */
const chunkSize = 400_000

/**
 * The report as one self-contained HTML file: no outside address, a content-security policy of hashes, the content in
 * the first paint. Streams: holds one chunk of texts and the numbers of the answers. The same run gives the same bytes.
 * Throws an {@link EvalkitError} when the page was not built (`npm run build`).
 * @experimental
 */
export async function renderHtml(input: ReportInput, write: Write, options: HtmlOptions = {}): Promise<void> {
  checkOptions("renderHtml", options)
  const { report } = input
  const assets = await loadPageAssets()
  const answers = report.variants.reduce((sum, variant) => sum + variant.finished, 0)
  const limits = { ...pageLimits(answers), ...options.limits }
  const { audience, samples = audience !== "boss" } = options
  const kept = samples ? keptSamples(report, answers, limits) : new Set<number>()
  const embeddedSamples = kept?.size ?? report.dataset.samples
  const glossary = reportGlossary(report, await loadReference())
  const pageFacts: PageFacts = {
    samples: report.dataset.samples,
    embeddedSamples,
    answers,
    ...(audience && { audience }),
    embeddedAnswers: kept ? Math.round((answers * embeddedSamples) / Math.max(1, report.dataset.samples)) : answers,
    rules: limitRules(limits, answers, options.fullTexts?.folder),
  }
  const page = assets.renderPage(report, pageFacts, glossary.find)
  const facts: PageFacts = { ...pageFacts, anchors: glossary.anchors() }
  await write(head(report, assets))
  await write(`<body>\n<div id="page">${page}</div>\n${glossary.html()}`)
  await writeRows(input, write, limits, kept, options.fullTexts)
  await write(dataBlock(blockIds.report, "text/plain", await encodeBlock(report)))
  await write(dataBlock(blockIds.facts, "application/json", inlineJson(facts)))
  await write(`<script type="module">${assets.script}</script>\n</body>\n</html>\n`)
}

/** Positions of the samples that the file holds; null when it holds all. */
function keptSamples(report: RunReport, answers: number, limits: PageLimits): ReadonlySet<number> | null {
  const { samples } = report.dataset
  if (answers <= limits.answers || samples === 0) return null
  const max = Math.max(1, Math.floor((samples * limits.answers) / answers))
  const random = createRandom(`${report.run.seed}/report/samples`)
  const chosen = new Set<number>()
  while (chosen.size < max) chosen.add(random.integer(samples))
  return chosen
}

async function writeRows(
  input: ReportInput,
  write: Write,
  limits: PageLimits,
  kept: ReadonlySet<number> | null,
  fullTexts: FullTexts | undefined,
): Promise<void> {
  const index = createIndexBuilder(input.report)
  const pictures = createPictureBlocks((sha256) => input.media?.(sha256) ?? null)
  let chunk: string[] = []
  let size = 0
  const flush = async () => {
    if (chunk.length > 0)
      await write(
        `<script type="text/plain" class="${chunkClass}">${await encodeJson(`[${chunk.join(",")}]`)}</script>\n`,
      )
    chunk = []
    size = 0
  }
  const positions = kept && [...kept].sort((a, b) => a - b)
  let next = 0
  for await (const sample of input.samples(kept ? (position) => kept.has(position) : undefined)) {
    const position = positions ? (positions[next] ?? next) : next
    next++
    if (chunk.length === 0) index.startChunk()
    index.add(sample)
    const name = `${String(position).padStart(6, "0")}.txt`
    const isShortened = isCut(sample, limits)
    const isOutside = fullTexts !== undefined && isShortened
    if (isOutside) await fullTexts.write(name, wholeText(sample))
    const text: SampleText = {
      ...sampleText(sample, index.positions, limits, pictures.show),
      ...(isShortened && { isCut: true }),
      ...(isOutside && { whole: `${fullTexts.folder}/${name}` }),
    }
    for (const block of pictures.blocks()) await write(block)
    const written = JSON.stringify(text)
    chunk.push(written)
    size += written.length
    if (size >= chunkSize) await flush()
  }
  await flush()
  await write(dataBlock(blockIds.index, "text/plain", await encodeBlock(index.build())))
}

function head(report: RunReport, { script, style }: PageAssets): string {
  const word = firstWord(report)
  const verdict = word === null ? "" : ` \u00b7 ${word}`
  const policy = [`script-src '${contentSource(script)}'`, `style-src '${contentSource(style)}'`, "connect-src 'none'"]
  return pageHead({ title: `${report.run.name}${verdict} \u00b7 evalkit`, style, policy })
}

function dataBlock(id: string, type: string, text: string): string {
  return `<script type="${type}" id="${id}">${text}</script>\n`
}
