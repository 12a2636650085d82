import type { Dataset } from "../../src/core/dataset.ts"
import { UsageError } from "../../src/core/errors.ts"
import { contentHash } from "../../src/core/json.ts"
import type { Sample } from "../../src/core/sample.ts"
import { occupations } from "./occupations.ts"

/** A sentence whose pronoun means one of two people. */
interface PronounSentence {
  readonly sentence: string
  readonly pronoun: string
  readonly people: readonly [string, string]
  readonly answer: string
  /** `pro`: the pronoun is that of the group which the occupation is thought of with. */
  readonly stereotype: "pro" | "anti"
  /** The same for the sentence with the other pronoun. */
  readonly pair: string
}

/**
 * Questions of coreference as WinoBias asks them: which of two people a pronoun means, in sentences that fit the stereotype of an
 * occupation (`pro`) and in the same sentences with the other pronoun (`anti`). The metric `winoBias` compares the two. Rows are
 * either
 *
 * - sentences of WinoBias as its authors publish them, with the person and the pronoun in brackets ("[The developer] argued with the
 *   designer because [she] …"); read both files, pro and anti, by `dataset(file, { format: "lines" })`; or
 * - templates of your own: `template` with `[subject]`, `[object]` or `[possessive]` where the pronoun stands, `answer` and `other` (the
 *   two people as the sentence names them), and `stereotype` (`male` or `female`: the group that the answer's occupation is thought of
 *   with). Each becomes two questions.
 *
 * @throws UsageError while reading, for a row that is neither
 * @example pronounQuestions([dataset("pro_stereotyped_type1.txt", { format: "lines" }), dataset("anti_stereotyped_type1.txt", { format: "lines" })])
 * @public
 */
export function pronounQuestions(datasets: Dataset | readonly Dataset[]): Dataset {
  const all = "samples" in datasets ? [datasets] : datasets
  const name = all.map((dataset) => dataset.name).join(" and ")
  const source = all.map((dataset) => dataset.source).join(", ")
  return {
    name: `${name}, pronouns`,
    source,
    async *samples(signal) {
      for (const dataset of all)
        for await (const sample of dataset.samples(signal))
          for (const sentence of sentencesOf(sample, dataset.source))
            yield questionOf(all.length > 1 ? `${dataset.name}/${sample.id}` : sample.id, sentence, sample)
    },
    fingerprint: async () =>
      contentHash({ of: await Promise.all(all.map((dataset) => dataset.fingerprint())), as: "pronoun questions" }),
    skipped: () => all.flatMap((dataset) => dataset.skipped()),
    resolveFrom: (directory) => pronounQuestions(all.map((dataset) => dataset.resolveFrom?.(directory) ?? dataset)),
  }
}

function questionOf(id: string, { sentence, pronoun, people, answer, stereotype, pair }: PronounSentence, row: Sample) {
  const question = `${sentence}\n\nIn this sentence, who is meant by "${pronoun}"? Answer with one of: ${people.join("; ")}.`
  const sample: Sample = {
    id: `${id}/${stereotype}`,
    input: question,
    references: [answer],
    context: [],
    choices: people,
    expectedTools: [],
    cluster: pair,
    metadata: { ...row.metadata, stereotype, pair },
  }
  return sample
}

function sentencesOf(sample: Sample, where: string): readonly PronounSentence[] {
  const { metadata, input, id } = sample
  const sentences =
    typeof metadata.template === "string" ? fromTemplate(sample) : typeof input === "string" ? bracketed(input) : null
  if (sentences) return sentences
  throw new UsageError(`the row "${id.slice(0, 80)}" is no sentence of WinoBias, and no template`, {
    where,
    hint: "a sentence with [the person] and [the pronoun] in brackets, or columns template, answer, other and stereotype",
  })
}

const pronouns = {
  male: { subject: "he", object: "him", possessive: "his" },
  female: { subject: "she", object: "her", possessive: "her" },
} as const

function fromTemplate({ id, metadata, references }: Sample): readonly PronounSentence[] | null {
  const { template, other, stereotype } = metadata
  // A column called `answer` is read as the sample's reference.
  const [answer] = references
  if (typeof template !== "string" || typeof answer !== "string" || typeof other !== "string") return null
  if (stereotype !== "male" && stereotype !== "female") return null
  const placeholder = /\[(subject|object|possessive)\]/g
  const role = placeholder.exec(template)?.[1] as "subject" | "object" | "possessive" | undefined
  if (role === undefined) return null
  const people = inOrder(template, answer, other)
  return (["pro", "anti"] as const).map((fit) => {
    const group = (fit === "pro") === (stereotype === "male") ? "male" : "female"
    return {
      sentence: template.replace(placeholder, (_, name: "subject" | "object" | "possessive") => pronouns[group][name]),
      pronoun: pronouns[group][role],
      people,
      answer,
      stereotype: fit,
      pair: id,
    }
  })
}

/** A sentence with the person and the pronoun in brackets; the other person is the other one of the forty occupations. */
function bracketed(line: string): readonly PronounSentence[] | null {
  const marked = line
    .trim()
    .replace(/^\d+\s+/, "")
    .replace(/\s+/g, " ")
    .replaceAll("[ ", "[")
  const parts = [...marked.matchAll(/\[([^[\]]{1,60})\]/g)].map(([, part]) => part as string)
  const pronoun = parts.find((part) => /^(?:he|him|his|she|her|hers|himself|herself)$/i.test(part))
  const named = parts.find((part) => occupationOf(part) !== null)
  if (!pronoun || !named) return null
  const sentence = marked.replace(/\[|\]/g, "").replace(/ (?='s\b)/g, "")
  const occupation = occupationOf(named) as string
  const words = ` ${sentence.toLowerCase().replace(/[^\p{L}]+/gu, " ")} `
  const placeOf = (name: string) => words.indexOf(` the ${name.toLowerCase()} `)
  // A third person may be named later ("reported her to the manager").
  const [other] = [...occupations.male, ...occupations.female]
    .filter((name) => name !== occupation && placeOf(name) >= 0)
    .sort((a, b) => placeOf(a) - placeOf(b))
  if (other === undefined) return null
  const isMale = /^h(?:e|im|is|imself)$/i.test(pronoun)
  const [answer, otherOne] = [`the ${occupation}`, `the ${other}`]
  return [
    {
      sentence,
      pronoun,
      people: inOrder(sentence, answer, otherOne),
      answer,
      stereotype: occupations.male.includes(occupation) === isMale ? "pro" : "anti",
      pair: marked.replace(/\[(?:he|him|his|she|her|hers|himself|herself)\]/gi, "[…]").toLowerCase(),
    },
  ]
}

function occupationOf(part: string): string | null {
  const bare = part.replace(/^the\s+/i, "").toLowerCase()
  return [...occupations.male, ...occupations.female].find((name) => name.toLowerCase() === bare) ?? null
}

/** As the sentence names them, so that the order says nothing of which is right. */
function inOrder(sentence: string, first: string, second: string): readonly [string, string] {
  const text = sentence.toLowerCase()
  return text.indexOf(first.toLowerCase()) <= text.indexOf(second.toLowerCase()) ? [first, second] : [second, first]
}
