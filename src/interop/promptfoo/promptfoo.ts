import type { ForeignLog } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, objectOf, textOf, timeOf } from "../fields.ts"
import type { JsonDocument, RowFile } from "../row-file.ts"
import { type RowFormat, rowsLog } from "../row-format.ts"
import { promptOf, providerOf, resultRecord } from "./result.ts"

/** Results of promptfoo as rows (`--output results.jsonl`). */
export const promptfoo: RowFormat = {
  is: (row) => "promptIdx" in row && "testIdx" in row && "provider" in row,
  open: (file) => promptfooLog(file, {}),
}

/** Whether a document holds results of promptfoo: its export, or the `results` of it. */
export function isPromptfoo(document: JsonObject): boolean {
  return resultsOf(document) !== null
}

/** Results of promptfoo, version 1 to 3: its JSON export. */
export function promptfooDocument(document: JsonDocument, outline: JsonObject): Promise<ForeignLog> {
  const results = resultsOf(outline) ?? {}
  const isListed = listOf(results.results).length > 0
  const dataset = textOf(member(outline, "config", "description"))
  return promptfooLog(isListed ? document.rows("results", "results/results") : tableResults(document, results.table), {
    startedAt: timeOf(results.timestamp ?? outline.createdAt),
    ...(dataset !== undefined && { dataset }),
  })
}

/** A variant is a provider, and a prompt of it where it was given several: `promptIdx` counts both together. */
async function promptfooLog(file: RowFile, facts: Partial<ForeignLog>): Promise<ForeignLog> {
  const prompts = new Map<string, Set<string>>()
  const all = new Set<string>()
  for await (const read of file.rows()) {
    if (!("row" in read)) continue
    const [provider, prompt] = [providerOf(read.row), promptOf(read.row)]
    prompts.set(provider, (prompts.get(provider) ?? new Set()).add(prompt))
    all.add(prompt)
  }
  const numbers = new Map([...all].map((prompt, i) => [prompt, i + 1]))
  const variantOf = (row: JsonObject) => {
    const [provider, prompt] = [providerOf(row), promptOf(row)]
    if (prompts.get(provider)?.size === 1) return provider
    const label = textOf(member(row.prompt, "label")) ?? textOf(member(row.prompt, "display"))
    return `${provider} · ${label !== undefined && label.length <= 40 ? label : `prompt ${numbers.get(prompt)}`}`
  }
  return rowsLog(
    file,
    {
      tool: "promptfoo",
      metrics: new Map([
        ["pass", { direction: "higher", range: [0, 1] }],
        ["score", { direction: "higher" }],
      ]),
      ...facts,
    },
    (row, where, occasions) => resultRecord(row, variantOf(row), where, occasions),
  )
}

/** `{ version, results, … }`, wherever it stands in the export; null where there is none. */
function resultsOf(document: JsonObject): JsonObject | null {
  for (const candidate of [document, objectOf(document.results)]) {
    if (!candidate) continue
    const first = listOf(candidate.results)[0]
    if (first !== undefined && promptfoo.is(objectOf(first) ?? {})) return candidate
    if (first !== undefined && member(first, "vars") !== undefined && isProvider(member(first, "provider")))
      return candidate
    if (typeof candidate.version === "number" && member(candidate, "table", "body") !== undefined) return candidate
    if (typeof candidate.version === "number" && Array.isArray(candidate.results) && "stats" in candidate)
      return candidate
  }
  return null
}

function isProvider(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null
}

/** Results of version 2 that has a table only: a row a test, a column a prompt and provider. In the shape of version 3. */
function tableResults(document: JsonDocument, table: JsonValue | undefined): RowFile {
  const prompts = listOf(member(table, "head", "prompts"))
  return {
    ...document,
    async *rows() {
      let testIdx = 0
      for await (const { value: test, where } of document.values("table/body", "results/table/body")) {
        for (const [promptIdx, output] of listOf(member(test, "outputs")).entries()) {
          const prompt = prompts[promptIdx]
          const row = {
            ...objectOf(output),
            promptIdx,
            testIdx,
            provider: member(output, "provider") ?? member(prompt, "provider") ?? "provider",
            prompt: { raw: member(output, "prompt") ?? null, label: member(prompt, "label") ?? null },
            vars: member(test, "test", "vars") ?? {},
            success: member(output, "pass") ?? null,
            response: { output: member(output, "text") ?? null, tokenUsage: member(output, "tokenUsage") ?? null },
          }
          yield { row, where }
        }
        testIdx++
      }
    },
  }
}
