import { describe, expect, it } from "vitest"
import { readability } from "../../../metrics/diversity/readability.ts"
import { ungroundedFacts } from "../../../metrics/hallucination/ungrounded-facts.ts"
import { meteor } from "../../../metrics/overlap/meteor.ts"
import { rouge } from "../../../metrics/overlap/rouge.ts"
import { contextRecall } from "../../../metrics/retrieval/context-precision.ts"
import { entityRecall } from "../../../metrics/retrieval/entity-recall.ts"
import { groundedness } from "../../../metrics/retrieval/groundedness.ts"
import { refusal } from "../../../metrics/safety/refusal.ts"
import { contentWords } from "../../../metrics/statements/content-words.ts"
import { extractFacts } from "../../../metrics/statements/facts.ts"
import type { Metric } from "../../../src/core/metric/metric.ts"
import { languageOfText, loadDetector } from "../../../src/text/language.ts"
import { isRefusal } from "../../../src/text/refusal.ts"
import { scoreOf } from "../lexical-fixtures.ts"
import { unfoundedFigures } from "./script-texts.ts"

const zh = ["这座桥由王伟于1871年建造，长三百米。"]
const de = ["Die Rückerstattung dauert fünf Werktage. Der Kundendienst hilft weiter."]

describe("languages that a metric of words measures", () => {
  it.each([
    ["这座桥由王伟于1871年建造。", 1, 0],
    ["这座桥由李雷于1999年建造。", 0, 1],
    ["这座桥由李雷于１９９９年建造。", 0, 1],
  ])("finds words and numbers of Chinese: %s", async (text, grounded, flagged) => {
    expect(await scoreOf(groundedness(), text, [], { context: zh })).toBe(grounded)
    expect(await scoreOf(ungroundedFacts(), text, [], { context: zh })).toBe(flagged)
  })

  it("finds words of Japanese", async () => {
    const reference = ["橋は1871年に完成した。"]
    expect(
      await scoreOf(contextRecall(), "", reference, { context: ["その橋は1871年に完成したと記録されている。"] }),
    ).toBe(1)
  })

  it("takes no noun of German for a name", async () => {
    await loadDetector()
    const text = "Die Rückerstattung dauert fünf Werktage, sagt der freundliche Kundendienst am Telefon."
    expect(extractFacts(text).map(({ text: fact }) => fact)).toEqual([])
    expect(await scoreOf(ungroundedFacts(), text, [], { context: de })).toBe(0)
  })

  it.each([
    ["Polish", "Zwrot pieniędzy trwa pięć dni roboczych, jak mówi nasz dział obsługi klienta."],
    ["Amharic", "ገንዘቡ በአምስት ቀን ውስጥ ይመለሳል።"],
    ["Thai", "การคืนเงินใช้เวลาห้าวันทำการ"],
    ["Russian", "Возврат денег занимает пять рабочих дней."],
    ["Tamil", "பணத்தைத் திரும்பப் பெற ஐந்து நாட்கள் ஆகும்."],
  ])("leaves %s unscored", async (_, text) => {
    for (const metric of [
      groundedness(),
      ungroundedFacts(),
      entityRecall(),
      refusal(),
      readability(),
    ] as unknown as Metric<number>[])
      expect(await scoreOf(metric, text, [text], { context: [text] }), metric.name).toMatch(/^language: /)
  })

  it("leaves METEOR of texts without blanks unscored, unless its tokens are stated", async () => {
    expect(await scoreOf(meteor(), "我们在这里", ["我们在那里"])).toMatch(/^language: .*char/)
    expect(await scoreOf(meteor({ tokenize: "whitespace" }), "我们在这里", ["我们在那里"])).toBe(0)
  })

  it.each(["价格是42元", "कीमत 42 रुपये है", "цена 42 рубля, GPT"])(
    "measures no ROUGE by digits and Latin terms alone: %s",
    async (text) => {
      expect(await scoreOf(rouge(), text, [text])).toMatch(/^language: /)
      expect(await scoreOf(rouge({ stem: false }), text, [text])).toBe(1)
    },
  )

  it("counts no greeting, thanks, offer or question as a claim", async () => {
    const context = ["The bridge was finished in 1871."]
    const curt = "The bridge was finished in 1871."
    const polite = `Hi Ann! Thank you for asking. ${curt} I'm happy to help. Is there anything else?`
    for (const text of [curt, polite]) expect(await scoreOf(groundedness(), text, [], { context })).toBe(1)
    expect(await scoreOf(groundedness(), "Hello! How can I help you?", [], { context })).toMatch(/^abstained/)
  })
})

describe("refusals in ten languages", () => {
  it.each([
    "Ich kann Ihnen dabei leider nicht helfen.",
    "Es tut mir leid, aber dabei kann ich nicht helfen.",
    "Je ne peux pas vous aider avec cela.",
    "Lo siento, no puedo ayudar con eso.",
    "Mi dispiace, non posso aiutarti.",
    "Não posso ajudar com isso.",
    "Dat kan ik niet doen.",
    "抱歉，我无法帮助您。",
    "申し訳ありませんが、お手伝いできません。",
    "죄송하지만 도와드릴 수 없습니다.",
    "**I can't help with that.**",
  ])("reads %s", (text) => expect(isRefusal(text)).toBe(true))

  it.each([
    "I'm sorry to hear that! Restart the router.",
    '"I cannot let you pass," the guard said.',
    "I cannot recommend this film enough: see it twice.",
    "I can't wait to help you! Restart it.",
    "Es tut mir leid! Starten Sie den Router neu.",
    "Je suis désolé d'apprendre cela. Redémarrez.",
    "Siento mucho oír eso. Reinicie.",
    "很抱歉听到这个消息！请重新启动。",
    "La commande ne peut pas être annulée.",
  ])("reads none in %s", (text) => expect(isRefusal(text)).toBe(false))
})

it("tells languages by script where it can, and is silent on short texts of Latin letters", async () => {
  await loadDetector()
  const lines = [
    "Paris",
    "42",
    "The capital of France is Paris.",
    "Es tut mir leid, dabei kann ich nicht helfen.",
    "かな",
    "漢字",
    "한국어",
    "Привет",
  ]
  expect(lines.map(languageOfText)).toEqual([null, null, "en", "de", "ja", "zh", "ko", "Cyrl"])
})

it("leaves English content words as they were", () => {
  expect(contentWords("The cat sat on 3.5 mats, so die or wander in a van.")).toEqual([
    "cat",
    "sat",
    "3.5",
    "mats",
    "die",
    "wander",
    "van",
  ])
})

it("gives 200 texts of thirty scripts no figure without a basis", async () => {
  expect(await unfoundedFigures(200)).toEqual([])
})
