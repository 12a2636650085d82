import type { LlamaText, Token } from "node-llama-cpp"
import type { Ending } from "../generate.ts"
import type { LoadedModel } from "../load-model.ts"

/** How a model's chat template writes a call: as its own tools' section says, else in the binding's plain form. */
export interface CallForm {
  readonly prefix: readonly Token[]
  readonly paramsPrefix: readonly Token[]
  readonly suffix: readonly Token[]
  /** Between two calls of one answer. */
  readonly between: readonly Token[]
  /** Texts by which a call begins. */
  readonly beginTexts: readonly string[]
  /** The control token by which it begins, where it is one. */
  readonly beginToken: readonly Token[]
  /** Tokens until it has begun. */
  readonly beginTokens: number
  /** Whether an answer ended because a call begins. */
  begins(ending: Ending): boolean
}

/** The form of a loaded model. */
export function callForm({ model, chatWrapper, binding }: LoadedModel): CallForm {
  const { call, parallelism } = chatWrapper.settings.functions
  const tokens = (text: LlamaText | string | undefined): Token[] =>
    text === undefined ? [] : binding.LlamaText(text).tokenize(model.tokenizer)
  const prefix = tokens(call.prefix)
  const first = prefix[0]
  const beginToken = first !== undefined && model.isSpecialToken(first) ? [first] : []
  const texts = [call.prefix, ...(call.prefixAlternateMatches ?? [])].map((text) =>
    beginningOf(binding.LlamaText(text)),
  )
  const beginTexts = [...new Set(texts.filter((text) => text !== ""))]
  return {
    prefix,
    paramsPrefix: tokens(call.paramsPrefix),
    suffix: tokens(call.suffix),
    between: tokens(parallelism?.call.betweenCalls),
    beginTexts,
    beginToken,
    beginTokens: prefix.length,
    begins: ({ stopText, stopToken }) =>
      (stopText !== undefined && beginTexts.includes(stopText)) ||
      (stopToken !== undefined && beginToken.includes(stopToken)),
  }
}

/** Its first line, without spaces around it: models write the rest of it with other white space. */
function beginningOf(text: LlamaText): string {
  return text.toString().trimStart().split("\n", 1)[0]?.trimEnd() ?? ""
}
