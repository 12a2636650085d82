import type { JsonObject, JsonValue } from "../core/json.ts"
import { isObject } from "../core/json-members.ts"
import type { RunReport } from "../core/report/report.ts"
import type { ReportSection, SectionKind, SectionOfKind, TableData } from "../core/report/report-sections.ts"

/** What the data of each kind is: a plain table, anything, or an object with a list under this name. */
const forms = {
  calibration: "variants",
  citations: "table",
  confusion: "variants",
  judge_card: "judges",
  robustness: "rows",
  fairness: "variants",
  load: "variants",
  context_window: "variants",
  quantization: "variants",
  levels: "levels",
  divergence: "table",
  hallucination: "table",
  bias: "table",
  early_stopping: "table",
  perplexity: "table",
  safety: "table",
  slices: "axes",
  tokens: "table",
  unread_answers: "table",
  what_broke: "table",
  win_rate: "table",
  table: "table",
  json: "json",
} satisfies Record<SectionKind, string>

/** Reads a report as it is stored, also as older versions and other people's archives hold it. */
export function decodeReport(text: string): RunReport {
  return withKnownSections(JSON.parse(text) as RunReport, () => true)
}

/**
 * The report with sections whose data is what their kind says; others are of the kinds `table` and `json`.
 *
 * @param fits what more is asked of data than that it has the form of its kind
 */
export function withKnownSections(report: RunReport, fits: (section: ReportSection) => boolean): RunReport {
  const { sections } = report
  return Array.isArray(sections) ? { ...report, sections: sections.map((json) => readSection(json, fits)) } : report
}

/**
 * Until sections were of known kinds only, a user's metric could give any kind, and its data was a table where it looked
 * like one: such a section is of the kind `table` or `json` now. So is one whose data is not what its kind says.
 */
function readSection(section: ReportSection, fits: (section: ReportSection) => boolean): ReportSection {
  const { kind, data } = section as { readonly kind: string; readonly data: JsonValue }
  const form = Object.hasOwn(forms, kind) ? forms[kind as SectionKind] : undefined
  if (form !== undefined && hasForm(data, form) && fits(section)) return section
  const base = { ...section, topic: section.topic ?? kind }
  return isTable(data) && fits({ ...base, kind: "table", data: data as unknown as TableData })
    ? ({ ...base, kind: "table", data: data as unknown as TableData } satisfies SectionOfKind<"table">)
    : ({ ...base, kind: "json", data } satisfies SectionOfKind<"json">)
}

function hasForm(data: JsonValue, form: string): boolean {
  return form === "json" || (form === "table" ? isTable(data) : hasList(data, form))
}

/** Whether data is an object with a list of objects under a name. */
function hasList(data: JsonValue, name: string): boolean {
  if (!isObject(data)) return false
  const list = Object.hasOwn(data, name) ? data[name] : undefined
  return Array.isArray(list) && list.every((item: JsonValue) => item !== null && typeof item === "object")
}

/** Whether data is a plain table: titled columns, and rows that are lists. */
function isTable(data: JsonValue): boolean {
  if (!hasList(data, "columns") || !hasList(data, "rows")) return false
  return ((data as JsonObject).rows as readonly JsonValue[]).every((row) => Array.isArray(row))
}
