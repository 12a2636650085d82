import { readFileSync } from "node:fs"
import type { Metric } from "../../src/core/metric/metric.ts"
import * as evalkit from "../../src/index.ts"

/** A text and its reference in a language, with the figures of outside implementations by their keys; words as a dictionary parts them. */
export interface LanguageRecord {
  readonly id: string
  readonly inputs: {
    readonly language: string
    readonly hyp: string
    readonly refs: readonly string[]
    readonly words?: Readonly<Record<string, readonly string[]>>
  }
  readonly expected: Readonly<Record<string, number | Readonly<Record<string, number>>>>
}

/** The pairs of texts in fourteen languages. */
export const languageRecords: readonly LanguageRecord[] = readFileSync(
  new URL("../../test/golden/text/languages.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))

type Inputs = LanguageRecord["inputs"]
type Code = Parameters<typeof evalkit.meteorStems>[0]["language"]
type Reference = readonly [call: string, of: (inputs: Inputs) => unknown, outside: string, key: string, part?: string]

const code = ({ language }: Inputs) => language as Code
const squad = "SQuAD's script in transformers 4.46.3"
const sacrebleu = "sacreBLEU 2.6.0"
const rouge = "rouge_score 0.1.2"
const snowball = "words of any script and Snowball's stems (snowballstemmer 3.1.1)"
const nltk = "NLTK 3.10.4"
const bleuOf = (tokenize: "13a" | "intl" | "zh" | "char"): Reference => [
  `bleu({ tokenize: "${tokenize}" })`,
  () => evalkit.bleu({ tokenize }),
  sacrebleu,
  "bleu",
  tokenize,
]

const references: readonly Reference[] = [
  ['exactMatch({ normalize: "squad" })', () => evalkit.exactMatch({ normalize: "squad" }), squad, "exact_match"],
  ["tokenF1()", () => evalkit.tokenF1(), squad, "f1"],
  bleuOf("13a"),
  bleuOf("intl"),
  bleuOf("zh"),
  bleuOf("char"),
  [
    "bleu({ tokenize: { name, tokenize } })",
    ({ words }) => evalkit.bleu({ tokenize: { name: "mecab", tokenize: (text) => [...(words?.[text] ?? [])] } }),
    `${sacrebleu} with MeCab (ipadic 1.0.0, mecab-ko-dic 1.0.0)`,
    "bleu",
    "mecab",
  ],
  ["chrf()", () => evalkit.chrf(), sacrebleu, "chrf"],
  ["chrf({ wordOrder: 2 })", () => evalkit.chrf({ wordOrder: 2 }), sacrebleu, "chrf++"],
  ["ter()", () => evalkit.ter(), sacrebleu, "ter"],
  [
    "ter({ normalized: true, asianSupport: true })",
    () => evalkit.ter({ normalized: true, asianSupport: true }),
    sacrebleu,
    "ter-asian",
  ],
  ['rouge({ type: "rouge1" })', () => evalkit.rouge({ type: "rouge1" }), rouge, "rouge", "rouge1"],
  ["rouge()", () => evalkit.rouge(), rouge, "rouge", "rougeL"],
  [
    'rouge({ type: "rouge1", language })',
    (inputs) => evalkit.rouge({ type: "rouge1", language: code(inputs) }),
    `${rouge} over ${snowball}`,
    "rouge-language",
    "rouge1",
  ],
  [
    "rouge({ language })",
    (inputs) => evalkit.rouge({ language: code(inputs) }),
    `${rouge} over ${snowball}`,
    "rouge-language",
    "rougeL",
  ],
  ["meteor({ synonyms: false })", () => evalkit.meteor({ synonyms: false }), nltk, "meteor"],
  [
    "meteorStems({ language })",
    (inputs) => evalkit.meteorStems({ language: code(inputs) }),
    `${nltk} over ${snowball}`,
    "meteor-stems",
  ],
  ["editDistance()", () => evalkit.editDistance(), nltk, "levenshtein"],
  ["jaroWinkler({ prefixScale: 0 })", () => evalkit.jaroWinkler({ prefixScale: 0 }), nltk, "jaro"],
  ["distinctN()", () => evalkit.distinctN(), `${nltk}'s n-grams of ${sacrebleu}'s tokens`, "distinct2"],
  [
    'distinctN({ tokenize: "char" })',
    () => evalkit.distinctN({ tokenize: "char" }),
    `${nltk}'s n-grams`,
    "distinct2-char",
  ],
  ['readability({ formula: "lix" })', () => evalkit.readability({ formula: "lix" }), "textstat 0.7.13", "lix"],
  ['readability({ formula: "rix" })', () => evalkit.readability({ formula: "rix" }), "textstat 0.7.13", "rix"],
]

/** Each metric that an outside implementation computes, too, and the pairs on which it did. */
export const languageReferences = references.map(([call, of, outside, key, part]) => ({
  call,
  of: of as (inputs: Inputs) => Metric<never>,
  outside,
  records: languageRecords.flatMap(({ id, inputs, expected }) => {
    const figures = expected[key]
    const figure = typeof figures === "object" ? figures[part as string] : figures
    return figure === undefined ? [] : [{ id, inputs, figure }]
  }),
}))

/** The table of what was compared with what, in which languages. */
export function referenceTable(): string {
  const rows = languageReferences.map(({ call, outside, records }) => {
    const codes = [...new Set(records.map(({ inputs }) => inputs.language))]
    return `| \`${call}\` | ${outside} | ${codes.join(" ")} | ${records.length} |`
  })
  return ["| metric | compared with | languages | pairs |", "| --- | --- | --- | ---: |", ...rows].join("\n")
}
