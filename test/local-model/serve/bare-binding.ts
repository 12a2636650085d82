import { getLlama, type LlamaContextSequence, LlamaLogLevel, type LlamaModel, type Token } from "node-llama-cpp"
import { tinyModel } from "./shared-server.ts"

/** The binding without our server: the reference that the server must agree with. */
export interface BareBinding {
  readonly model: LlamaModel
  readonly sequence: LlamaContextSequence
  dispose(): Promise<void>
}

export async function openBareBinding(): Promise<BareBinding> {
  const llama = await getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    maxThreads: 1,
    logLevel: LlamaLogLevel.error,
  })
  const model = await llama.loadModel({ modelPath: tinyModel })
  const context = await model.createContext({ contextSize: 512, threads: 1 })
  return { model, sequence: context.getSequence(), dispose: () => llama.dispose() }
}

/** The prompt as the model was trained on it: start, `<|user|>`, text without control tokens, `<|assistant|>`. */
export function trainedPrompt(model: LlamaModel, text: string): Token[] {
  return [
    0 as Token,
    ...model.tokenize("<|user|>", true),
    ...model.tokenize(text),
    ...model.tokenize("<|assistant|>", true),
  ]
}

/** A greedy answer of the bare binding, with the softmax probability of each of its tokens. */
export async function bareAnswer(bare: BareBinding, text: string): Promise<{ text: string; probabilities: number[] }> {
  const { model, sequence } = bare
  await sequence.clearHistory()
  const tokens: Token[] = []
  const probabilities: number[] = []
  const steps = sequence.evaluateWithMetadata(trainedPrompt(model, text), { confidence: true }, { temperature: 0 })
  for await (const step of steps) {
    tokens.push(step.token)
    probabilities.push(step.confidence)
    if (tokens.length >= 64) break
  }
  return { text: model.detokenize(tokens), probabilities }
}
