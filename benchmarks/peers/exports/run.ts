/** A run of two variants with everything that an export has to carry: failures, repeats, tools, a judge, thinking, odd texts. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** Texts that break readers of lines, of tables, of XML and of formulas. */
const odd = [
  "plain",
  'a "quoted", b; c\ttab',
  "two\nlines\r\nthree",
  "=1+1",
  "漢字 é ع 🙂",
  "<b>&amp;</b>]]>",
  "null",
  "1e5",
  "\u2028 line\u0001",
  "x".repeat(3000),
]

/** Writes `samples.jsonl`, an answer a line for each variant, and the config that reads them; `entry` is evalkit's entry point. */
export function writeRun(folder: string, entry: string): void {
  const samples = Array.from({ length: 40 }, (_, i) => ({
    id: i === 7 ? 'q/7 é,"' : `q${i}`,
    input: `Question ${i}: ${odd[i % odd.length]}`,
    reference: `answer ${i}`,
    cluster: `c${i % 13}`,
    topic: i % 2 ? "odd" : "even",
    ...(i % 10 === 3 && { expectedTools: [{ name: "search", arguments: { query: `${i}` } }] }),
  }))
  const answers = (side: number) =>
    samples.flatMap(({ id }, i) =>
      [0, 1].map((repeat) => {
        const failed = (i + repeat) % (17 + side) === 5
        const times = { id, repeat, ttftMs: 100 + i + repeat / 4, e2eMs: 400 + 3 * i + side + repeat / 4 }
        if (failed)
          return {
            ...times,
            text: "",
            outcome: "http_5xx",
            httpStatus: 503,
            failure: { message: `503 ${odd[i % odd.length]}` },
          }
        return {
          ...times,
          text: (i + side + repeat) % 3 === 0 ? `no: ${odd[i % odd.length]}` : `answer ${i}`,
          ...(i % 10 === 3 && { toolCalls: [{ id: `t${i}`, name: "search", arguments: { query: `${i}` } }] }),
          ...(i % 8 === 0 && { reasoning: `because ${odd[i % odd.length]}` }),
          ...(i % 9 === 0 && { finishReason: "length" }),
          usage: {
            promptTokens: 20 + i,
            completionTokens: 10 + i,
            cachedPromptTokens: 4,
            reasoningTokens: i % 8 === 0 ? 3 : 0,
          },
          servedModel: `model-${side}-2026`,
        }
      }),
    )
  const lines = (name: string, rows: readonly object[]) =>
    writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  lines("samples.jsonl", samples)
  for (const side of [0, 1]) lines(`side-${side}.jsonl`, answers(side))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, fromFunction, recorded, rubric, rubrics, tokenF1, toolCorrectness, variant } from "${entry}"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 5, cachedInputPerMillion: 0.5, source: "made up", date: "2026-11-21" }
const judge = fromFunction(({ messages }) => JSON.stringify({ verdict: ["no", "partly", "yes"][messages.at(-1).content.length % 3], reason: "so" }), { name: "judge" })
export default defineConfig({
  name: "exports", dataset: dataset("samples.jsonl"), repeats: 2, seed: 7, margin: 0.1,
  metrics: [exactMatch(), tokenF1(), toolCorrectness(), rubric({ provider: judge, rubric: rubrics.correctness, expectedValue: false })],
  variants: [0, 1].map((side) => variant({
    name: "variant-" + side, price, provider: recorded(new URL("side-" + side + ".jsonl", import.meta.url), { model: "model-" + side }),
  })),
  gate: [{ figure: "exactMatch", min: 0.99 }, { figure: "availability", min: 0.5 }],
})
`,
  )
}
