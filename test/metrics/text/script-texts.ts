import { languageFigures, textMetrics } from "../../../scripts/docs/languages.ts"
import { createRandom } from "../../../src/core/random.ts"
import { isUnspaced } from "../../../src/text/language.ts"

/** First letters of the blocks of thirty scripts, of which texts are made. */
const blocks = [
  0x61, 0x3b1, 0x430, 0x561, 0x5d0, 0x627, 0x710, 0x780, 0x905, 0x985, 0xa05, 0xa85, 0xb05, 0xb85, 0xc05, 0xc85, 0xd05,
  0xd85, 0xe01, 0xe81, 0xf40, 0x1000, 0x10d0, 0x1200, 0x13a0, 0x1780, 0x1820, 0x3042, 0x4e00, 0xac00,
]

/** What says nothing of words in common, or has no answer of these to say it of. */
const others = /^(?:languageMatch|refusal|readability|distinctN|citation|noiseSensitivity)/
/** A yes or no, or one by facts: one changed letter is a whole answer, or none. */
const coarse = /^(?:exactMatch|contains|grounded|ungrounded|context|entity|summary)/

/**
 * Figures without a basis, of made texts: a text that is its own reference and passage must have the best figure, the same with another letter
 * a better one than a text that has no letter in common with it, and that one a bad one; or none, or a note.
 */
export async function unfoundedFigures(rounds: number): Promise<string[]> {
  const random = createRandom("scripts")
  const faults: string[] = []
  for (let round = 0; round < rounds; round++) {
    const block = blocks[round % blocks.length] as number
    const separator = isUnspaced(String.fromCodePoint(block)) ? "" : " "
    const words = (from: number, count: number) =>
      Array.from({ length: count }, () =>
        Array.from({ length: 2 + random.integer(5) }, () =>
          String.fromCodePoint(block + from + random.integer(9)),
        ).join(""),
      )
    const own = words(0, 4 + random.integer(6))
    const near = own.with(random.integer(own.length), words(0, 1)[0] as string)
    const texts = [own, near, words(9, own.length)].map((list) => list.join(separator)) as [string, string, string]
    if (texts[0] === texts[1]) continue
    const [text, , other] = texts
    for (const [call, metric, , passages] of textMetrics) {
      if (others.test(call)) continue
      const figures = await languageFigures([call, metric, () => texts, passages], {
        text,
        other,
        refusal: "",
        regret: "",
      })
      const [best, close, far] = figures.map(
        (figure) => figure && (metric.direction === "higher" ? figure.value : -figure.value),
      )
      const top = metric.direction === "lower" ? 0 : (metric.range[1] as number)
      const fault = (what: string) => faults.push(`${call}: ${what}: ${JSON.stringify(figures)}: ${texts.join(" | ")}`)
      if (typeof best === "number" && best < top * (/^(?:meteor|contextPrecision)/.test(call) ? 0.5 : 1 - 1e-9))
        fault("not the best")
      if (
        typeof far === "number" &&
        !/^ungrounded/.test(call) &&
        far > (metric.direction === "lower" ? -0.5 : top * 0.7)
      )
        fault("too good")
      if (
        typeof close === "number" &&
        typeof far === "number" &&
        !coarse.test(call) &&
        !figures.some((figure) => figure?.hasNote) &&
        close <= far
      )
        fault("no better than nothing in common")
    }
  }
  return faults
}
