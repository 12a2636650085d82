import { createRandom } from "../../src/core/random.ts"
import type { RecordedRow } from "../../src/providers/recorded/recorded-row.ts"

const languages = {
  en: {
    refunds: ["How long does the refund for order", "take?", "Refunds for order", "take", "working days"],
    shipping: ["When will the parcel with order", "arrive?", "Parcels with order", "arrive after", "working days"],
    courtesy: ["Thank you for your message! ", " Please let us know if you need anything else."],
    refusal: "I'm sorry, but I can't help with that.",
  },
  de: {
    refunds: [
      "Wie lange dauert die Rückerstattung für Bestellung",
      "?",
      "Rückerstattungen für Bestellung",
      "dauern",
      "Werktage",
    ],
    shipping: [
      "Wann kommt das Paket mit der Bestellung",
      "an?",
      "Pakete mit der Bestellung",
      "kommen an nach",
      "Werktagen",
    ],
    courtesy: ["Vielen Dank für Ihre Nachricht! ", " Bei weiteren Fragen stehen wir Ihnen gerne zur Verfügung."],
    refusal: "Es tut mir leid, dabei kann ich Ihnen nicht helfen.",
  },
  fr: {
    refunds: [
      "Combien de temps prend le remboursement de la commande",
      "?",
      "Les remboursements de la commande",
      "prennent",
      "jours ouvrés",
    ],
    shipping: [
      "Quand arrive le colis de la commande",
      "?",
      "Les colis de la commande",
      "arrivent après",
      "jours ouvrés",
    ],
    courtesy: ["Merci pour votre message ! ", " N'hésitez pas à nous contacter."],
    refusal: "Je suis désolé, je ne peux pas vous aider.",
  },
  es: {
    refunds: ["¿Cuánto tarda el reembolso del pedido", "?", "Los reembolsos del pedido", "tardan", "días laborables"],
    shipping: [
      "¿Cuándo llega el paquete del pedido",
      "?",
      "Los paquetes del pedido",
      "llegan después de",
      "días laborables",
    ],
    courtesy: ["¡Gracias por su mensaje! ", " No dude en contactarnos."],
    refusal: "Lo siento, no puedo ayudarle con eso.",
  },
} as const

/** What is true of the set: shares over its 400 questions, or over the 50 of German refunds. */
export const supportTruth = {
  right: { today: 1 - 34 / 400, candidate: 1 - 68 / 400 },
  germanRefunds: { today: 1 - 4 / 50, candidate: 1 - 27 / 50 },
  refusals: { today: 2 / 400, candidate: 21 / 400 },
} as const

/**
 * Questions to a shop's support in four languages and on two topics, 50 each, with the answers of two models: the candidate is worse by 8.5
 * points, in German refunds by 46, and refuses ten times as often. Of its wrong answers that are no refusals each states a number that no
 * passage holds. Today's model is polite, the candidate curt. Seeded.
 */
export function supportSet(seed: string) {
  const random = createRandom(seed)
  let orders = 40_000
  const samples = Object.entries(languages).flatMap(([language, words]) =>
    (["refunds", "shipping"] as const).flatMap((topic) =>
      Array.from({ length: 50 }, (_, i) => {
        const [ask, end, subject, verb, unit] = words[topic]
        const order = orders++
        const days = 2 + random.integer(30)
        const fact = (number: number) => `${subject} ${order} ${verb} ${number} ${unit}.`
        return {
          ...{ id: `${language}-${topic}-${i}`, input: `${ask} ${order} ${end}`, context: [fact(days)] },
          ...{ reference: `${verb} ${days} ${unit}`, language, topic },
          ...{ right: fact(days), wrong: fact(days + 40 + random.integer(40)), words },
        }
      }),
    ),
  )
  const answers = (name: "today" | "candidate"): RecordedRow[] => {
    const of = (isMeant: (language: string, topic: string) => boolean) =>
      random.shuffle(samples.filter(({ language, topic }) => isMeant(language, topic)).map(({ id }) => id))
    const isRefund = (language: string, topic: string) => language === "de" && topic === "refunds"
    const others = of((language, topic) => !isRefund(language, topic))
    const refunds = of(isRefund)
    const [wrongRefunds, wrongOthers, refused] = name === "today" ? [4, 30, 2] : [27, 41, 21]
    const wrong = new Set([...refunds.slice(0, wrongRefunds), ...others.slice(0, wrongOthers)])
    const refusing = new Set(others.slice(0, refused))
    return samples.map(({ id, right, wrong: invented, words: { courtesy, refusal } }) => {
      const said = wrong.has(id) ? invented : right
      const polite = name === "today" ? `${courtesy[0]}${said}${courtesy[1]}` : said
      return { id, text: refusing.has(id) ? refusal : polite, ttftMs: 100, e2eMs: 200 }
    })
  }
  const rows = samples.map(({ right: _, wrong: __, words: ___, ...sample }) => sample)
  return { samples: rows, today: answers("today"), candidate: answers("candidate") }
}
