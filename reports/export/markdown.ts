import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import type { SectionOfKind, TableData } from "../../src/core/report/report-sections.ts"
import { dataName } from "../../src/words/data-name.ts"
import { aboutMark, figureCell } from "../../src/words/figure.ts"
import { count, counted, significant } from "../../src/words/number.ts"
import { pNumber } from "../../src/words/p-value.ts"
import { levelText } from "../../src/words/percent.ts"
import { duration, quantityPair } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { answeredNotes } from "../wording/answered-notes.ts"
import { contextTable } from "../wording/context-curve.ts"
import { doubtsBesideVerdict } from "../wording/doubts.ts"
import { withoutClass } from "../wording/failure-reasons.ts"
import { criticalLines, limitLines } from "../wording/limits.ts"
import { percentileNotes } from "../wording/percentile-notes.ts"
import { otherSections, quantizations, slicings, sweptLevels } from "../wording/placed-sections.ts"
import { movedTable } from "../wording/slice-tables.ts"
import { stagesText } from "../wording/stages.ts"
import { levelColumns, levelStanding, standingTitle } from "../wording/swept-levels.ts"
import { noAnswerWords, verdictWords } from "../wording/verdict-words.ts"
import { wholeFailure } from "../wording/whole-failure.ts"
import { failedCount, shownColumns, standings, type VariantColumn } from "./columns.ts"
import { mermaidFrontier } from "./mermaid.ts"

const variantLimit = 50

/**
 * The report for a pull request: the verdict, one row per variant, the frontier as a Mermaid chart, what failed. GitHub's
 * Markdown; foreign texts are escaped, so that they cannot format, mention or link anything.
 * @experimental
 */
export function renderMarkdown(report: RunReport): string {
  const parts = [
    answer(report),
    variantTable(report),
    stages(report),
    comparisons(report),
    limits(report),
    mermaidFrontier(report),
    ...slicings(report).map(slicing),
    ...sweptLevels(report).map((section) => levels(section, report)),
    ...quantizations(report).map(quantization),
    trust(report),
    failures(report),
    footer(report),
  ]
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`
}

/**
 * A foreign text on one line without any meaning in Markdown or HTML. An empty comment behind @ and # keeps GitHub from
 * making mentions and references of them; it does so after it has read the Markdown, so that an escape would not help.
 *
 * @example markdownText("<b>@all*") // "&lt;b&gt;@<!-- -->all\\*"
 */
export function markdownText(text: string, limit = 300): string {
  return plainText(text, limit)
    .replace(/[\\`*_[\]|~$]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[@#]|:(?=\/\/)|\bwww(?=\.)|\bGH(?=-)/gi, "$&<!-- -->")
}

function answer(report: RunReport): string {
  const { decision } = report
  const failure = wholeFailure(report)
  if (failure) {
    const title = `## ${noAnswerWords}: ${markdownText(failure.title, 400)}`
    return [title, failure.reasons.map((reason) => `- ${markdownText(reason, 600)}`).join("\n")].join("\n\n").trim()
  }
  if (!decision) return `## ${markdownText(report.run.name)}`
  const { verdict, sentence, answer = sentence, evidence = "" } = decision
  const title = `## ${verdictWords[verdict]}: ${markdownText(answer, 400)}`
  const cautions = doubtsBesideVerdict(report).map((text) => `**Mind:** ${markdownText(text, 600)}`)
  const critical = criticalLines(report)
    .slice(0, variantLimit)
    .map(({ candidate, text }) => `**Critical samples**, ${markdownText(candidate)}: ${markdownText(text, 600)}`)
  return [title, ...cautions, ...critical, ...(evidence === "" ? [] : [markdownText(evidence, 900)])].join("\n\n")
}

function variantTable(report: RunReport): string {
  const columns = shownColumns(report)
  const marks = columns.map((column) => standings(column, report.variants))
  const shown = report.variants.slice(0, variantLimit)
  const rows = shown.map((variant, index) => [
    `${mark(report, variant)} ${markdownText(variant.name)}`,
    ...columns.map((column, place) => cell(column, variant, marks[place]?.[index] === "best")),
  ])
  const header = ["variant", ...columns.map((column) => markdownText(column.title))]
  const hidden = report.variants.length - shown.length
  return [
    table(header, rows),
    "",
    `\u25b2 baseline, \u25cf on the frontier, \u25cb dominated; best value bold; \u00b1 is half of the ${levelText(report.run.alpha)} interval, which stands in brackets where \u00b1 would reach beyond what can be.${hidden > 0 ? ` ${count(hidden)} more variants are in the report.` : ""}${[
      ...answeredNotes(report),
      ...percentileNotes(shown, columns, { cellsSayWhy: true }),
    ]
      .map((note) => ` ${markdownText(note, 400)}.`)
      .join("")}`,
  ].join("\n")
}

function cell(column: VariantColumn, variant: VariantReport, best: boolean): string {
  const figure = column.figure(variant)
  if (figure.status === "unknown") return `unknown (${markdownText(figure.reason, 80)})`
  if (column.id === "failed") return count(failedCount(variant))
  const second = column.second?.(variant)
  const text = second
    ? aboutMark(figure) + quantityPair(figure.value, second.status === "known" ? second.value : null, column.unit)
    : figureCell(figure, column.unit)
  const warning = column.primary && figure.warning !== undefined ? ` (${figure.warning})` : ""
  const safe = markdownText(`${text}${warning}`, 300)
  return best ? `**${safe}**` : safe
}

function mark(report: RunReport, variant: VariantReport): string {
  if (variant.baseline) return "\u25b2"
  const point = report.frontier?.points.find((one) => one.variant === variant.name)
  return point ? (point.onFrontier ? "\u25cf" : "\u25cb") : "\u00b7"
}

function stages({ variants }: RunReport): string {
  return variants
    .slice(0, variantLimit)
    .flatMap((variant) => {
      const text = stagesText(variant)
      return text === null ? [] : [`Stages of ${markdownText(variant.name)}: ${markdownText(text)}.`]
    })
    .join("\n")
}

function comparisons(report: RunReport): string {
  return report.comparisons
    .slice(0, variantLimit)
    .map((one) => `- **${verdictWords[one.verdict]}**: ${markdownText(one.sentence, 2000)}`)
    .join("\n")
}

/** A line per limit that a variant breaks or may break. */
function limits(report: RunReport): string {
  return limitLines(report)
    .slice(0, variantLimit)
    .map(({ variant, text }) => `- limit, ${markdownText(variant)}: ${markdownText(text, 400)}`)
    .join("\n")
}

/** A row per level of a sweep, then its knee in words. */
function levels({ title, sentences, data }: SectionOfKind<"levels">, report: RunReport): string {
  const columns = levelColumns(data, report)
  const header = [
    markdownText(data.axis, 40),
    ...columns.map((column) => markdownText(column.title)),
    ...(data.knee ? [standingTitle] : []),
  ]
  const rows = data.levels.map((level) => [
    markdownText(level.level, 60),
    ...columns.map((column) => markdownText(figureCell(column.figure(level), column.unit), 80)),
    ...(data.knee ? [levelStanding(data, level)] : []),
  ])
  return headed(title, [table(header, rows)], sentences)
}

/** Which slices moved, and what broke: a row each, then what was tested. */
function slicing(section: SectionOfKind<"slices"> | SectionOfKind<"what_broke">): string {
  const data = section.kind === "slices" ? movedTable(section.data) : section.data
  const inWords = (text: string) => (section.kind === "slices" ? text : withoutClass(text))
  const text = (cell: TableData["rows"][number][number], place: number): string => {
    if (typeof cell === "number" && data?.columns[place]?.unit === "p") return pNumber(cell)
    if (typeof cell === "number") return Number.isInteger(cell) ? count(cell) : significant(cell)
    return typeof cell === "string" ? markdownText(inWords(cell), 200) : ""
  }
  const header = data?.columns.map(({ title }) => markdownText(title)) ?? []
  const rows = data?.rows.slice(0, 20).map((row) => row.map(text)) ?? []
  const parts = [
    ...(data ? [table(header, rows, () => "---")] : []),
    ...(section.kind === "slices" ? contextCurve(section.data) : []),
  ]
  return headed(section.title, parts, section.sentences.map(inWords))
}

/** A section: its title, its tables, then its sentences. */
function headed(title: string, parts: readonly string[], sentences: readonly string[]): string {
  const listed = sentences.map((sentence) => `- ${markdownText(sentence, 1000)}`).join("\n")
  return [`### ${markdownText(title, 120)}`, ...parts, listed].join("\n\n")
}

/** A table; its first column holds names, the others figures on the right, unless `align` says otherwise. */
function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  align = (index: number) => (index === 0 ? "---" : "---:"),
): string {
  const rule = header.map((_, index) => align(index))
  return [header, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")
}

/** The context-length curve in figures, a row a length and variant. */
function contextCurve(data: SectionOfKind<"slices">["data"]): readonly string[] {
  const curve = contextTable(data)
  if (!curve) return []
  const rows = curve.rows.slice(0, variantLimit).map((row) => row.map((cell) => markdownText(cell, 80)))
  const header = curve.header.map((title) => markdownText(title))
  return [`By the length of the context:\n\n${table(header, rows, (index) => (index === 1 ? "---" : "---:"))}`]
}

/** A row per measure, a column per quantization; then what the figures say in words. */
function quantization({ title, sentences, data }: SectionOfKind<"quantization">): string {
  const header = ["", ...data.variants.map(({ variant }) => markdownText(variant))]
  const rows = data.measures.map(({ title: measure }, place) => [
    markdownText(measure),
    ...data.variants.map(({ figures }) => markdownText(figures[place]?.text ?? "unknown", 80)),
  ])
  return headed(title, [table(header, rows)], sentences)
}

/** What each part on trust says first; its figures are in the page. */
function trust(report: RunReport): string {
  const lines = otherSections(report).flatMap(({ title, sentences: [first] }) =>
    first === undefined ? [] : [`- ${markdownText(title, 80)}: ${markdownText(first, 400)}`],
  )
  return lines.length === 0 ? "" : `### Diagnostics\n\n${lines.join("\n")}`
}

function failures(report: RunReport): string {
  const lines = [
    ...report.gate
      .filter((rule) => rule.status !== "passed")
      .map((rule) => `gate ${rule.status}: ${rule.variant}: ${rule.rule}: ${rule.message}`),
    ...report.checks
      .filter((check) => check.status === "failed" && !check.besideVerdict)
      .map((check) => `check failed: ${check.name}: ${check.message}`),
    ...report.variants.flatMap((variant) =>
      variant.failure === null ? [] : [`${variant.name} failed: ${variant.failure}`],
    ),
  ]
  if (lines.length === 0) return ""
  return `### What failed\n\n${lines.map((line) => `- ${markdownText(line, 400)}`).join("\n")}`
}

function footer({ run, dataset, variants }: RunReport): string {
  const answers = variants.reduce((sum, variant) => sum + variant.finished, 0)
  const facts = [
    `run ${markdownText(run.id)}`,
    `${markdownText(dataName(dataset))} (${counted(dataset.samples, "sample")})`,
    counted(answers, "answer"),
    duration(run.durationMs),
    `seed ${run.seed}`,
  ]
  return `<sub>${facts.join(" \u00b7 ")}</sub>`
}
