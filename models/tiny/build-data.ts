import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Item } from "./data/item.ts"
import { trainingItems } from "./data/mixture.ts"
import { createTokenizer, type Tokenizer } from "./tokenizer/encode.ts"
import { tokenIds, trainBpe } from "./tokenizer/train-bpe.ts"

/** Items of the training data: M sees a fifth of them twice. */
export const trainingCount = 480_000
const tokenizerCount = 40_000
const vocabularySize = 1280
const longestItem = 96

/**
 * Training items → vocabulary and token files for `train.py`, in `folder`:
 * `vocabulary.json`; `tokens.u16` (all items after one another); `answers.u8` (1 on tokens that are part of an answer);
 * `lengths.u16` (tokens of each item).
 */
export async function buildTrainingData(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const items: Item[] = []
  for (const item of trainingItems("tiny/train")) {
    items.push(item)
    if (items.length === trainingCount) break
  }
  const vocabulary = trainBpe(
    items.slice(0, tokenizerCount).flatMap((item) => [item.prompt, item.answer]),
    vocabularySize,
  )
  await writeFile(join(folder, "vocabulary.json"), JSON.stringify(vocabulary))

  const tokenizer = createTokenizer(vocabulary)
  const tokens: number[] = []
  const answers: number[] = []
  const lengths: number[] = []
  for (const item of items) {
    const { prompt, answer } = encodeItem(tokenizer, item)
    if (prompt.length + answer.length > longestItem) continue
    for (const id of [...prompt, ...answer]) tokens.push(id)
    for (const _ of prompt) answers.push(0)
    for (const _ of answer) answers.push(1)
    lengths.push(prompt.length + answer.length)
  }
  await writeFile(join(folder, "tokens.u16"), Uint16Array.from(tokens))
  await writeFile(join(folder, "answers.u8"), Uint8Array.from(answers))
  await writeFile(join(folder, "lengths.u16"), Uint16Array.from(lengths))
  console.log(`${lengths.length} items, ${tokens.length} tokens, vocabulary ${vocabulary.tokens.length}`)
}

/** The prompt with its control tokens, and the answer with its end. */
export function encodeItem(tokenizer: Tokenizer, item: Item): { prompt: number[]; answer: number[] } {
  return {
    prompt: [tokenIds.bos, tokenIds.user, ...tokenizer.encode(item.prompt), tokenIds.assistant],
    answer: [...tokenizer.encode(item.trainingAnswer ?? item.answer), tokenIds.end],
  }
}
