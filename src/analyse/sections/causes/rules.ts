import { inputText, type Sample } from "../../../core/sample.ts"
import { languageOfText } from "../../../text/language.ts"
import { type RuleName, regressionWords, type TraitKind } from "../../../wording/sections/regressions.ts"
import { crossedAxes } from "../slices/section.ts"
import type { SliceAxis } from "../slices/slice-axis.ts"
import { inputWordsOf, type Trait } from "./answer-traits.ts"
import { minSamples, type Rule } from "./find-causes.ts"

/** Samples that are looked at, about, evenly over the data set. */
const maxSamples = 10_000
/** Different words, or traits, that are kept. */
const maxTerms = 100_000
/** Characters of an input that its language is read from. */
const languageCharacters = 300

/** Which samples have which terms: their positions, in any order. */
export type Postings<Term extends string> = Map<Term, number[]>

export function addTerms<Term extends string>(to: Postings<Term>, position: number, terms: Iterable<Term>): void {
  for (const term of terms) {
    const positions = to.get(term)
    if (positions) positions.push(position)
    else if (to.size < maxTerms) to.set(term, [position])
  }
}

/** The inputs of the samples that are looked at. */
export interface Inputs {
  readonly words: Postings<string>
  /** The beginning of each, by position. */
  readonly texts: Map<number, string>
  add(position: number, sample: Sample): void
}

/** @param samples of the data set */
export function createInputs(samples: number): Inputs {
  const every = Math.max(1, Math.ceil(samples / maxSamples))
  const words: Postings<string> = new Map()
  const texts = new Map<number, string>()
  return {
    words,
    texts,
    add(position, sample) {
      if (position % every !== 0) return
      const text = inputText(sample)
      texts.set(position, text.slice(0, languageCharacters))
      addTerms(words, position, inputWordsOf(text))
    },
  }
}

/** Rules of the inputs: fields, what two of them share, languages where their detector is loaded, words. */
export function inputRules({ texts, words }: Inputs, axes: readonly SliceAxis[]): readonly Rule[] {
  const positions = [...texts.keys()]
  const membersOf = new Map(axes.map((axis) => [axis, membersBy(axis, positions)]))
  const name = ({ title, slices }: SliceAxis, slice: number) => ({ title, value: slices[slice] as string })
  const single = axes.flatMap((axis) =>
    (membersOf.get(axis) ?? []).map((inside, slice) =>
      rule({ kind: "fields", fields: [name(axis, slice)] }, 1, inside),
    ),
  )
  const crossed = crossedAxes(axes).flatMap(([first, second]) =>
    (membersOf.get(first) ?? []).flatMap((row, i) => {
      const cells = membersBy(second, row)
      return cells.map((inside, j) => {
        const within = [row, membersOf.get(second)?.[j] ?? []]
        return { ...rule({ kind: "fields", fields: [name(first, i), name(second, j)] }, 2, inside), within }
      })
    }),
  )
  const languages: Postings<string> = new Map()
  for (const [position, text] of texts) {
    const language = languageOfText(text)
    if (language !== null) addTerms(languages, position, [language])
  }
  const spoken = [...languages].map(([value, inside]) =>
    rule({ kind: "fields", fields: [{ title: regressionWords.inputLanguage, value }] }, 1.5, inside),
  )
  const ofWords = [...words].map(([word, inside]) => rule({ kind: "input words", words: [word] }, 3, inside))
  return [...single, ...crossed, ...spoken, ...ofWords].filter(({ inside }) => inside.length >= minSamples)
}

function rule(name: RuleName, length: number, inside: readonly number[]): Rule {
  return { name, side: "input", length, inside }
}

function membersBy({ slices, of }: SliceAxis, positions: readonly number[]): readonly number[][] {
  const members = slices.map((): number[] => [])
  for (const position of positions) members[of[position] as number]?.push(position)
  return members
}

/** The answers of a variant to the samples that are looked at. */
export interface AnswerTraits {
  readonly traits: Postings<Trait>
  /** Characters by position; of repeats together. */
  readonly lengths: Map<number, number>
}

/** Rules of a candidate's answers beside the baseline's: what they have and those have not, or lack; how long they are. */
export function answerRules(baseline: AnswerTraits, candidate: AnswerTraits): readonly Rule[] {
  const both = (position: number) => baseline.lengths.has(position) && candidate.lengths.has(position)
  const rules = [...new Set([...baseline.traits.keys(), ...candidate.traits.keys()])].flatMap((trait) => {
    const colon = trait.indexOf(":")
    const [kind, value] = [trait.slice(0, colon) as TraitKind, trait.slice(colon + 1)]
    const [before, after] = [new Set(baseline.traits.get(trait)), new Set(candidate.traits.get(trait))]
    const gained = [...after].filter((position) => !before.has(position) && both(position))
    const lost = [...before].filter((position) => !after.has(position) && both(position))
    const length = lengthOf(kind)
    const name = { kind: "answer", trait: kind, value } as const
    return [
      { ...rule({ ...name, isMissing: false }, length, gained), reverse: lost },
      { ...rule({ ...name, isMissing: true }, length + 0.1, lost), reverse: gained },
    ]
  })
  const shorter: number[] = []
  const longer: number[] = []
  for (const [position, before] of baseline.lengths) {
    const after = candidate.lengths.get(position)
    if (after === undefined) continue
    if (2 * after < before) shorter.push(position)
    if (after > 2 * before) longer.push(position)
  }
  const lengths = [
    { ...rule({ kind: "answer length", isShorter: true }, 1.6, shorter), reverse: longer },
    { ...rule({ kind: "answer length", isShorter: false }, 1.6, longer), reverse: shorter },
  ]
  return [...rules, ...lengths]
    .filter(({ inside }) => inside.length >= minSamples)
    .map((entry) => ({ ...entry, side: "answer" }))
}

/** What is said of an answer first, where it is true of the same losses: its end or a refusal before its form, words last. */
function lengthOf(kind: TraitKind): number {
  if (kind === "word") return 2
  if (kind === "begins" || kind === "ends") return 1.4
  return kind === "number form" || kind === "markup" || kind === "upper case" || kind === "number" ? 1.2 : 1
}
