import { describe, expect, it } from "vitest"
import { splitSentences } from "../../../metrics/statements/sentences.ts"
import type { LanguageCode } from "../../../metrics/text/languages/language.ts"

describe("splits at the ends of sentences", () => {
  const cases: readonly (readonly [LanguageCode | undefined, readonly string[]])[] = [
    [undefined, ["Dr. Ada came.", "She left."]],
    ["de", ["Am 3. Oktober kam z. B. Herr Dr. Maier.", "Er ging usw. dann nach Hause."]],
    ["fr", ["M. Dupont habite au no. 5.", "Il dort, p.ex. le soir."]],
    ["es", ["El Sr. Gómez llegó.", "¿Quién es?", "No lo sé."]],
    ["it", ["Il sig. Rossi è qui.", "La dott. Bianchi, ecc. no."]],
    ["nl", ["Dhr. de Vries kwam.", "Hij nam o.a. brood mee."]],
    ["no", ["Den 17. mai feirer vi.", "Det er bl.a. tog."]],
    ["sv", ["Vi åker t.ex. tåg.", "Det är bra."]],
    ["pt", ["O Sr. Silva chegou.", "A Dra. Costa não."]],
    ["ru", ["Он родился в 1990 г. в Москве.", "Сейчас он живёт на ул. Мира."]],
    ["uk", ["Він живе на вул. Шевченка.", "Це добре."]],
    ["id", ["Rumah itu di jl. Merdeka.", "Bagus sekali."]],
    ["fa", ["این چیست؟", "کتاب است."]],
  ]
  it.each(cases)("%s", (language, sentences) => {
    expect(splitSentences(sentences.join(" "), language).map(({ text }) => text)).toEqual(sentences)
  })
})

it("ends no sentence at an abbreviation of another language only", () => {
  expect(splitSentences("Er kam usw. dann.", "de")).toHaveLength(1)
  expect(splitSentences("Er kam usw. dann.")).toHaveLength(2)
})

it("gives the place of each sentence", () => {
  expect(splitSentences(" Ja. Nein.", "de")).toEqual([
    { text: "Ja.", start: 1, end: 4 },
    { text: "Nein.", start: 5, end: 10 },
  ])
})

it("stays linear on a long text", () => {
  const started = performance.now()
  expect(splitSentences("Das ist gut. ".repeat(50_000), "de")).toHaveLength(50_000)
  expect(performance.now() - started).toBeLessThan(3000)
})

it("refuses an unknown language", () => {
  expect(() => splitSentences("a.", "xx" as LanguageCode)).toThrow(/unknown language "xx"/)
})
