// Your own application as a variant: a small retrieval pipeline, with its index and with a smaller one. Its stages are timed, and
// limits can name them. The "model" here picks a sentence, so that the example runs offline; call your own in its place.
import { readFileSync } from "node:fs"
import { contains, dataset, defineConfig, fromFunction, recallAtK, variant } from "evalkit"

interface Document {
  readonly id: string
  readonly text: string
}

const documents = readFileSync(new URL("documents.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Document)

const words = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []
const sentences = (text: string): readonly string[] => text.split(/(?<=\.) /)

/** Words in common. */
function overlap(question: string, text: string): number {
  const asked = new Set(words(question))
  return [...new Set(words(text))].filter((word) => asked.has(word)).length
}

function best<Item>(items: readonly Item[], value: (item: Item) => number, count: number): readonly Item[] {
  return [...items].sort((a, b) => value(b) - value(a)).slice(0, count)
}

const pipeline = (name: string, indexed: (document: Document) => string) =>
  fromFunction(
    async ({ messages, stage }) => {
      const question = messages.at(-1)?.content ?? ""
      const found = await stage("retrieve", () => best(documents, (one) => overlap(question, indexed(one)), 2))
      const passages = found.map(({ text }) => text)
      const text = await stage(
        "generate",
        () => best(sentences(passages.join(" ")), (one) => overlap(question, one), 1)[0],
      )
      return { text: text ?? "", passages, retrievedIds: found.map(({ id }) => id), costUsd: 0 }
    },
    { name },
  )

export default defineConfig({
  name: "pipeline",
  dataset: dataset(new URL("questions.jsonl", import.meta.url)),
  variants: [
    variant({ name: "whole-text", provider: pipeline("index of whole texts", ({ text }) => text) }),
    variant({
      name: "first-sentence",
      provider: pipeline("index of first sentences", ({ text }) => sentences(text)[0] ?? ""),
    }),
  ],
  metrics: [contains(), recallAtK({ k: 1 })],
  constraints: ["stages.retrieve.p95 < 50 ms"],
  axes: ["quality", "e2eMs"],
  // Both run in this process: side by side they would wait for each other.
  concurrency: 1,
})
