import type { RunReport } from "../../src/core/report/report.ts"
import { escaped } from "../../src/words/escape.ts"
import { metricTitle } from "../../src/words/metric.ts"
import { plainLines } from "../../src/words/text.ts"
import { variantColumns } from "../view-model/variant-columns.ts"
import { latencies } from "../wording/latencies.ts"
import { findTerm, type Term, terms } from "../wording/terms/all.ts"
import type { ReferencePage } from "./reference.ts"
import { type FindWord, wordKey } from "./words.ts"

/** The words of one page: it is drawn with `find`, and everything that was found is explained at its end. */
export interface Glossary {
  readonly find: FindWord
  /** Where each word that was found is explained, by {@link wordKey}. */
  anchors(): Readonly<Record<string, string>>
  /** The explanations of all words that were found, and of no others. */
  html(): string
}

/** A metric as its name stands on a page, and what is said of it. */
interface MetricWord {
  readonly name: string
  readonly title?: string
  readonly anchor: string
  readonly text: string
}

/** Words that the browser alone draws: what a reader may choose for an axis. */
const drawnLater = Object.values(latencies).map(({ name }) => name)

/**
 * The words of a report's page.
 *
 * @param reference pages made from doc comments; null where they were not built: metrics are then not explained
 */
export function reportGlossary(report: RunReport, reference: readonly ReferencePage[] | null): Glossary {
  const glossary = pageGlossary({
    metrics: report.metrics.map(({ name, title, signature }, i) => ({
      name,
      ...(title !== undefined && { title }),
      anchor: `word-metric-${i}`,
      text: aboutMetric(signature, reference),
    })),
  })
  for (const column of variantColumns(report)) for (const name of [column.id, column.title]) glossary.find(name)
  for (const name of drawnLater) glossary.find(name)
  return glossary
}

/** The words of any page. `tooltips`: every word brings its text, for pages without a script. */
export function pageGlossary(options: { metrics?: readonly MetricWord[]; tooltips?: boolean } = {}): Glossary {
  const { metrics = [], tooltips = false } = options
  const anchors = new Map<string, string>()
  const used = new Set<Term | MetricWord>()
  const find: FindWord = (name, place) => {
    const word = metricOf(metrics, name) ?? findTerm(name, place) ?? beforeComma(metrics, name)
    if (word === undefined) return undefined
    const anchor = "anchor" in word ? word.anchor : `word-${word.id}`
    used.add(word)
    anchors.set(wordKey(name, place), anchor)
    return { anchor, ...(tooltips && { text: plainLines(explanation(word)) }) }
  }
  return {
    find,
    anchors: () => Object.fromEntries(anchors),
    html() {
      const ofMetrics = metrics.filter((metric) => used.has(metric))
      const ofTerms = terms
        .filter((term) => used.has(term))
        .toSorted((a, b) => a.title.localeCompare(b.title, "en", { sensitivity: "base" }))
      const items = [
        ...ofMetrics.map((metricWord) => item(metricWord.anchor, metricWord.name, metricWord.text)),
        ...ofTerms.map((term) => item(`word-${term.id}`, term.title, explanation(term))),
      ]
      if (items.length === 0) return ""
      return [
        '<aside id="words" class="words" aria-labelledby="words-title">',
        '<details><summary><h2 id="words-title">Words, explained</h2></summary>',
        `<dl class="glossary">${items.join("")}</dl>`,
        "</details></aside>\n",
      ].join("\n")
    },
  }
}

/** The metric of this name, as it is written in a config or as people read it, shortened or not. */
function metricOf(metrics: readonly MetricWord[], name: string): MetricWord | undefined {
  return (
    metrics.find((metric) => metric.name === name) ??
    metrics.find((metricWord) => [24, 30, 40].some((limit) => metricTitle(metricWord, limit) === name))
  )
}

/** What `exact match, m-f16` is about: a figure of a variant, or of a part. */
function beforeComma(metrics: readonly MetricWord[], name: string): Term | MetricWord | undefined {
  const comma = name.lastIndexOf(", ")
  if (comma < 0) return undefined
  const figure = name.slice(0, comma)
  return metricOf(metrics, figure) ?? findTerm(figure)
}

function explanation(word: Term | MetricWord): string {
  return "note" in word && word.note !== undefined ? `${word.text} ${word.note}` : word.text
}

/** The first paragraphs of the page about the function that made a metric, found by the metric's signature. */
function aboutMetric(signature: string, reference: readonly ReferencePage[] | null): string {
  const factory = signature.split("|")[0] ?? ""
  const name = factory.startsWith("judge:") ? factory.slice("judge:".length) : factory
  const page = pageOfSignature(signature, name, reference ?? [])
  if (page === undefined)
    return `A metric of this run\u2019s config; evalkit has no page about it. Signature: ${signature}`
  const paragraphs = page.text.split("\n\n").slice(1)
  const end = paragraphs.findIndex((paragraph) => /^[|#`~]/.test(paragraph))
  return paragraphs
    .slice(0, end < 0 ? 2 : end)
    .join(" ")
    .replaceAll("`", "")
}

/**
 * A signature begins with the name of the function that made it; functions that compute alike (`perplexity` of given texts and of answers) share it,
 * and differ in the parts behind.
 */
function pageOfSignature(
  signature: string,
  name: string,
  reference: readonly ReferencePage[],
): ReferencePage | undefined {
  const parts = new Set(signature.split("|"))
  const likeness = (page: ReferencePage): number => {
    const example = /^Signature of an example: `([^`]+)`/m.exec(page.text)?.[1]?.split("|") ?? []
    if (page.name !== name && example[0] !== name) return -1
    return example.filter((part) => parts.has(part)).length + (page.name === name ? 0.5 : 0)
  }
  const [best] = reference
    .filter(({ kind }) => kind === "metric" || kind === "judge")
    .map((page) => ({ page, score: likeness(page) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score)
  return best?.page
}

function item(id: string, title: string, text: string): string {
  const shown = (foreign: string, limit: number) => escaped(plainLines(foreign).slice(0, limit))
  return `<div id="${id}"><dt><bdi>${shown(title, 80)}</bdi></dt><dd>${shown(text, 1200)}</dd></div>`
}
