import { readFile, stat, writeFile } from "node:fs/promises"
import { ensureQuantized } from "../../src/local-model/gguf/ensure-quantized.ts"
import type { QuantizationType } from "../../src/local-model/gguf/quantize-gguf.ts"
import { answerSet } from "./card/answer-set.ts"
import { type LadderStep, measureLadder } from "./card/measure-ladder.ts"
import { type Answer, runSet } from "./card/run-set.ts"
import { accuracyTable, fairnessTable, judgeTable, ladderTable, variantsOf } from "./card/tables.ts"

/** Measures everything that the card states and writes it between the two marks of the README. */
const card = "models/tiny/README.md"
const sizes = ["m", "s"]
const types = ["f16", "q8_0", "q4_0", "mxfp4", "q2_0"]
const shown = ["m-f16", "m-q4_0", "m-q2_0", "s-f16", "s-q4_0", "s-q2_0"]

const tasks: Answer[] = []
for (const size of sizes) tasks.push(...(await runSet("tasks", size)))
const judge = await answersTo("judge", types)
const fairness = await answersTo("fairness", types)
const passages = await answersTo("passages", ["f16", "q4_0", "q2_0"])
const { bytes, ladder } = await measureFiles(variantsOf(tasks), tasks)

const facts = tasks.filter(({ row }) => row.task === "fact")
const results = [
  "### Every size and quantization, `tiny-tasks.jsonl`",
  ladderTable(tasks, bytes, ladder),
  "### By task",
  accuracyTable(tasks, "task", shown),
  "### Facts by how often they were trained",
  accuracyTable(facts, "frequency", shown),
  "### Questions on passages, `tiny-passages.jsonl`, by whether the passage has the answer",
  accuracyTable(passages, "answerable", shown),
  "### As a judge, `tiny-judge.jsonl`",
  judgeTable(judge),
  "### The planted association, `tiny-fairness.jsonl`: difference in the rate of acceptance",
  fairnessTable(fairness),
].join("\n\n")

const text = await readFile(card, "utf8")
const marks = /(<!-- measured: begin -->)[\s\S]*(<!-- measured: end -->)/
await writeFile(
  card,
  text.replace(marks, (_all, begin, end) => `${begin}\n\n${results}\n\n${end}`),
)

async function answersTo(set: string, quantizations: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const size of sizes) {
    for (const type of quantizations)
      answers.push(...(await answerSet(set, `${size}-${type}`, await fileOf(size, type))))
  }
  return answers
}

/** Bytes, perplexity and divergence of every variant's file. */
async function measureFiles(variants: readonly string[], answers: readonly Answer[]) {
  const rows = [...new Map(answers.map(({ id, row }) => [id, row])).values()]
  const pairs = rows.map((row) => ({
    prompt: String(row.input),
    answer: String((row.references as readonly string[])[0]),
  }))
  const bytes = new Map<string, number>()
  const ladder = new Map<string, LadderStep>()
  for (const size of sizes) {
    const own = variants.filter((variant) => variant.startsWith(size))
    const paths = await Promise.all(own.map((variant) => fileOf(size, variant.slice(2))))
    const steps = await measureLadder(paths, pairs)
    for (const [i, variant] of own.entries()) {
      bytes.set(variant, (await stat(paths[i] as string)).size)
      ladder.set(variant, steps[i] as LadderStep)
    }
  }
  return { bytes, ladder }
}

function fileOf(size: string, quantization: string): Promise<string> {
  const source = `models/tiny/tiny-${size}-f16.gguf`
  if (quantization === "f16") return Promise.resolve(source)
  const [type, embedding] = quantization.toUpperCase().split("-EMBEDDING-") as QuantizationType[]
  const embeddingType = embedding === undefined ? {} : { embeddingType: embedding }
  return ensureQuantized(source, type as QuantizationType, {
    directory: "models/tiny/build/quantized",
    ...embeddingType,
  })
}
