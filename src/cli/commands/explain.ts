import { loadReference, type ReferencePage } from "../../../reports/page/reference.ts"
import { columnWords } from "../../../reports/wording/column-words.ts"
import { findTerms, type Term, terms } from "../../../reports/wording/terms/all.ts"
import { nearest } from "../../core/did-you-mean.ts"
import { EvalkitError, ExitCode, UsageError } from "../../core/errors.ts"
import { readableName } from "../../words/metric.ts"
import { plainText } from "../../words/text.ts"
import { flag, json, text } from "../arguments/options.ts"
import { type Screen, screenTable } from "../arguments/screen-table.ts"
import type { Command, CommandIo } from "../command.ts"
import { calledAs } from "../run/shell-words.ts"

/** `evalkit explain`: the page of a metric, figure, verdict, field or function, without a network. */
export const command: Command = {
  positionals: { name: text("metric, figure, verdict, term of the field, config or report field; default: list them") },
  options: {
    json: json(),
    prompt: flag("the prompts that a metric or rubric sends, word for word", { default: false }),
  },
  examples: {
    "$0 explain faithfulness --prompt": "what the judge is sent, for an example",
    "$0 explain rouge": "what it measures, when it misleads, its options and a worked number",
    "$0 explain inconclusive": "what a verdict asks of you",
    "$0 explain longestStopMs": "a figure that a limit or a gate may name",
    "$0 explain config.margin": "a field of a config",
  },

  async run(args, io) {
    if (args.prompt) return explainPrompt(args, io)
    const pages = await loadReference()
    if (pages === null)
      throw new EvalkitError("the pages of the reference are not built", {
        code: "reference_not_built",
        hint: "run: npm run build",
      })
    if (args.name === undefined) {
      io.out(
        args.json
          ? `${JSON.stringify([...terms, ...pages.map(({ text: _, ...page }) => page)])}\n`
          : listText(pages, calledAs(io.environment)),
      )
      return ExitCode.ok
    }
    const matches = find(String(args.name), pages)
    io.out(
      args.json
        ? `${JSON.stringify(matches)}\n`
        : matches.map((page) => ("summary" in page ? pageText(page.text, io) : termText(page))).join("\n"),
    )
    return ExitCode.ok
  },
}

async function explainPrompt(
  args: { readonly name?: unknown; readonly json?: unknown },
  io: CommandIo,
): Promise<number> {
  const { askingNames, promptsOf, promptText } = await import("../explain-prompt.ts")
  const prompts = await promptsOf(String(args.name ?? "").replace(/\(\)$/, ""))
  if (prompts.length === 0)
    throw new UsageError(
      args.name === undefined
        ? "whose prompt?"
        : `"${plainText(String(args.name), 60)}" asks no model, or there is none of this name`,
      { where: "explain --prompt", hint: `these ask one: ${askingNames.join(", ")}` },
    )
  io.out(
    args.json
      ? `${JSON.stringify(prompts)}\n`
      : prompts.map(({ name, requests }) => `${name}\n\n${promptText(requests)}`).join("\n\n"),
  )
  return ExitCode.ok
}

/**
 * What a name means: its terms and column of figures, then pages of exactly that name, else of fields or members of groups that end
 * with it, then functions for programs and the command; else a field inside of a page's own: `longestStopMs`, `ttftAnyMs.p95`; else an option of functions, or a word
 * that options know: `effects`, `inOrder`.
 * A metric is found by its name as tables print it, too: `exact match`, `group accuracy gap`, `worst group accuracy`.
 */
function find(name: string, pages: readonly ReferencePage[]): readonly (Term | ReferencePage)[] {
  const query = name.replace(/\(\)$/, "")
  const meant = findTerms(query)
  const forms = [query, query.replace(/^worst | (?:gap|ratio)$/g, "")].map((form) => form.toLowerCase())
  const same = (title: string) => [title, readableName(title)].some((form) => forms.includes(form.toLowerCase()))
  const called = pages.filter(({ kind, name: own }) => kind === "command" && (same(own) || same(`evalkit ${own}`)))
  const programs = pages.filter(({ kind, name: own }) => kind === "program" && same(own))
  const exact = pages.filter(({ kind, name: own }) => kind !== "command" && kind !== "program" && same(own))
  const inner = pages.filter((page) => same(page.name.split(".").slice(1).join(".")))
  const column = columns.filter(({ id, text }) => same(id) && !meant.some((term) => term.text === text))
  const matches = [...meant, ...column, ...(exact.length > 0 ? exact : inner), ...programs, ...called]
  if (matches.length > 0) return matches
  const figure = query.replace(/\.(?:mean|p\d\d|max)$/, "")
  if (figure !== query) return find(figure, pages)
  const fields = pages.flatMap(fieldsOf)
  const inside = fields.filter((field) => field.name.toLowerCase().endsWith(`.${query.toLowerCase()}`))
  if (inside.length > 0) return inside
  const ofOptions = optionPages(query, pages)
  if (ofOptions.length > 0) return ofOptions
  const candidates = [
    ...terms.flatMap(({ id, also = [] }) => [id, ...also]),
    ...[...pages, ...fields].flatMap((page) => [page.name, page.name.split(".").at(-1) ?? ""]),
  ]
  const near = nearest(query, candidates)
  throw new UsageError(`there is no page about "${plainText(query, 60)}"`, {
    hint: near === undefined ? "list all with: evalkit explain" : `did you mean "${near}"?`,
  })
}

/** Columns of figures: what the tooltip of each says. */
const columns = Object.entries(columnWords).map(([id, text]): Term => ({ id, title: id, kind: "figure", text }))

/** Options of functions that are called so or know the word, those that mean the same on one page: `tool.effects, mcpTools.effects`. */
function optionPages(query: string, pages: readonly ReferencePage[]): readonly ReferencePage[] {
  const byText = new Map<string, { readonly names: string[]; readonly page: ReferencePage }>()
  for (const page of pages.filter(({ kind }) => kind !== "config" && kind !== "report"))
    for (const [name, type, summary] of tableRows(page.text)) {
      const isMeant = name.toLowerCase() === query.toLowerCase() || type.includes(`"${query}"`)
      if (!isMeant) continue
      const text = `${type.replaceAll("`", "")}\n\n${summary}`
      const entry = byText.get(text) ?? { names: [], page }
      entry.names.push(`${page.name}.${name}`)
      byText.set(text, entry)
    }
  return [...byText].map(([text, { names, page }]) => {
    const name = `${names.slice(0, maxOwners).join(", ")}${names.length > maxOwners ? " …" : ""}`
    return { name, kind: page.kind, summary: text, text: `# ${name}: ${text}` }
  })
}

/** Owners of an option that are named, at most. */
const maxOwners = 6

/** The rows of tables of fields: name, type, what it is. */
function tableRows(table: string): (readonly [name: string, type: string, summary: string])[] {
  return table.split("\n").flatMap((line) => {
    if (!/^\| `\w/.test(line)) return []
    const [name = "", type = "", summary = ""] = cells(line)
    return [[name.replaceAll(/[`?]/g, ""), type, summary] as const]
  })
}

/** The fields of a config or report that say what they are in the table of a page, each as a page: `report.variants.speed.longestStopMs`. */
function fieldsOf({ name: owner, kind, text: table }: ReferencePage): readonly ReferencePage[] {
  if (kind !== "report" && kind !== "config") return []
  return tableRows(table).flatMap(([name, type, summary]) => {
    const path = `${owner}.${name}`
    return summary === ""
      ? []
      : [{ name: path, kind, summary, text: `# ${path}: ${type.replaceAll("`", "")}\n\n${summary}` }]
  })
}

const titles: readonly (readonly [kind: (Term | ReferencePage)["kind"], title: string])[] = [
  ["verdict", "verdicts"],
  ["figure", "figures"],
  ["word", "words"],
  ["outcome", "how a request ended"],
  ["reason", "why an answer has no score"],
  ["metric", "metrics"],
  ["judge", "judges"],
  ["rubric", "rubrics"],
  ["provider", "providers"],
  ["config", "config fields"],
  ["report", "report fields"],
  ["name", "other functions"],
  ["program", "functions for programs, from evalkit/stats, /engine and other sub-paths"],
  ["command", "commands"],
]

function listText(pages: readonly ReferencePage[], evalkit: string): string {
  const rows = titles.map(([kind, title]) => {
    const names = [
      ...terms.filter((term) => term.kind === kind).map((term) => (kind === "reason" ? term.title : term.id)),
      ...pages.filter((page) => page.kind === kind).map(({ name }) => name),
    ]
    return `${title}:\n${wrapped(names)}\n`
  })
  return `${rows.join("\n")}\nA page: ${evalkit} explain NAME\n`
}

function wrapped(names: readonly string[]): string {
  const lines = [""]
  for (const name of names) {
    const line = lines.at(-1) ?? ""
    if (line.length + name.length > 94) lines.push(name)
    else lines[lines.length - 1] = line === "" ? name : `${line}, ${name}`
  }
  return lines.map((line, i) => `  ${line}${i < lines.length - 1 ? "," : ""}`).join("\n")
}

function termText({ title, kind, text, note }: Term): string {
  return `${[`${title} (${kind})`, text, ...(note ? [note] : [])].join("\n\n")}\n`
}

/** Markdown as a terminal reads it: tables as columns, code indented, headings without their marks. */
function pageText(markdown: string, io: Screen): string {
  const lines = markdown.split("\n")
  const out: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    if (/^(```|~~~)/.test(line)) {
      const end = lines.findIndex((other, i) => i > at && other === line.replace(/\w+$/, ""))
      for (const code of lines.slice(at + 1, end)) out.push(`    ${code}`)
      at = end
    } else if (line.startsWith("| ")) {
      const end = lines.findIndex((other, i) => i > at && !other.startsWith("|"))
      const [header = [], , ...rows] = lines.slice(at, end).map(cells)
      out.push(
        ...(["name", "verdict"].includes(header[0] ?? "")
          ? rows.flatMap(fieldLines)
          : screenTable(header, rows, io, [0, 1, 2, 3]).trimEnd().split("\n")),
      )
      at = end - 1
    } else out.push(line.replace(/^#+ /, ""))
  }
  return `${out.join("\n").trim()}\n`
}

/** An option or field: its name and type, and below what it is. */
function fieldLines([name = "", type = "", text = ""]: readonly string[]): string[] {
  return [`  ${name}: ${type}`.replaceAll("`", ""), ...(text === "" ? [] : [`      ${text}`])]
}

function cells(row: string): string[] {
  return row
    .replace(/^\| /, "")
    .replace(/ ?\|$/, "")
    .split(/(?<!\\) \| ?/)
    .map((cell) => cell.replaceAll("\\|", "|").trim())
}
