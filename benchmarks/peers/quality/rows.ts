/** Rows of texts, labels, ratings and numbers from a seed: ordinary ones and odd ones. */
import { createRandom, type Random } from "../../../src/core/random.ts"

export type NumberRows = ReturnType<typeof numberRows>
export type Cuts = readonly (readonly [number, number])[]

const english =
  "the a an of to in and is was were be car auto automobile machine big large great small little buy purchase bought dog hound dogs mice mouse child children study studies studied studying run ran running runs quick fast rapid happily happy glad start begin began end finish house home city town road street answer reply respond good better best walk walked walker generous generously relational conditional news water people person leaves leaf wolves men women feet tooth dying lying ties agreed plastered hopping falling die dies skies sky only yes no not never"
const others =
  "été naïve Straße façade cafe\u0301 ÀÉÎ žluťoučký İstanbul DŽ ŒUVRE ΟΔΟΣ λόγος привет Мир ёж Київ שלום עולם مرحبا كتاب می‌روم हिन्दी नमस्ते বাংলা ไทย สวัสดี 你好世界 中文。句子 漢字かな交じり ひらがな カタカナ ｶﾀｶﾅ 한국어 문장 𠮷野家 ﷺ ﬁnal Ｆｕｌｌ １２３ ٣٤ ½ ² Ⅷ 👍 👨‍👩‍👧 🇫🇷 e̋ ß ẞ"
const odd =
  "it's don't U.S.A. e.g. 3.14 1,000.50 -5 $5 €20 50% 12:30 2024-01-02 a-b well-known state-of-the-art http://x.org/a?b=c&d a@b.de &amp; &quot; &lt;b&gt; &apos; <skipped> <b> -\n \n \n\n \t \r\n \u0085 \u2028 \u00a0 \u3000 \u200b \ufeff \u001c \u00ad ... … !? ?! « » “ ” ‘ ’ – — ( ) [ ] { } / \\ | _ __ # * ** ^ ~ ` = + @ ; : , . '' \" 1st 0 00 1. .5 5, ,5 x.y 、 。 ，5 5， 《 》 ・ · • ¿ ¡ § ° ™ № ∑ √ ≠ → ■"
const endings = "s es ed ing ly y ies ness ational ization fulness ement ous ive able 's".split(" ")
const words = { english: english.split(" "), others: others.split(" "), odd: odd.split(" ") }
const letters = Array.from({ length: 0x3100 }, (_, i) => String.fromCharCode(i))
  // What one version of Unicode does not have yet, a later one may call a symbol.
  .filter((letter) => !/\p{Cn}/u.test(letter))
  .concat([..."一丁中国語가각힣𝒜😀﹏～｡￦"])

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(list.length)] as T
const repeat = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))

/** Texts of English words and their edits, of several scripts, odd pieces and random letters; some long, repeated or blank. */
export function textRows(seed: number, n: number) {
  const random = createRandom(`${seed}/texts`)
  return repeat(n, (i) => {
    const kind = i % 10
    const size = i % 199 === 0 ? 80 + random.integer(120) : 1 + random.integer(i % 3 === 0 ? 40 : 12)
    const expected = tokens(random, kind, size)
    const references = repeat(1 + random.integer(3), (k) => (k === 0 ? expected : edit(random, expected, kind)))
    const answer = random.integer(8) === 0 ? tokens(random, kind, size) : edit(random, expected, kind)
    const space = () =>
      random.integer(12) === 0 ? pick(random, [",", ".", "!", "  ", "\n", ""]) : kind === 8 ? "" : " "
    const text = (parts: readonly string[]) =>
      random.integer(60) === 0
        ? pick(random, ["", " ", "\n", ".", "the"])
        : parts.map((part) => part + space()).join("")
    return { answer: text(answer), references: references.map(text) }
  })
}

function tokens(random: Random, kind: number, size: number): string[] {
  return repeat(size, () => {
    if (kind === 9) return repeat(1 + random.integer(5), () => pick(random, letters)).join("")
    if (kind === 3) return pick(random, words.english.slice(0, 9))
    if (kind < 4) return pick(random, random.integer(6) === 0 ? words.odd : words.english)
    return pick(random, kind < 7 ? pick(random, Object.values(words)) : words.others)
  })
}

/** Words left out, doubled, replaced, moved in a block, in capitals, and with other endings. */
function edit(random: Random, parts: readonly string[], kind: number): string[] {
  const result = [...parts]
  for (let edits = random.integer(2 + Math.min(10, Math.floor(parts.length / 3))); edits > 0; edits--) {
    const [from, to] = [random.integer(result.length + 1), random.integer(result.length + 1)]
    const action = random.integer(8)
    if (action === 0) result.splice(from, 1)
    if (action === 1) result.splice(from, 0, ...result.slice(from, from + 1))
    if (action === 2) result.splice(from, 1, ...tokens(random, kind, 1))
    if (action === 3) result.splice(from, 1, (result[from] ?? "").toUpperCase())
    if (action === 4 || action === 5) result.splice(from, 1, (result[from] ?? "") + pick(random, endings))
    if (action > 5) result.splice(to, 0, ...result.splice(from, 1 + random.integer(6)))
  }
  return result
}

/** Predictions with a confidence; sets of ratings, paired series, trials, p-values, decisions by group and scores of a judge; bounds of slices of the predictions. */
export function numberRows(seed: number, n: number) {
  const random = createRandom(`${seed}/numbers`)
  const labels = ["spam", "ham", "eggs", "none of them"]
  const predictions = repeat(n, () => {
    const confidence = pick(random, [random.next(), random.next(), random.integer(11) / 10, random.integer(16) / 15])
    const truth = labels[random.integer(3)] as string
    const label = random.integer(3) === 0 ? pick(random, labels) : truth
    // Off the edges of bins, which belong to the bin below here, and to the one above in netcal.
    const inside = 0.99 * confidence + 0.0037
    return { truth, label, confidence, inside, right: Number(random.next() < confidence) }
  })
  const sets = repeat(n, (i) => {
    const [items, raters, grades] = [2 + random.integer(30), 2 + random.integer(4), 1 + random.integer(6)]
    const rating = (item: number) => 1 + (random.integer(3) === 0 ? random.integer(grades) : item % grades)
    const ratings = repeat(items, (item) => repeat(raters, () => (random.integer(8) === 0 ? null : rating(item))))
    const step = pick(random, [0, 0.1, 0.5])
    const value = () => (step === 0 ? random.normal() : Math.round(random.normal() / step) * step)
    const trials = 1 + random.integer(i % 10 === 0 ? 3000 : 60)
    const ps = repeat(items, () => pick(random, [random.next(), random.next() ** 6, random.integer(5) / 4]))
    const raw = { ratings, first: repeat(items, rating), second: repeat(items, rating) }
    return {
      ...raw,
      a: repeat(items, value),
      b: repeat(items, value),
      trials,
      successes: random.integer(trials + 1),
      ps,
      decisions: repeat(4 * items, () => {
        const [group, label] = [`g${random.integer(3)}`, random.integer(2)]
        return { group, label, decided: random.integer(3) === 0 ? 1 - label : label }
      }),
      human: repeat(items + 2, () => random.next()),
      judge: repeat(items + 2, () => random.next()),
      judgeOnly: repeat(3 * items + 2, () => random.next()),
    }
  })
  const cuts: [number, number][] = [[0, n]]
  for (let from = 0; from < n; from = cuts.at(-1)?.[1] ?? n)
    cuts.push([from, Math.min(n, from + 1 + random.integer(60))])
  return { predictions, sets, cuts }
}
