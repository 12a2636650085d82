import type { JsonValue } from "../../core/json.ts"
import { listOf, member, objectOf } from "../fields.ts"
import type { JsonDocument, RowFile } from "../row-file.ts"

/** Results of version 2 that has a table only: a row a test, a column a prompt and provider. In the shape of version 3. */
export function tableResults(document: JsonDocument, table: JsonValue | undefined): RowFile {
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
            ...{ promptIdx, testIdx },
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
