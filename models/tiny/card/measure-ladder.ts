import type { LlamaModel, Token } from "node-llama-cpp"
import { type MeanInterval, meanInterval } from "../../../src/stats/intervals/mean-interval.ts"

/** One question with its right answer. */
export interface Pair {
  readonly prompt: string
  readonly answer: string
}

/** How well a model predicts the right answers, and how far it is from the first model. */
export interface LadderStep {
  /** exp of the mean negative log-probability of an answer's token, its end included; teacher-forced. */
  readonly perplexity: number
  /** Mean over the same tokens of KL(first ‖ this) over the whole vocabulary, in nats. 0 for the first. */
  readonly divergence: number
  /** Log-probability lost on the same tokens against the first model, in nats, by Student's t with errors clustered by answer. */
  readonly loss: MeanInterval
}

const anyNumber = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const

/** Measures each file in turn; divergence is against the first. Needs node-llama-cpp. */
export async function measureLadder(paths: readonly string[], pairs: readonly Pair[]): Promise<readonly LadderStep[]> {
  const { getLlama, LlamaLogLevel } = await import("node-llama-cpp")
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.error })
  try {
    const steps: LadderStep[] = []
    let first: { logProbabilities: readonly Float64Array[]; surprise: readonly number[] } | undefined
    for (const modelPath of paths) {
      const model = await llama.loadModel({ modelPath })
      const { logProbabilities, targets, answers } = await predict(model, pairs)
      const surprise = logProbabilities.map((row, i) => -(row[targets[i] as number] as number))
      first ??= { logProbabilities, surprise }
      const baseline = first
      const divergence = logProbabilities.map((row, i) => {
        return kullbackLeibler(baseline.logProbabilities[i] as Float64Array, row)
      })
      const losses = surprise.map((value, i) => value - (baseline.surprise[i] as number))
      const loss = meanInterval(losses, answers, anyNumber)
      steps.push({ perplexity: Math.exp(mean(surprise)), divergence: mean(divergence), loss })
      await model.dispose()
    }
    return steps
  } finally {
    await llama.dispose()
  }
}

/** Natural-log probabilities of the whole vocabulary before every token of every answer, these tokens, and whose they are. */
async function predict(model: LlamaModel, pairs: readonly Pair[]) {
  const context = await model.createContext({ contextSize: 256, threads: 1 })
  const sequence = context.getSequence()
  const control = (text: string) => model.tokenize(text, true)
  const logProbabilities: Float64Array[] = []
  const targets: Token[] = []
  const answers: string[] = []
  for (const [number, { prompt, answer }] of pairs.entries()) {
    const question = [...control("<|bos|><|user|>"), ...model.tokenize(prompt), ...control("<|assistant|>")]
    const expected = [...model.tokenize(answer), ...control("<|end|>")]
    await sequence.clearHistory()
    const results = await sequence.controlledEvaluate(
      [...question, ...expected.slice(0, -1)].map((token, i): Token | [Token, object] =>
        i < question.length - 1 ? token : [token, { generateNext: { probabilities: true } }],
      ),
    )
    expected.forEach((token, i) => {
      const row = new Float64Array(model.fileInfo.metadata.tokenizer.ggml.tokens.length).fill(Math.log(1e-12))
      for (const [id, share] of results[question.length - 1 + i]?.next.probabilities ?? []) {
        row[id] = Math.log(Math.max(share, 1e-12))
      }
      logProbabilities.push(row)
      targets.push(token)
      answers.push(String(number))
    })
  }
  await context.dispose()
  return { logProbabilities, targets, answers }
}

function kullbackLeibler(baseline: Float64Array, candidate: Float64Array): number {
  return baseline.reduce((sum, value, i) => sum + Math.exp(value) * (value - (candidate[i] as number)), 0)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
