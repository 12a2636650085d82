import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { distractorSentence, fillerSentence, foreignSentence } from "../../../datasets/perturb/added-sentence.ts"
import { injectedInstruction, secretProbe } from "../../../datasets/perturb/attacks.ts"
import { choiceOrder } from "../../../datasets/perturb/choice-order.ts"
import { compose } from "../../../datasets/perturb/compose.ts"
import { contextOrder, truncatedContext } from "../../../datasets/perturb/context-changes.ts"
import { contractions } from "../../../datasets/perturb/contractions.ts"
import { homoglyphs, homoglyphTwins } from "../../../datasets/perturb/homoglyphs.ts"
import { invisible, invisibleCharacters } from "../../../datasets/perturb/invisible-characters.ts"
import { letterCase } from "../../../datasets/perturb/letter-case.ts"
import { numberOfWord, numberWords } from "../../../datasets/perturb/number-words.ts"
import { numerals } from "../../../datasets/perturb/numerals.ts"
import { paraphraseTemplate } from "../../../datasets/perturb/paraphrase-template.ts"
import type { Perturbation } from "../../../datasets/perturb/perturbation.ts"
import { perturbed } from "../../../datasets/perturb/perturbed.ts"
import { phoneticTypos } from "../../../datasets/perturb/phonetic-typos.ts"
import { punctuation } from "../../../datasets/perturb/punctuation.ts"
import { synonyms } from "../../../datasets/perturb/synonyms.ts"
import { typoKinds, typos } from "../../../datasets/perturb/typos.ts"
import { whitespace } from "../../../datasets/perturb/whitespace.ts"
import { createRandom } from "../../../src/core/random.ts"
import { inputText, type Sample } from "../../../src/core/sample.ts"
import { fakeSample } from "../../support/fake-variant.ts"

const thesaurus = { synonyms: (word: string) => (word === "repaired" ? ["fixed", "repaired"] : []) }

const all: readonly Perturbation[] = [
  ...typoKinds.map((kind) => typos({ name: `typos-${kind}`, kinds: [kind] })),
  typos(),
  phoneticTypos(),
  phoneticTypos({ name: "soundex-typos", code: "soundex" }),
  letterCase(),
  letterCase({ to: "upper" }),
  letterCase({ to: "title" }),
  letterCase({ to: "alternating" }),
  whitespace(),
  punctuation(),
  punctuation({ change: "repeat" }),
  punctuation({ change: "ellipsis" }),
  contractions(),
  numerals(),
  numerals({ to: "digits" }),
  synonyms({ thesaurus: async () => thesaurus }),
  homoglyphs(),
  invisibleCharacters(),
  fillerSentence(),
  distractorSentence(),
  foreignSentence({ place: "after" }),
  paraphraseTemplate(),
  choiceOrder(),
  contextOrder(),
  truncatedContext(),
  injectedInstruction(),
  secretProbe(),
  compose("messy", [letterCase(), typos(), punctuation()]),
]

function sampleOf(input: Sample["input"], extra: Partial<Sample> = {}): Sample {
  return fakeSample("s", {
    input,
    references: ["Anna"],
    context: ["Anna repaired the car.", "Ben slept all day long."],
    choices: ["Anna", "Ben", "Carl"],
    metadata: { kept: true },
    ...extra,
  })
}

const question = "Well, who repaired the old car on 12 May? I do not know; they're 30 people."

/** The asked text after a perturbation, or the same text where it does not apply. */
async function changed(perturbation: Perturbation, text: string, seed: number | string = 1): Promise<string> {
  await perturbation.prepare?.()
  const sample = sampleOf(text)
  return inputText(perturbation.apply(sample, createRandom(seed)) ?? sample)
}

const texts = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 8 }),
    fc.constantFrom("Anna", "repaired", "12", "3.5", "don't", "will not", "Größe", "?", "", "twenty-one"),
  ),
  { maxLength: 12 },
)

describe.each(all.map((perturbation) => [perturbation.name, perturbation] as const))("%s", (_name, perturbation) => {
  it("repeats for the same seed, keeps references of preserved meaning, and never changes what it was given", async () => {
    await perturbation.prepare?.()
    fc.assert(
      fc.property(texts, fc.integer(), (words, seed) => {
        const sample = sampleOf(words.join(" "))
        const before = structuredClone(sample)
        const first = perturbation.apply(sample, createRandom(seed))
        expect(perturbation.apply(sample, createRandom(seed))).toEqual(first)
        expect(sample).toEqual(before)
        if (!first) return
        expect(first.id).toBe(sample.id)
        expect(first.metadata.kept).toBe(true)
        if (perturbation.preservesMeaning) expect(first.references).toEqual(sample.references)
        expect(first).not.toEqual(sample)
      }),
      { numRuns: 60 },
    )
  })

  it("changes a plain question", async () => {
    await perturbation.prepare?.()
    const word = sampleOf("It took twenty minutes, who repaired the car? Did Anna not do that on 12 May? Do not tell.")
    expect(perturbation.apply(word, createRandom(5))).not.toBeNull()
  })
})

describe("what is kept", () => {
  const property = (perturbation: Perturbation, keep: (text: string) => unknown) =>
    fc.assert(
      fc.asyncProperty(texts, fc.integer(), async (words, seed) => {
        const text = words.join(" ")
        expect(keep(await changed(perturbation, text, seed))).toEqual(keep(text))
      }),
      { numRuns: 60 },
    )

  it("typos keep every digit, every other character and the ends of words", () =>
    property(typos({ rate: 1 }), (text) => [
      text.replace(/\p{L}/gu, ""),
      (text.match(/\p{L}{3,}/gu) ?? []).map((word) => [...word][0]),
    ]))

  it("letter case keeps the lower-cased text", async () => {
    for (const to of ["upper", "lower", "title", "alternating"] as const) {
      expect((await changed(letterCase({ to }), question)).toLowerCase()).toBe(question.toLowerCase())
    }
  })

  it("white space keeps the words", () => property(whitespace(), (text) => text.split(/\s+/u).filter(Boolean)))

  it("punctuation keeps letters and digits", () =>
    property(punctuation({ change: "repeat" }), (text) => text.replace(/[^\p{L}\d]/gu, "")))

  it("homoglyphs can be mapped back", () => {
    const back = new Map([...homoglyphTwins].map(([latin, twin]) => [twin, latin]))
    const latin = (text: string) => [...text].map((letter) => back.get(letter) ?? letter).join("")
    return property(homoglyphs({ rate: 1 }), latin)
  })

  it("invisible characters can be taken out", () =>
    property(invisibleCharacters({ rate: 1 }), (text) =>
      [...text].filter((letter) => !(invisible as readonly string[]).includes(letter)).join(""),
    ))

  it("filler, template and foreign sentences contain the whole question", async () => {
    for (const perturbation of [fillerSentence(), distractorSentence(), foreignSentence(), paraphraseTemplate()]) {
      expect(await changed(perturbation, question)).toContain(question)
    }
  })

  it("number words read back as the same number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), (value) => {
        expect(numberOfWord(numberWords(value))).toBe(value)
      }),
    )
  })
})

describe("single cases", () => {
  it("numerals spell out whole numbers and leave decimals, times and codes unchanged", async () => {
    expect(await changed(numerals(), "What is 12 + 30? At 10:30 it cost 3.50, see A4 and 007.")).toBe(
      "What is twelve + thirty? At 10:30 it cost 3.50, see A4 and 007.",
    )
    expect(numberWords(999_999)).toBe("nine hundred ninety-nine thousand nine hundred ninety-nine")
    expect(await changed(numerals({ to: "digits" }), "Twenty-one of ten, no one else")).toBe("21 of 10, no one else")
  })

  it("contractions go both ways and keep capitals", async () => {
    expect(await changed(contractions(), "Do not say that they’re here, I can't.")).toBe(
      "Don't say that they are here, I cannot.",
    )
    expect(await changed(contractions({ to: "expanded" }), "It's Anna's; won't you?")).toBe(
      "It's Anna's; will not you?",
    )
  })

  it("synonyms replace only words of few senses", async () => {
    expect(await changed(synonyms({ thesaurus: async () => thesaurus }), "who repaired the car")).toBe(
      "who fixed the car",
    )
    const many = { synonyms: () => ["a", "b", "c", "d", "e", "f", "g", "h", "i"] }
    expect(await changed(synonyms({ thesaurus: async () => many }), "who repaired it")).toBe("who repaired it")
  })

  it("choices move with the letters that refer to them", () => {
    const sample = sampleOf("Who?", { references: ["B"], label: "B" })
    for (let seed = 0; seed < 10; seed++) {
      const moved = choiceOrder().apply(sample, createRandom(seed))!
      expect(moved.choices).not.toEqual(sample.choices)
      expect(moved.choices[moved.references[0]!.charCodeAt(0) - 65]).toBe("Ben")
      expect(moved.label).toBe(moved.references[0])
    }
    expect(choiceOrder().apply(sampleOf("Who?", { choices: [] }), createRandom(1))).toBeNull()
  })

  it("truncated context keeps the beginning of each passage and states that the meaning may be lost", () => {
    const cut = truncatedContext({ keep: 0.5 }).apply(sampleOf("Who?"), createRandom(1))!
    cut.context.forEach((passage, i) => {
      expect(sampleOf("").context[i]!.startsWith(passage)).toBe(true)
    })
    expect(truncatedContext().preservesMeaning).toBe(false)
    expect(() => truncatedContext({ keep: 1 })).toThrow(/keep must be/)
  })

  it("an injection is put into the context where there is one, else into the question, and names its canary", () => {
    const inContext = injectedInstruction().apply(sampleOf("Who?"), createRandom(3))!
    expect(inContext.context.at(-1)).toContain(String(inContext.metadata.canary))
    expect(inContext.input).toBe("Who?")
    const inText = injectedInstruction().apply(sampleOf("Who?", { context: [] }), createRandom(3))!
    expect(inText.input).toContain(String(inText.metadata.canary))
  })

  it("a secret is put into a system message before the conversation", () => {
    const probe = secretProbe().apply(sampleOf([{ role: "user", content: "Who?" }]), createRandom(3))!
    expect(probe.input).toMatchObject([{ role: "system" }, { role: "user" }])
    expect(JSON.stringify(probe.input)).toContain(String(probe.metadata.canary))
  })

  it("in a conversation only the last user turn changes", () => {
    const turns = [
      { role: "user", content: "First question" },
      { role: "assistant", content: "First answer" },
      { role: "user", content: "Second question" },
    ] as const
    const loud = letterCase({ to: "upper" }).apply(sampleOf(turns), createRandom(1))!
    expect(loud.input).toEqual([turns[0], turns[1], { role: "user", content: "SECOND QUESTION" }])
  })

  it("paraphrase templates need the text exactly once", () => {
    expect(() => paraphraseTemplate({ templates: ["{text} {text}"] })).toThrow(/exactly once/)
  })
})

describe("perturbed", () => {
  const source = inline([
    { id: "a", input: "Who repaired the car?", reference: "Anna" },
    { id: "b", input: "42", reference: "42" },
  ])
  const collect = async (perturbations: readonly Perturbation[], seed = 1) => {
    const samples: Sample[] = []
    for await (const sample of perturbed(source, { perturbations, seed }).samples()) samples.push(sample)
    return samples
  }

  it("yields each sample and its copies, which know what they are copies of", async () => {
    const samples = await collect([letterCase({ to: "upper" }), numerals()])
    expect(samples.map((sample) => sample.copyOf ?? sample.id)).toEqual([
      "a",
      { id: "a", kind: "perturbed", change: "case-upper" },
      "b",
      { id: "b", kind: "perturbed", change: "numerals-words" },
    ])
    expect(samples[1]).toMatchObject({ cluster: "a", references: ["Anna"], metadata: { perturbation: "case-upper" } })
    expect(samples[3]!.input).toBe("forty-two")
  })

  it("gives the same copies whichever other perturbations are used", async () => {
    const alone = await collect([typos()])
    const beside = await collect([letterCase(), typos()])
    const typo = (samples: readonly Sample[]) => samples.find((sample) => sample.metadata.perturbation === "typos")
    expect(typo(beside)).toEqual(typo(alone))
    expect(typo(await collect([typos()], 2))).not.toEqual(typo(alone))
  })

  it("has a fingerprint of its own for each source, set and seed", async () => {
    const print = (perturbations: readonly Perturbation[], seed = 1) =>
      perturbed(source, { perturbations, seed }).fingerprint()
    const prints = await Promise.all([print([typos()]), print([typos({ rate: 0.5 })]), print([typos()], 2), print([])])
    expect(new Set(prints).size).toBe(4)
    expect(await print([typos()])).toBe(prints[0])
  })

  it("refuses two perturbations of one name", () => {
    expect(() => perturbed(source, { perturbations: [typos(), typos()] })).toThrow(/two perturbations are called typos/)
  })
})
