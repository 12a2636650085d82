import type { Metric } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import * as evalkit from "../../src/index.ts"
import { foreignGeneration } from "../../src/text/reading/foreign-generation.ts"
import { referenceTable } from "./language-references.ts"

/** What is measured in a language: a text, the same with another year, another text; an answer that refuses, and one that only regrets. */
interface LanguageTexts {
  readonly text: string
  readonly other: string
  readonly refusal: string
  readonly regret: string
}

const year = "1871"

/** By ISO 639-1 code. */
export const languageTexts: Readonly<Record<string, LanguageTexts>> = {
  en: {
    text: "The bridge was built in 1871. It is three hundred metres long.",
    other: "Your refund takes five working days, please wait.",
    refusal: "I'm sorry, but I can't help with that.",
    regret: "I'm sorry to hear that. Please restart the router.",
  },
  de: {
    text: "Die Brücke wurde im Jahr 1871 gebaut. Sie ist dreihundert Meter lang.",
    other: "Ihre Rückerstattung dauert fünf Werktage, bitte warten.",
    refusal: "Es tut mir leid, aber dabei kann ich nicht helfen.",
    regret: "Es tut mir leid, das zu hören. Bitte starten Sie den Router neu.",
  },
  fr: {
    text: "Le pont a été construit en 1871. Il mesure trois cents mètres de long.",
    other: "Votre remboursement prend cinq jours ouvrés, veuillez patienter.",
    refusal: "Je suis désolé, mais je ne peux pas vous aider avec cela.",
    regret: "Je suis désolé d'apprendre cela. Redémarrez le routeur.",
  },
  es: {
    text: "El puente se construyó en 1871. Mide trescientos metros de largo.",
    other: "Su reembolso tarda cinco días hábiles, por favor espere.",
    refusal: "Lo siento, pero no puedo ayudar con eso.",
    regret: "Lamento mucho oír eso. Reinicie el router, por favor.",
  },
  ja: {
    text: "その橋は1871年に完成した。長さは三百メートルである。",
    other: "返金には五営業日かかりますので、お待ちください。",
    refusal: "申し訳ありませんが、お手伝いできません。",
    regret: "ご不便をおかけして申し訳ありません。ルーターを再起動してください。",
  },
  zh: {
    text: "这座桥于1871年建成。它的长度是三百米。",
    other: "您的退款需要五个工作日，请耐心等待。",
    refusal: "抱歉，我无法帮助您。",
    regret: "很抱歉听到这个消息。请重新启动路由器。",
  },
  ar: {
    text: "بُني الجسر في عام 1871. يبلغ طوله ثلاثمائة متر.",
    other: "يستغرق استرداد أموالك خمسة أيام عمل، يرجى الانتظار.",
    refusal: "عذرًا، لا أستطيع مساعدتك في ذلك.",
    regret: "يؤسفني سماع ذلك. يرجى إعادة تشغيل جهاز التوجيه.",
  },
  hi: {
    text: "यह पुल सन 1871 में बनाया गया था। इसकी लंबाई तीन सौ मीटर है।",
    other: "आपकी धनवापसी में पाँच कार्य दिवस लगते हैं, कृपया प्रतीक्षा करें।",
    refusal: "क्षमा करें, मैं इसमें आपकी मदद नहीं कर सकता।",
    regret: "यह सुनकर दुख हुआ। कृपया राउटर को फिर से चालू करें।",
  },
}

type Answers = (texts: LanguageTexts) => readonly string[]

const answers: Answers = ({ text, other }) => [text, text.replace(year, "1999"), other]
const cited: Answers = (texts) => answers(texts).map((text) => text.replace(/ ?([.。।])/g, " [1]$1"))
const refusals: Answers = ({ refusal, regret, text }) => [text, regret, refusal]
const inLanguages: Answers = (texts) => [
  texts.text,
  `${texts.text}\n${languageTexts[texts === languageTexts.en ? "de" : "en"]?.text}`,
  `${languageTexts[texts === languageTexts.en ? "de" : "en"]?.text}`,
]

const repeated: Answers = ({ text }) => [text, `${text} ${text}`, `${text} ${text} ${text}`]

/** The passages that an answer is given with: the text itself, where nothing else is stated. */
type Passages = (answer: string, texts: LanguageTexts) => readonly string[]
const own: Passages = (_, { text }) => [text]
const retrieved: Passages = (answer, { other }) => (answer === other ? [other] : [other, answer])
const both: Passages = (_, { text, other }) => [text, other]

/** A metric as a config calls it, the answers that it is tried on, and their passages. */
type Tried = readonly [call: string, metric: Metric<never>, answers: Answers, passages: Passages]

/** Each metric of texts, and how it is tried. */
export const textMetrics: readonly Tried[] = (
  [
    ["exactMatch()", evalkit.exactMatch(), answers],
    ["contains()", evalkit.contains(), answers],
    ["tokenF1()", evalkit.tokenF1(), answers],
    ['tokenF1({ tokenize: "char" })', evalkit.tokenF1({ tokenize: "char" }), answers],
    ["rouge()", evalkit.rouge(), answers],
    ["bleu()", evalkit.bleu(), answers],
    ['bleu({ tokenize: "char" })', evalkit.bleu({ tokenize: "char" }), answers],
    ["chrf()", evalkit.chrf(), answers],
    ["ter()", evalkit.ter(), answers],
    ["meteor()", evalkit.meteor(), answers],
    ["editDistance({ normalized: true })", evalkit.editDistance({ normalized: true }), answers],
    ["jaroWinkler()", evalkit.jaroWinkler(), answers],
    ["answerCorrectness()", evalkit.answerCorrectness(), answers],
    ["groundedness()", evalkit.groundedness(), answers],
    ["ungroundedFacts()", evalkit.ungroundedFacts(), answers],
    ["contextPrecision()", evalkit.contextPrecision(), answers, retrieved],
    ["contextRecall()", evalkit.contextRecall(), answers, retrieved],
    ['entityRecall({ in: "answer" })', evalkit.entityRecall({ in: "answer" }), answers],
    ["noiseSensitivity()", evalkit.noiseSensitivity(), answers, both],
    ["summaryFacts()", evalkit.summaryFacts(), answers],
    ["citationRecall()", evalkit.citationRecall(), cited],
    ["citationPrecision()", evalkit.citationPrecision(), cited],
    ["languageMatch()", evalkit.languageMatch(), inLanguages],
    ["refusal()", evalkit.refusal(), refusals],
    ["readability()", evalkit.readability(), answers],
    ["distinctN()", evalkit.distinctN(), repeated],
  ] as readonly (readonly [string, unknown, Answers, Passages?])[]
).map(([call, metric, of, passages]) => [call, metric as unknown as Metric<never>, of, passages ?? own])

const tools = { signal: new AbortController().signal, seed: 1, valueOf: () => undefined } as unknown as MetricTools

/** Of each metric and language the figures of its three answers; null where it has none. A note beside a figure is marked. */
export async function languageFigures([, metric, of, passages]: Tried, texts: LanguageTexts) {
  const { text: input } = texts
  const sample = { id: "s", input, references: [input], choices: [], expectedTools: [], metadata: {} }
  const measured = await Promise.all(
    of(texts).map(async (text) =>
      metric.measure({ ...sample, context: passages(text, texts) }, foreignGeneration({ sampleId: "s", text }), tools),
    ),
  )
  return measured.map((entry) => {
    if (entry.status === "unscored") return null
    const { details } = metric.summarise([{ row: entry.row, sampleId: "s", repeat: 0 }])
    return { value: metric.value(entry.row) as number, hasNote: /"notes"/.test(JSON.stringify(details ?? null)) }
  })
}

/** The table of what each metric of texts gives in each language. */
export async function languageTable(): Promise<string> {
  const codes = Object.keys(languageTexts)
  const rows = await Promise.all(
    textMetrics.map(async (tried) => {
      const cells = await Promise.all(
        Object.values(languageTexts).map(async (texts) => {
          const figures = await languageFigures(tried, texts)
          if (figures.every((figure) => figure === null)) return "–"
          const noted = figures.some((figure) => figure?.hasNote) ? " *" : ""
          return figures.map((figure) => (figure ? short(figure.value) : "–")).join(" · ") + noted
        }),
      )
      return `| \`${tried[0]}\` | ${cells.join(" | ")} |`
    }),
  )
  return [`| metric | ${codes.join(" | ")} |`, `| --- |${codes.map(() => " --- |").join("")}`, ...rows].join("\n")
}

function short(value: number): string {
  return String(Number(value.toFixed(value >= 10 || value <= -10 ? 0 : 2)))
}

/** The page of languages: docs/reviewers/languages.md. */
export async function languagePage(): Promise<string> {
  return `# Languages

What each metric of texts gives in eight languages, by its defaults. Three figures a cell, best first: of an answer that is its reference, of the same
with another year (1999 for 1871), and of an answer about something else. For \`contextPrecision\` and \`contextRecall\` these are the passages;
for \`languageMatch\` an answer in the question's language, one that changes it, and one in another; for \`refusal\` an answer, a regret
that helps, and a refusal; for \`distinctN\` a text once, twice and three times.

A dash: unscored, with the code \`language\` and what would measure instead. A star: the figure is its reference's own (SQuAD, sacreBLEU), which takes a
clause of Chinese or Japanese for one word; a note says so beside it, and names the option that compares characters.

${await languageTable()}

## What these figures are compared with

Pairs of our own texts in fourteen languages (the same, another year, other words, another subject), measured by outside implementations, whose figures
these metrics have to 1e-9 in every language that is named. What is not here is evalkit's own definition (\`contains\` is a search): no other tool
computes it, and its figures above are held by what the texts are known to be. People's labels of whole data sets are English
(\`ungroundedFacts\` and \`groundedness\` on HaluEval); \`languageMatch\` was tried on the Universal Declaration of Human Rights.

${referenceTable()}

Texts and tables are made by \`scripts/docs/languages.ts\` and \`scripts/docs/language-references.ts\`;
\`test/docs/languages.test.ts\` and \`language-references.test.ts\` hold them, and another test tries
made texts of thirty scripts. \`languageMatch\` tells 38 languages; metrics that embed texts are unscored where their model does not know the script.
`
}
