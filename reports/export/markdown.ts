import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import type { SectionOfKind, TableData } from "../../src/core/report/report-sections.ts"
import { dataName } from "../../src/words/data-name.ts"
import { capital } from "../../src/words/names.ts"
import { count, counted, significant } from "../../src/words/number.ts"
import { pNumber } from "../../src/words/p-value.ts"
import { levelText } from "../../src/words/percent.ts"
import { duration } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { contextTable } from "../view-model/context-curve.ts"
import { levelTable } from "../view-model/levels.ts"
import { quantizationTable } from "../view-model/quantization.ts"
import { otherSections, quantizations, slicings, sweptLevels } from "../view-model/sections.ts"
import { movedTable } from "../view-model/slices.ts"
import type { Table } from "../view-model/table.ts"
import { shownColumns, standings, type VariantColumn } from "../view-model/variant-columns.ts"
import { markOf, type VariantMark, variantCell } from "../view-model/variant-rows.ts"
import { answeredNotes } from "../wording/answered-notes.ts"
import { doubtsBesideVerdict, failedCheck } from "../wording/doubts.ts"
import { withoutClass } from "../wording/failure-reasons.ts"
import { planKept } from "../wording/frozen-plan.ts"
import { criticalLines, limitLines } from "../wording/limits.ts"
import { percentileNotes } from "../wording/percentile-notes.ts"
import { shiftLines } from "../wording/shifts.ts"
import { stagesText } from "../wording/stages.ts"
import { unchecked } from "../wording/unchecked.ts"
import { noAnswerWords, verdictWords } from "../wording/verdict-words.ts"
import { wholeFailure } from "../wording/whole-failure.ts"
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
    ...sweptLevels(report).map(({ title, sentences, data }) =>
      headed(title, [table(levelTable(data, report))], sentences),
    ),
    ...quantizations(report).map(({ title, sentences, data }) => headed(title, [quantizationLines(data)], sentences)),
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
    .map(
      ({ candidate, label, text }) => `**${capital(label)}**, ${markdownText(candidate)}: ${markdownText(text, 600)}`,
    )
  const shifts = shiftLines(report)
    .slice(0, variantLimit)
    .map(({ candidate, way, text }) => `**Also ${way}**, ${markdownText(candidate)}: ${markdownText(text, 600)}.`)
  const open = unchecked(report)
  return [
    title,
    ...cautions,
    ...critical,
    ...shifts,
    ...(evidence === "" ? [] : [markdownText(evidence, 900)]),
    ...[planKept(report)].filter((text) => text !== null),
    ...(open.length === 0 ? [] : [`**Not checked:** ${markdownText(open.join("; "), 1000)}.`]),
  ].join("\n\n")
}

function variantTable(report: RunReport): string {
  const columns = shownColumns(report)
  const marks = columns.map((column) => standings(column, report.variants))
  const shown = report.variants.slice(0, variantLimit)
  const rows = shown.map((variant, index) => [
    `${signs[markOf(report, variant)]} ${markdownText(variant.name)}`,
    ...columns.map((column, position) => cell(column, variant, marks[position]?.[index] === "best")),
  ])
  const header = ["variant", ...columns.map((column) => markdownText(column.title))]
  const hidden = report.variants.length - shown.length
  const more = hidden > 0 ? ` ${count(hidden)} more variants are in the report.` : ""
  const notes = [...answeredNotes(report), ...percentileNotes(shown, columns, { cellsSayWhy: true })]
  return [
    linesOf(header, rows),
    "",
    `\u25b2 baseline, \u25cf on the frontier, \u25cb dominated; best value bold; \u00b1 is half of the ${levelText(report.run.alpha)} interval, which stands in brackets where \u00b1 would reach beyond what can be.${more}${notes.map((note) => ` ${markdownText(note, 400)}.`).join("")}`,
  ].join("\n")
}

const signs: Readonly<Record<VariantMark, string>> = {
  baseline: "\u25b2",
  frontier: "\u25cf",
  dominated: "\u25cb",
  unplaced: "\u00b7",
}

function cell(column: VariantColumn, variant: VariantReport, best: boolean): string {
  const { text, figure } = variantCell(column, variant)
  if (figure?.status === "unknown") return `unknown (${markdownText(figure.reason, 80)})`
  const warning = column.primary && figure?.warning !== undefined ? ` (${figure.warning})` : ""
  const safe = markdownText(`${text}${warning}`, 300)
  return best && column.id !== "failed" ? `**${safe}**` : safe
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
    .map((comparison) => `- **${verdictWords[comparison.verdict]}**: ${markdownText(comparison.sentence, 2000)}`)
    .join("\n")
}

/** A line per limit that a variant breaks or may break. */
function limits(report: RunReport): string {
  return limitLines(report)
    .slice(0, variantLimit)
    .map(({ variant, text }) => `- limit, ${markdownText(variant)}: ${markdownText(text, 400)}`)
    .join("\n")
}

/** Which slices moved, and what broke: a row each, then what was tested. */
function slicing(section: SectionOfKind<"slices"> | SectionOfKind<"what_broke">): string {
  const data = section.kind === "slices" ? movedTable(section.data) : section.data
  const inWords = (text: string) => (section.kind === "slices" ? text : withoutClass(text))
  const curve = section.kind === "slices" ? contextTable(section.data) : null
  const parts = [
    ...(data ? [movedLines(data, inWords)] : []),
    ...(curve ? [`By the length of the context:\n\n${table(curve, variantLimit)}`] : []),
  ]
  return headed(section.title, parts, section.sentences.map(inWords))
}

/** All of it are texts; p-values stand as their column says. */
function movedLines({ columns, rows }: TableData, inWords: (text: string) => string): string {
  const text = (cell: TableData["rows"][number][number], index: number): string => {
    if (typeof cell === "number" && columns[index]?.unit === "p") return pNumber(cell)
    if (typeof cell === "number") return Number.isInteger(cell) ? count(cell) : significant(cell)
    return typeof cell === "string" ? markdownText(inWords(cell), 200) : ""
  }
  const header = columns.map(({ title }) => markdownText(title))
  return linesOf(
    header,
    rows.slice(0, 20).map((row) => row.map(text)),
    () => "---",
  )
}

/** A section: its title, its tables, then its sentences. */
function headed(title: string, parts: readonly string[], sentences: readonly string[]): string {
  const listed = sentences.map((sentence) => `- ${markdownText(sentence, 1000)}`).join("\n")
  return [`### ${markdownText(title, 120)}`, ...parts, listed].join("\n\n")
}

/** A table of the view model: names and texts on the left, figures on the right. */
function table({ columns, rows, keys = 1 }: Table, limit = Number.POSITIVE_INFINITY): string {
  return linesOf(
    columns.map(({ title }) => markdownText(title, 60)),
    rows.slice(0, limit).map((row) => row.map(({ text }) => markdownText(text, 80))),
    (index) => (columns[index]?.isText || (index === 0 && keys === 1) ? "---" : "---:"),
  )
}

/** A table of Markdown; its first column holds names, the others figures on the right, unless `align` says otherwise. */
export function linesOf(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  align = (index: number) => (index === 0 ? "---" : "---:"),
): string {
  const rule = header.map((_, index) => align(index))
  return [header, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")
}

function quantizationLines(data: SectionOfKind<"quantization">["data"]): string {
  const { columns, rows } = quantizationTable(data)
  return table({ columns: [{ title: "" }, ...columns.slice(1)], rows })
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
    ...report.checks.filter((check) => check.status === "failed" && !check.besideVerdict).map(failedCheck),
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
