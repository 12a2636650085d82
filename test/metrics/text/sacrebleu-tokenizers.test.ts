import fc from "fast-check"
import { expect, it } from "vitest"
import { splitWords } from "../../../metrics/text/python-text.ts"
import { sacrebleuTokenizers, type TokenizerName } from "../../../metrics/text/sacrebleu-tokenizers.ts"
import { splitPunctuation } from "../../../metrics/text/tokenize-13a.ts"
import { golden } from "../lexical-fixtures.ts"

const rows = golden<{ text: string }, Record<TokenizerName, string>>("bleu_tokenize")

it.each(rows)("equals sacreBLEU token for token: $id", ({ inputs, expected }) => {
  for (const [name, line] of Object.entries(expected))
    expect(sacrebleuTokenizers[name as TokenizerName](inputs.text)).toEqual(splitWords(line))
})

// The published definition, as regular expressions that are applied one after the other.
function byExpressions(text: string): string[] {
  return splitWords(
    text
      .replace(/([{-~[-` -&(-+:-@/])/g, " $1 ")
      .replace(/([^0-9])([.,])/g, "$1 $2 ")
      .replace(/([.,])([^0-9])/g, " $1 $2")
      .replace(/([0-9])(-)/g, "$1 $2 "),
  )
}

function tokens(text: string, padded: boolean): string[] {
  const texts: string[] = []
  splitPunctuation(text, padded, (start, end) => texts.push(text.slice(start, end)))
  return texts
}

it("splits in one pass what the four regular expressions split in four", () => {
  const sign = fc.constantFrom(..."aé5.,-' \t(%\u{1F600}\u3000\ufeff".match(/./gsu)!)
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 14 }), (signs) => {
      const text = signs.join("")
      expect(tokens(text, false)).toEqual(byExpressions(text))
      expect(tokens(text, true)).toEqual(byExpressions(` ${text} `))
    }),
    { numRuns: 3_000 },
  )
})
