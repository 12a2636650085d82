import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { chunkEvent } from "../support/fault-server.ts"
import { type Mock, startMock } from "../support/mocks/frame.ts"
import { root } from "./blocks.ts"

const example = join(root, "examples/hosted-a-or-b")

/**
 * The folder that the documentation's commands run in: the files that its snippets name, made of one example's recorded
 * answers, and a small model.
 */
export function makeWorld(folder: string): void {
  for (const name of ["eval.config.ts", "questions.jsonl", "recorded-a.jsonl", "recorded-b.jsonl"])
    copyFileSync(join(example, name), join(folder, name))
  const write = (name: string, rows: readonly JsonObject[]) =>
    writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const questions = rowsOf("questions.jsonl")
  const right = (name: string) =>
    rowsOf(name).map(({ id, text }) => ({
      id,
      text,
      right: questions.find((row) => row.id === id)?.reference === text,
    }))
  const [a, b] = [right("recorded-a.jsonl"), right("recorded-b.jsonl")]
  write(
    "outputs.jsonl",
    a.map(({ id, text }, i) => ({ id, output: text, references: [questions[i]?.reference] }) as JsonObject),
  )
  write(
    "today.jsonl",
    a.map((row) => ({ id: row.id, correct: Number(row.right) }) as JsonObject),
  )
  write(
    "candidate.jsonl",
    b.map((row) => ({ id: row.id, correct: Number(row.right) }) as JsonObject),
  )
  // A judge that is wrong about each fifth answer; the third person about each seventh.
  const labels = a.map(({ id, right: isRight }, i) => ({
    id,
    judge: Number(i % 5 === 0 ? !isRight : isRight),
    human: Number(isRight),
  }))
  write("labels.jsonl", labels as JsonObject[])
  const people = labels.map(({ id, judge, human }, i) =>
    [id, judge, human, human, i % 7 === 0 ? 1 - human : human].join(),
  )
  writeFileSync(join(folder, "people.csv"), `${["id,judge,ann,ben,eva", ...people].join("\n")}\n`)
  writeFileSync(join(folder, "kilograms.txt"), "Answer with a weight in kilograms.\n")
  writeFileSync(join(folder, "board.csv"), "name,quality,cost,latency\na,0.9,2,400\nb,0.88,1,300\nc,0.7,1.5,500\n")
  symlinkSync(join(root, "models/tiny/tiny-s-f16.gguf"), join(folder, "model-f16.gguf"))
}

function rowsOf(name: string): JsonObject[] {
  return readFileSync(join(example, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject)
}

/** An endpoint that says "Paris", and where a schema is asked for the first thing that it allows. */
export function startEndpoint(): Promise<Mock> {
  return startMock(({ body }) => {
    const format = body.response_format as JsonObject | undefined
    const schema = (format?.json_schema as JsonObject | undefined)?.schema
    const text = schema === undefined ? "Paris" : JSON.stringify(firstOf(schema))
    const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }
    if (body.stream !== true)
      return {
        status: 200,
        body: {
          object: "chat.completion",
          model: "m",
          choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
          usage,
        },
      }
    const end = `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`
    return { events: [chunkEvent({ role: "assistant", content: text }), chunkEvent({}, "stop"), end] }
  })
}

/** The smallest JSON that fulfils a judge's schema. */
function firstOf(schema: JsonValue): JsonValue {
  const { type, enum: allowed, const: only, properties, items, anyOf } = schema as JsonObject
  if (only !== undefined) return only
  if (Array.isArray(allowed)) return allowed[0] as JsonValue
  if (Array.isArray(anyOf)) return firstOf(anyOf[0] as JsonValue)
  if (type === "object")
    return Object.fromEntries(
      Object.entries((properties ?? {}) as JsonObject).map(([name, entry]) => [name, firstOf(entry)]),
    )
  if (type === "array") return [firstOf(items as JsonValue)]
  if (type === "boolean") return true
  return type === "number" || type === "integer" ? 1 : "The text says so."
}

/** `evalkit` with its models at the endpoint: what a snippet that names hosted ones imports in place of the package. */
export function atEndpoint(baseUrl: string): string {
  return `import * as real from "evalkit"
export * from "evalkit"
const at = (make) => (options) => make({ ...options, baseUrl: "${baseUrl}/v1", apiKeyVariable: null })
export const openai = at(real.openai)
export const groq = at(real.groq)
export const vllm = at(real.vllm)
export const local = (file, { quantization = "F16" } = {}) => openai({ model: quantization })
`
}
