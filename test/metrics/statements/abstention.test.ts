import { describe, expect, it } from "vitest"
import { ungroundedFacts } from "../../../metrics/hallucination/ungrounded-facts.ts"
import { groundedness } from "../../../metrics/retrieval/groundedness.ts"
import { abstains } from "../../../metrics/statements/abstention.ts"
import { scoreOf } from "../lexical-fixtures.ts"

describe("abstains", () => {
  it.each([
    "I do not know.",
    "I don’t know",
    "We cannot determine this from the text.",
    "I'm not sure.",
    "The passages do not mention her birth.",
    "The provided context doesn't contain this.",
    "The documents provided do not say when.",
    "The date is not stated in the passage.",
    "Her age is not mentioned.",
    "This cannot be determined from the passages.",
    "There is not enough information to answer.",
    "The text gives no information about it.",
    "Unanswerable",
    "Not stated.",
  ])("knows: %s", (sentence) => {
    expect(abstains(sentence)).toBe(true)
  })

  it.each([
    "Ada was born in 1815.",
    "The price does not include tax.",
    "Nobody knows who built it.",
    "He did not say a word.",
    "The museum is not in the city.",
    "No information was lost in the fire.",
    "The position of an electron cannot be determined exactly.",
    "None of the cats slept.",
  ])("takes for a statement: %s", (sentence) => {
    expect(abstains(sentence)).toBe(false)
  })
})

describe("courtesies in answers", () => {
  const context: Readonly<Record<string, string>> = {
    en: "The refund takes five working days.",
    de: "Die Rückerstattung dauert fünf Werktage.",
    fr: "Le remboursement prend cinq jours ouvrés.",
    es: "El reembolso tarda cinco días hábiles.",
    ja: "返金には五営業日かかります。",
    zh: "退款需要五个工作日。",
  }

  it.each([
    ["en", "Dear Mr Smith,\n{}\nKind regards,\nAnn Miller\nCustomer Service"],
    ["en", "Great question! {} Take care!"],
    ["de", "Guten Tag Frau Schmidt,\n{}\nMit freundlichen Grüßen\nIhr Kundenservice"],
    ["de", "Schön, dass Sie sich melden. {} Bei weiteren Fragen stehen wir Ihnen gerne zur Verfügung."],
    ["de", "Das ist eine gute Frage! {} Kein Problem! Alles Gute!"],
    ["de", "Gerne helfe ich Ihnen weiter. {} Sagen Sie einfach Bescheid, wenn Sie etwas brauchen."],
    ["fr", "Bonjour Madame Martin,\n{}\nCordialement,\nLe service client"],
    ["fr", "C'est une bonne question ! {} Je reste à votre disposition. À bientôt !"],
    ["es", "Es una buena pregunta. {} Quedo a su disposición. Hasta pronto."],
    ["ja", "いつもお世話になっております。{}またのご利用をお待ちしております。"],
    ["ja", "もちろんです。{}お役に立てれば幸いです。いつでもご連絡ください。"],
    ["zh", "当然可以！{}希望对您有帮助。祝您一切顺利。此致敬礼"],
    ["zh", "非常抱歉给您带来不便。{}欢迎随时咨询。"],
  ])("are no claims, and name nobody who must be in the passages: %s %#", async (language, words) => {
    const text = words.replace("{}", context[language] as string)
    const sample = { input: "?", context: [context[language] as string] }
    expect(await scoreOf(groundedness(), text, [], sample)).toBe(1)
    expect(await scoreOf(ungroundedFacts(), text, [], sample)).toBe(0)
  })

  it.each([
    ["en", "Thank you for your order of 999 euros."],
    ["en", "No problem, the parcel is free of charge."],
    ["de", "Drei Räume stehen im Haus zur Verfügung."],
    ["de", "Ich hoffe, dass die 300 Euro ankommen."],
    ["fr", "Nous restons fermés le lundi."],
    ["ja", "もちろん送料は無料になります。"],
    ["ja", "いつでも解約可能なプランです。"],
    ["zh", "当然，运费是免费的。"],
    ["zh", "感谢您支付的999元。"],
  ])("are claims where they state something: %s %s", async (language, claim) => {
    const sample = { input: "?", context: [context[language] as string] }
    expect(await scoreOf(groundedness(), `${context[language]} ${claim}`, [], sample)).toBe(0.5)
  })

  it("leave numbers of the question alone", async () => {
    const sample = { input: "Where are my 999 euros?", context: [context.en as string] }
    expect(await scoreOf(groundedness(), `Thank you for the 999 euros. ${context.en}`, [], sample)).toBe(1)
  })
})
