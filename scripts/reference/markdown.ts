import type { Member } from "./declarations.ts"
import type { MetricFacts, ReferenceEntry } from "./entries.ts"

/** A page of the reference in Markdown, the same for the site and for `evalkit explain`. `level` is that of its heading. */
export function entryMarkdown(entry: ReferenceEntry, level = 1): string {
  const { name, text, examples, throws, facts, details, signature, options, parameters, returns } = entry
  const heading = "#".repeat(level)
  const parts = [`${heading} ${name}`, text || about(entry)]
  if (facts) parts.push(factsTable(facts, text))
  if (details) parts.push(details)
  if (examples.length > 0) parts.push(`${heading}# Example`, ...examples.map((code) => fenced("ts", code)))
  if (signature !== "") parts.push(`${heading}# In code`, importLine(entry), fenced("ts", signature))
  for (const parameter of parameters) parts.push(`- \`${parameter.replace(" ", "`: ")}`)
  if (returns) parts.push(`Returns ${returns}`)
  if (throws.length > 0) parts.push(throws.map((line) => `Throws ${line}`).join("\n\n"))
  if (options.length > 0)
    parts.push(`${heading}# ${signature.includes("(") ? "Options" : "Fields"}`, memberTable(options))
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`
}

/** Range, direction and unit, unless they are those of another metric or of a model; and a signature, which says what a figure depends on. */
function factsTable(facts: MetricFacts, text: string): string {
  const isAnothers = /Range(?:, | and )(?:direction)|Range: the model/.test(text)
  const table = [
    "| range | better | unit |",
    "| --- | --- | --- |",
    `| ${range(facts.range)} | ${facts.direction} | ${facts.unit || "none"} |`,
  ]
  const signature = `Signature of an example: \`${facts.signature}\``
  return (isAnothers ? [signature] : [...table, "", signature]).join("\n")
}

/** The first sentence of a page: what lists show. */
export function summaryOf(entry: ReferenceEntry): string {
  const [first = ""] = (entry.text || about(entry)).split("\n\n")
  return /^.*?[.:](?= [A-Z]|$)/.exec(first)?.[0] ?? first
}

function about({ kind, name }: ReferenceEntry): string {
  return kind === "report" ? `The field \`${name.slice("report.".length)}\` of a report, as \`--json\` prints it.` : ""
}

function importLine({ kind, entries, name }: ReferenceEntry): string {
  if (kind === "config") return "A field of a config:"
  if (kind === "report") return "A field of `RunReport`:"
  return `From ${entries.map((entry) => `\`${entry}\``).join(", ")}${name.includes(".") ? `, in the group \`${name.split(".")[0]}\`` : ""}:`
}

function memberTable(members: readonly Member[]): string {
  const rows = members.map(
    ({ name, optional, type, text }) =>
      `| \`${name}${optional ? "?" : ""}\` | \`${cell(type)}\` | ${cell(text).replaceAll("\n", " ")} |`,
  )
  return ["| name | type | |", "| --- | --- | --- |", ...rows].join("\n")
}

function range([low, high]: readonly [number | null, number | null]): string {
  const end = (value: number | null, open: string) =>
    value === null || !Number.isFinite(value) ? open : String(Number(value.toPrecision(3))).replace("-", "−")
  return `${end(low, "−∞")} to ${end(high, "∞")}`
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|")
}

function fenced(language: string, code: string): string {
  const fence = code.includes("```") ? "~~~~" : "```"
  return `${fence}${language}\n${code}\n${fence}`
}
