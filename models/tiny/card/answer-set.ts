import { readFile } from "node:fs/promises"
import type { Token } from "node-llama-cpp"
import type { JsonObject } from "../../../src/core/json.ts"
import type { Answer } from "./run-set.ts"

const maximumTokens = 64

/** Greedy answers of one model file to a bundled set, straight from the binding: quicker than a run where only the texts count. */
export async function answerSet(set: string, variant: string, modelPath: string): Promise<readonly Answer[]> {
  const { getLlama, LlamaLogLevel } = await import("node-llama-cpp")
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.error })
  try {
    const model = await llama.loadModel({ modelPath })
    const context = await model.createContext({ contextSize: 256, threads: 1 })
    const sequence = context.getSequence()
    const control = (text: string) => model.tokenize(text, true)
    const answers: Answer[] = []
    const lines = (await readFile(`datasets/data/tiny-${set}.jsonl`, "utf8")).trim().split("\n")
    for (const row of lines.map((line) => JSON.parse(line) as JsonObject)) {
      const prompt = [...control("<|bos|><|user|>"), ...model.tokenize(String(row.input)), ...control("<|assistant|>")]
      const tokens: Token[] = []
      await sequence.clearHistory()
      for await (const token of sequence.evaluate(prompt, { temperature: 0 })) {
        if (tokens.push(token) === maximumTokens) break
      }
      const text = model.detokenize(tokens)
      const [reference] = row.references as readonly string[]
      answers.push({ variant, id: String(row.id), text, correct: text === reference, row })
    }
    return answers
  } finally {
    await llama.dispose()
  }
}
