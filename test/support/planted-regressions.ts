import { exactMatch } from "../../metrics/match/exact-match.ts"
import { type MetricCauses, readCauses } from "../../src/analyse/sections/causes/read-causes.ts"
import { createInputs } from "../../src/analyse/sections/causes/rules.ts"
import { readAxes } from "../../src/analyse/sections/slices/read-axes.ts"
import type { Generation } from "../../src/core/generation.ts"
import type { ScoredVariant } from "../../src/core/metric/scored-variant.ts"
import type { Outcome } from "../../src/core/outcome.ts"
import { createRandom } from "../../src/core/random.ts"
import type { Sample } from "../../src/core/sample.ts"
import { regressionWords } from "../../src/wording/sections/regressions.ts"

const metric = exactMatch()
const languages = ["en", "de", "fr", "es"] as const
const topics = ["refunds", "shipping", "billing", "account", "returns"] as const
const channels = ["mail", "chat", "phone"] as const

const texts = {
  en: ["Please tell me about", "The parcel of this order weighs", "and it was sent by our warehouse on"],
  de: [
    "Bitte sagen Sie mir etwas über",
    "Das Paket dieser Bestellung wiegt",
    "und wurde von unserem Lager verschickt am",
  ],
  fr: [
    "Veuillez me renseigner sur",
    "Le colis de cette commande pèse",
    "et notre entrepôt nous dit qu'il est parti le",
  ],
  es: ["Por favor infórmeme sobre", "El paquete de este pedido pesa", "y salió de nuestro almacén central el día"],
} as const

const fillers = "order urgent customer yesterday number question today address delay package sender window".split(" ")

interface Item {
  readonly language: keyof typeof texts
  readonly topic: (typeof topics)[number]
  readonly channel: (typeof channels)[number]
  readonly isJson: boolean
  readonly words: readonly string[]
  readonly weight: number
  readonly day: number
  readonly price: number
}

interface Reply {
  readonly text: string
  readonly outcome?: Outcome
  readonly tools?: readonly string[]
}

function reply({ language, isJson, weight, day, price, topic }: Item): Reply {
  const [, first, second] = texts[language]
  const facts = [`${weight}.5 kg`, `2026-03-${10 + day}`, `$${price}`] as const
  const text = isJson
    ? JSON.stringify({ weight: facts[0], day: facts[1], price: facts[2] })
    : `${first} ${facts[0]} ${second} ${facts[1]}: ${facts[2]}.`
  return { text, ...(topic === "account" && { tools: ["find_account"] }) }
}

const textual = ({ isJson }: Item) => !isJson
const rewritten = (change: (text: string) => string) => (item: Item) => ({
  ...reply(item),
  text: change(reply(item).text),
})
const wrong = rewritten((text) => text.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10)))

/** A regression: which samples it is in, how often, what the answers are then, and patterns of what must be named, all in one line. */
export interface Plant {
  readonly where: (item: Item) => boolean
  readonly rate: number
  readonly reply: (item: Item) => Reply
  readonly named: readonly RegExp[]
}

export const plants: Readonly<Record<string, Plant>> = {
  "one language": { where: ({ language }) => language === "de", rate: 0.4, reply: wrong, named: [/language de\b/] },
  "one topic": { where: ({ topic }) => topic === "refunds", rate: 0.4, reply: wrong, named: [/topic refunds/] },
  "one channel": { where: ({ channel }) => channel === "phone", rate: 0.35, reply: wrong, named: [/channel phone/] },
  "language and topic": {
    where: ({ language, topic }) => language === "de" && topic === "refunds",
    rate: 0.7,
    reply: wrong,
    named: [/language de and topic refunds/],
  },
  "channel and topic": {
    where: ({ channel, topic }) => channel === "chat" && topic === "billing",
    rate: 0.7,
    reply: wrong,
    named: [/channel chat and topic billing|topic billing and channel chat/],
  },
  "a word of the input": {
    where: ({ words }) => words.includes("delay"),
    rate: 0.5,
    reply: wrong,
    named: [/input with [^;]*"delay"/],
  },
  "long prompts": { where: ({ words }) => words.length >= 8, rate: 0.5, reply: wrong, named: [/prompt length/] },
  "refusals of one topic": {
    where: ({ topic }) => topic === "returns",
    rate: 0.4,
    reply: () => ({ text: "I'm sorry, but I can't help with that." }),
    named: [/answer refuses/, /topic returns/],
  },
  truncation: {
    where: textual,
    rate: 0.12,
    reply: (item) => ({ text: reply(item).text.slice(0, 45), outcome: "length" }),
    named: [/cut off at the token limit/],
  },
  "empty answers": {
    where: () => true,
    rate: 0.1,
    reply: () => ({ text: "", outcome: "empty" }),
    named: [/answer is empty/],
  },
  "English in place of German": {
    where: (item) => item.language === "de" && !item.isJson,
    rate: 0.6,
    reply: (item) => reply({ ...item, language: "en" }),
    named: [/is in English|no longer German/],
  },
  "another unit": {
    where: () => true,
    rate: 0.15,
    reply: rewritten((text) => text.replace("kg", "lb")),
    named: [/has "lb"|lacks "kg"/],
  },
  "another currency": {
    where: () => true,
    rate: 0.15,
    reply: rewritten((text) => text.replace("$", "€")),
    named: [/has "€"|lacks "\$"/],
  },
  "decimal commas": {
    where: () => true,
    rate: 0.15,
    reply: rewritten((text) => text.replace(".5", ",5")),
    named: [/numbers as 9[.,]9/],
  },
  "another form of dates": {
    where: () => true,
    rate: 0.15,
    reply: rewritten((text) => text.replace(/2026-03-(\d+)/, "$1/03/2026")),
    named: [/numbers as 9(?:\/9\/9|-9-9)/],
  },
  "JSON with words around": {
    where: ({ isJson }) => isJson,
    rate: 0.6,
    reply: rewritten((text) => `Here you are: ${text} Anything else?`),
    named: [/no longer JSON/],
  },
  "a code fence": {
    where: () => true,
    rate: 0.15,
    reply: rewritten((text) => `\`\`\`\n${text}\n\`\`\``),
    named: [/code fence|with `/],
  },
  "a list in place of a sentence": {
    where: textual,
    rate: 0.15,
    reply: ({ weight, day, price }) => ({ text: `- ${weight}.5 kg\n- 2026-03-${10 + day}\n- $${price}` }),
    named: [/has a list|begins with -/],
  },
  "a missing tool call": {
    where: ({ topic }) => topic === "account",
    rate: 0.6,
    reply: (item) => ({ text: reply(item).text }),
    named: [/no longer calls find_account/],
  },
  capitals: { where: () => true, rate: 0.12, reply: rewritten((text) => text.toUpperCase()), named: [/in capitals/] },
}

/** How a swap that breaks nothing changes answers by chance: chances of a loss and of a gain, and what right answers become. */
export interface Clean {
  readonly loss: (item: Item) => number
  readonly gain: (item: Item) => number
  readonly style?: (text: string) => string
  readonly unknown?: string
}

const rates = [0.02, 0.05, 0.1, 0.2]
export const cleanSwaps: readonly Clean[] = rates.flatMap((rate): Clean[] => {
  const hard = ({ topic }: Item) => rate * (topic === "billing" ? 3 : 0.5)
  return [
    { loss: () => rate, gain: () => 4 * rate },
    // One topic is harder: more of its answers change, either way.
    { loss: hard, gain: (item) => 4 * hard(item) },
    { loss: () => rate, gain: () => 4 * rate, style: (text) => `Thank you for asking! **${text}**` },
    // Wrong answers have words of their own.
    { loss: () => rate, gain: () => 4 * rate, unknown: "That is not known to me, I fear." },
    // Worse throughout: nothing tells where.
    { loss: () => 2 * rate, gain: () => rate },
  ]
})

const size = 400

/** The lines of what broke in a swap, the first first. */
export async function linesOf(
  seed: string,
  { plant, clean, clusterSize = 1 }: { plant?: Plant; clean?: Clean; clusterSize?: number },
): Promise<readonly string[]> {
  const random = createRandom(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random.next() * list.length)] as T
  const clusterOf = (i: number) => Math.floor(i / clusterSize)
  const ofCluster = Array.from({ length: Math.ceil(size / clusterSize) }, () => ({
    ...{ language: pick(languages), topic: pick(topics), channel: pick(channels), isJson: random.next() < 0.25 },
    draws: [random.next(), random.next()] as const,
  }))
  // Two draws that are of the cluster's with probability √½ each are alike with intraclass correlation ½.
  const drawsOf = (i: number) =>
    (ofCluster[clusterOf(i)]?.draws ?? []).map((shared) =>
      clusterSize > 1 && random.next() < Math.SQRT1_2 ? shared : random.next(),
    )
  const items = Array.from(
    { length: size },
    (_, i): Item => ({
      ...ofCluster[clusterOf(i)]!,
      words: fillers.filter(() => random.next() < 0.5),
      ...{
        weight: 1 + Math.floor(random.next() * 80),
        day: Math.floor(random.next() * 19),
        price: 10 + Math.floor(random.next() * 900),
      },
    }),
  )
  const samples = items.map(
    (item, i): Sample => ({
      ...{ id: `q${i}`, references: [], context: [], choices: [], expectedTools: [] },
      input: `${texts[item.language][0]} ${item.topic} ${item.words.join(" ")}`,
      metadata: {
        language: item.language,
        topic: item.topic,
        channel: item.channel,
        format: item.isJson ? "json" : "text",
      },
    }),
  )
  const failed = (item: Item) => (clean?.unknown ? { text: clean.unknown } : wrong(item))
  const answers = items.map((item, i) => {
    const [right = 0, noise = 0] = drawsOf(i)
    const wasRight = right < 0.8
    const before: Reply & { readonly isRight: boolean } = {
      isRight: wasRight,
      ...(wasRight ? reply(item) : failed(item)),
    }
    const draw = random.next()
    const planted = plant?.where(item) && draw < plant.rate ? plant.reply(item) : null
    const isRight = planted
      ? false
      : wasRight
        ? noise >= (clean?.loss(item) ?? 0.02)
        : noise < (clean?.gain(item) ?? 0.08)
    const unplanted = isRight === wasRight ? before : isRight ? reply(item) : failed(item)
    const after = planted ?? { ...unplanted, text: clean?.style?.(unplanted.text) ?? unplanted.text }
    return [before, { ...after, isRight }] as const
  })
  const variants = (["before", "after"] as const).map((name, side): ScoredVariant => {
    const rows = answers.map((pair, i) => {
      const value = Number(pair[side]?.isRight)
      const cluster = clusterSize > 1 ? { cluster: `c${clusterOf(i)}` } : {}
      return { sampleId: `q${i}`, repeat: 0, measured: { status: "scored", row: value } as const, value, ...cluster }
    })
    return { name, answers: [], rows: new Map([[metric.name, rows]]) }
  })
  const inputs = createInputs(size)
  const read = await readAxes(samples, {
    samples: size,
    names: null,
    turn: () => undefined,
    others: new Map(),
    see: inputs.add,
  })
  const generationsTo = (_: string, variant: string, ids: readonly string[]) =>
    ids.map((sampleId) => {
      const {
        text,
        outcome = "ok",
        tools = [],
      }: Reply = answers[Number(sampleId.slice(1))]![variant === "before" ? 0 : 1]
      return { sampleId, text, outcome, toolCalls: tools.map((name) => ({ name })) } as unknown as Generation
    })
  const result = await readCauses({
    ...{ store: { generationsTo }, runId: "r", baseline: variants[0]!, candidates: [variants[1]!], read, inputs },
    evaluation: { metrics: [metric], primary: [metric.name], alpha: 0.05, missing: "worst" },
    turn: () => undefined,
  })
  return (result.get("after") ?? []).flatMap(({ causes }: MetricCauses) =>
    causes.map(({ name, partner, elsewhere }) => regressionWords.rule(name, partner, elsewhere === null)),
  )
}
