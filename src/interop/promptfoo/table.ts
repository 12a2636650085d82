import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, objectOf } from "../fields.ts"

/** Results of version 2 that has a table only: a row a test, a column a prompt and provider. In the shape of version 3. */
export function tableResults(table: JsonValue | undefined): readonly JsonObject[] {
  const prompts = listOf(member(table, "head", "prompts"))
  return listOf(member(table, "body")).flatMap((row, testIdx) =>
    listOf(member(row, "outputs")).map((output, promptIdx): JsonObject => {
      const prompt = prompts[promptIdx]
      return {
        ...objectOf(output),
        promptIdx,
        testIdx,
        provider: member(output, "provider") ?? member(prompt, "provider") ?? "provider",
        prompt: { raw: member(output, "prompt") ?? null, label: member(prompt, "label") ?? null },
        vars: member(row, "test", "vars") ?? {},
        success: member(output, "pass") ?? null,
        response: { output: member(output, "text") ?? null, tokenUsage: member(output, "tokenUsage") ?? null },
      }
    }),
  )
}
