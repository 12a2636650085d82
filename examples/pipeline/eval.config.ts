// Your own application as a variant: a small retrieval pipeline, with its index and with a smaller one. Its stages are timed, and
// limits can name them. The "model" here picks a sentence, so that the example runs offline; call your own in its place.
import { readFileSync } from "node:fs"
import { contains, dataset, defineConfig, fromFunction, lostPassages, recallAtK, variant } from "evalkit"

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
      // What each stage leaves is noted beside its time, so that the report can say where the right passage was lost.
      const passages = (list: readonly Document[]) => list.map(({ id, text }) => ({ id, text }))
      const search = () => best(documents, (document) => overlap(question, indexed(document)), 4)
      const found = await stage("retrieve", search, passages)
      const rerank = () => best(found, (document) => overlap(question, document.text), 2)
      const ranked = await stage("rerank", rerank, passages)
      // Only what fits reaches the prompt.
      const fitting = await stage("prompt", () => ranked.slice(0, 1), passages)
      const prompt = fitting.map(({ text }) => text).join(" ")
      const text = await stage("generate", () => best(sentences(prompt), (line) => overlap(question, line), 1)[0])
      return { text: text ?? "", passages: [prompt], retrievedIds: found.map(({ id }) => id), costUsd: 0 }
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
  metrics: [contains(), recallAtK({ k: 1 }), lostPassages({ answer: contains() })],
  constraints: ["stages.retrieve.p95 < 50 ms"],
  axes: ["quality", "e2eMs"],
  // Both run in this process: side by side they would wait for each other.
  concurrency: 1,
})
