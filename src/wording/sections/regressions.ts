import { listed, metricTitle } from "../../words/names.ts"
import { count, counted } from "../../words/number.ts"
import { pValue } from "../../words/p-value.ts"
import { roundPercent } from "../../words/percent.ts"

/** What can be told of an answer by itself. */
export type TraitKind =
  | "word"
  | "language"
  | "number form"
  | "begins"
  | "ends"
  | "markup"
  | "tool"
  | "outcome"
  | "json"
  | "number"
  | "refusal"
  | "upper case"

/** What tells some samples from the others. */
export type RuleName =
  | { readonly kind: "fields"; readonly fields: readonly { readonly title: string; readonly value: string }[] }
  | { readonly kind: "input words"; readonly words: readonly string[] }
  /** The candidate's answer has it and the baseline's has not, or the reverse. */
  | { readonly kind: "answer"; readonly trait: TraitKind; readonly value: string; readonly isMissing: boolean }
  | { readonly kind: "answer length"; readonly isShorter: boolean }

/** What broke, in causes: the rule of a cause, and its figures. */
export const regressionWords = {
  inputLanguage: "language of the input",
  kind: (number: number, metric: { readonly name: string; readonly title?: string } | null) =>
    `${metric === null ? "losses" : `losses in ${metricTitle(metric)}`}, cause ${number}`,
  rule: (name: RuleName, partner: RuleName | null, isInAll = false) =>
    `${ruleText(name)}${partner === null ? "" : `; ${ruleText(partner)}`}${isInAll ? ", all of them" : ""}`,
  evidence: (facts: {
    readonly losses: number
    readonly allLosses: number
    readonly samples: number
    readonly low: number
    readonly high: number
    /** Clusters of the samples; null: each is its own. */
    readonly clusters: number | null
    /** Share that is lost elsewhere; null: there is no elsewhere. */
    readonly elsewhere: number | null
    readonly pAdjusted: number
    /** Samples that were looked at; null: all. */
    readonly lookedAt: number | null
  }) => {
    const { losses, allLosses, samples, low, high, clusters, elsewhere, pAdjusted, lookedAt } = facts
    const bounds = `between ${Math.round(100 * low)} and ${Math.round(100 * high)}`
    const of = lookedAt === null ? "" : ` among ${counted(lookedAt, "sample")}`
    const where = clusters === null ? "" : ` in ${counted(clusters, "cluster")}`
    const beside =
      elsewhere === null
        ? `no other sample to compare with; ${pValue(pAdjusted)}`
        : `elsewhere ${roundPercent(elsewhere)}; adjusted ${pValue(pAdjusted)}`
    return `${count(losses)} of ${counted(allLosses, "loss").replace("losss", "losses")}${of}: ${roundPercent(losses / samples)} of ${counted(samples, "sample")}${where}, ${bounds}; ${beside}`
  },
} as const

function ruleText(name: RuleName): string {
  switch (name.kind) {
    case "fields":
      return listed(name.fields.map(({ title, value }) => `${title} ${value}`))
    case "input words":
      return `input with ${listed(name.words.map((word) => `"${word}"`))}`
    case "answer length":
      return name.isShorter ? "answer is less than half as long" : "answer is more than twice as long"
    case "answer":
      return `answer ${(name.isMissing ? missing : gained)[name.trait](name.value)}`
  }
}

const markups: Readonly<Record<string, string>> = {
  list: "a list",
  table: "a table",
  heading: "headings",
  bold: "bold text",
  code: "a code fence",
}

const languages = new Intl.DisplayNames("en", { type: "language" })
const scripts = new Intl.DisplayNames("en", { type: "script" })

function languageName(code: string): string {
  return (code.length === 4 ? scripts.of(code) : languages.of(code)) ?? code
}

const gained: Readonly<Record<TraitKind, (value: string) => string>> = {
  word: (word) => `has "${word}"`,
  language: (code) => `is in ${languageName(code)}`,
  "number form": (form) => `writes numbers as ${form}`,
  begins: (mark) => `begins with ${mark}`,
  ends: (mark) => `ends with ${mark}`,
  markup: (name) => `has ${markups[name] ?? name}`,
  tool: (tool) => `calls ${tool}`,
  outcome: (outcome) => outcomes[outcome] ?? outcome,
  json: () => "is JSON",
  number: () => "has numbers",
  refusal: () => "refuses",
  "upper case": () => "is in capitals",
}

const missing: Readonly<Record<TraitKind, (value: string) => string>> = {
  word: (word) => `lacks "${word}"`,
  language: (code) => `is no longer ${languageName(code)}`,
  "number form": (form) => `no longer writes numbers as ${form}`,
  begins: (mark) => `no longer begins with ${mark}`,
  ends: (mark) => `no longer ends with ${mark}`,
  markup: (name) => `lacks ${markups[name] ?? name}`,
  tool: (tool) => `no longer calls ${tool}`,
  outcome: (outcome) => `no longer ${outcomes[outcome] ?? outcome}`,
  json: () => "is no longer JSON",
  number: () => "lacks numbers",
  refusal: () => "no longer refuses",
  "upper case": () => "is no longer in capitals",
}

const outcomes: Readonly<Record<string, string>> = {
  length: "is cut off at the token limit",
  length_empty: "ends at the token limit before it begins",
  empty: "is empty",
  refused: "refuses by the service's word",
  thinking_only: "ends within its thinking",
  step_limit: "comes to the limit of steps",
  turn_limit: "comes to the limit of turns",
}
