import { readFile } from "node:fs/promises"
import type { LlamaContextSequence, Token } from "node-llama-cpp"
import { expect, it } from "vitest"
import { generate } from "../../../../src/local-model/serve/generate.ts"
import { loadModel } from "../../../../src/local-model/serve/load-model.ts"
import { tinyModel } from "../shared-server.ts"

it("answers that are generated at once are those that are generated alone", async () => {
  const file = await readFile(new URL("../../../../datasets/data/tiny-tasks.jsonl", import.meta.url), "utf8")
  const lines = file.trim().split("\n")
  const loaded = await loadModel({ modelPath: tinyModel, threads: 1, parallel: 4, gpu: false })
  try {
    const prompts = lines
      .filter((_, i) => i % 20 === 0)
      .map((line) => `<|user|>${(JSON.parse(line) as { input: string }).input}<|assistant|>`)
      .map((text) => loaded.model.tokenize(text, true))
    const answer = async (sequence: LlamaContextSequence, tokens: Token[]) => {
      let text = ""
      for await (const piece of generate(loaded, sequence, { ...greedy, tokens })) text += piece.text
      return text
    }
    const sequences = Array.from({ length: 4 }, () => loaded.context.getSequence())
    const alone: string[] = []
    for (const tokens of prompts) alone.push(await answer(sequences[0]!, tokens))
    // Where sequences sample at once, seven answers in a thousand go on with another's token.
    const waiting = Array.from({ length: 25 }, () => [...prompts.keys()]).flat()
    await Promise.all(
      sequences.map(async (sequence) => {
        for (let i = waiting.shift(); i !== undefined; i = waiting.shift())
          expect(await answer(sequence, prompts[i]!)).toBe(alone[i])
      }),
    )
  } finally {
    await loaded.dispose()
  }
}, 60_000)

const greedy = {
  maxTokens: 24,
  temperature: 0,
  topP: 1,
  seed: 0,
  alternatives: null,
  stopTokens: new Set<Token>(),
  stopTexts: [],
  grammar: null,
  signal: new AbortController().signal,
}
