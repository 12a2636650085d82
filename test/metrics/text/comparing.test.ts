import { describe, expect, it } from "vitest"
import { contains } from "../../../metrics/match/contains.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { bleu } from "../../../metrics/overlap/bleu.ts"
import { chrf } from "../../../metrics/overlap/chrf.ts"
import { editDistance } from "../../../metrics/overlap/edit-distance.ts"
import { jaroWinkler } from "../../../metrics/overlap/jaro-winkler.ts"
import { rouge } from "../../../metrics/overlap/rouge.ts"
import { ter } from "../../../metrics/overlap/ter.ts"
import { tokenF1 } from "../../../metrics/overlap/token-f1.ts"
import type { Metric, RowEntry } from "../../../src/core/metric/metric.ts"
import { measure, scoreOf } from "../lexical-fixtures.ts"

type Any = Metric<unknown>
const metrics = [
  bleu,
  chrf,
  contains,
  editDistance,
  exactMatch,
  jaroWinkler,
  rouge,
  ter,
  tokenF1,
] as unknown as readonly ((options?: { unicode: string }) => Any)[]

async function detailsOf(metric: Any, pairs: readonly (readonly [output: string, reference: string])[]) {
  const entries: RowEntry<unknown>[] = []
  for (const [i, [output, reference]] of pairs.entries()) {
    const measured = await measure(metric, output, [reference])
    if (measured.status === "scored")
      entries.push({ row: JSON.parse(JSON.stringify(measured.row)), sampleId: String(i), repeat: 0 })
  }
  return metric.summarise(entries).details as { notes?: readonly string[] } | undefined
}

describe("forms of letters", () => {
  const forms = {
    decomposed: ["cafe\u0301 au lait", "café au lait"],
    ligature: ["the ﬁle ﬂows", "the file flows"],
    "no-break space": ["in New\u00a0York", "in New York"],
    quotes: ["don’t “panic”", 'don\'t "panic"'],
    "zero width": ["in Par\u200bis", "in Paris"],
    "full width": ["Ｐａｒｉｓ", "Paris"],
    "soft hyphen": ["the Do\u00adnau", "the Donau"],
    Turkish: ["İstanbul", "Istanbul"],
    Hangul: ["한국 서울".normalize("NFD"), "한국 서울"],
  } as const

  it.each(Object.entries(forms))("are equal by option, in every metric: %s", async (_, [output, reference]) => {
    for (const make of metrics) {
      const metric = make({ unicode: "compatibility" })
      expect(await scoreOf(metric, output, [reference]), metric.name).toEqual(
        await scoreOf(metric, reference, [reference]),
      )
    }
  })

  it.each([
    ["exactMatch", exactMatch(), 1],
    ["contains", contains(), 1],
    ["SQuAD's own exact match", exactMatch({ normalize: "squad" }), 0],
    ["exact match of texts as they are", exactMatch({ normalize: "none" }), 0],
    ["SQuAD's own F1", tokenF1(), 0],
    ["F1 of canonical letters", tokenF1({ unicode: "canonical" }), 1],
  ] as const)("count as one or as two code points: %s", async (_, metric, expected) => {
    expect(await scoreOf(metric as Any, "cafe\u0301", ["café"])).toBe(expected)
  })

  it("are told where a score hangs on them, and nowhere else", async () => {
    const pairs = [...Object.values(forms), ["“so” it is", "“so” it is"], ["Paris", "Rome"]] as const
    const notes = (metric: Any) => detailsOf(metric, pairs).then((details) => details?.notes?.join(" ") ?? "")
    expect(await notes(tokenF1() as Any)).toMatch(/^8 of 11 texts .* unicode: "compatibility"/)
    expect(await notes(chrf() as Any)).toMatch(/^8 of 11 texts/)
    expect(await notes(tokenF1({ unicode: "compatibility" }) as Any)).toBe("")
    expect(await detailsOf(exactMatch() as Any, [["a", "b"]])).toBeUndefined()
  })

  it("leave a corpus figure what it is without the mark", async () => {
    const metric = chrf()
    const measured = await measure(metric, "cafe\u0301", ["café"])
    if (measured.status !== "scored" || metric.aggregation.kind !== "sum") return expect.fail()
    const into = new Float64Array(metric.aggregation.size)
    metric.aggregation.vector(measured.row, into, 0)
    expect(metric.aggregation.score(into)).toBe(metric.value(measured.row))
    expect(
      metric.section?.([{ variant: "a", rows: [{ sampleId: "s", repeat: 0, measured, value: 1 }] }]),
    ).toMatchObject({
      caution: expect.stringContaining("chrf of a: 1 of 1 texts"),
    })
  })
})

describe("words of scripts without blanks", () => {
  const near = [
    ["我们在这里等待下一班公共汽车的到来", "我们在这里等待下一班公共汽车的到达"],
    ["การคืนเงินใช้เวลาห้าวัน", "การคืนเงินใช้เวลาหกวัน"],
    ["ប្រាក់នឹងត្រូវបានសងវិញ", "ប្រាក់នឹងត្រូវបានបង់វិញ"],
  ] as const

  it.each([
    [tokenF1(), /tokenF1\(\{ tokenize: "char" \}\)/],
    [bleu(), /bleu\(\{ tokenize: "zh" \}\)/],
    [ter(), /asianSupport/],
    [editDistance({ by: "word" }), /by: "character"/],
  ])("are told with what would compare them: %#", async (metric, instead) => {
    const details = await detailsOf(metric as Any, [...near, ["a b", "a c"]])
    expect(details?.notes?.join()).toMatch(/^3 of 4 references are in a script that has no blanks/)
    expect(details?.notes?.join()).toMatch(instead)
  })

  it("are letters by option", async () => {
    for (const [output, reference] of near) {
      const score = await scoreOf(tokenF1({ tokenize: "char" }), output, [reference])
      expect(score, output).toBeGreaterThan(0.75)
      expect(score).toBeLessThan(1)
    }
    expect(await scoreOf(tokenF1({ tokenize: "char" }), "北京。", ["北京"])).toBe(1)
    expect(await scoreOf(tokenF1({ tokenize: "char" }), "The red dog!", ["a dog"])).toBe(
      await scoreOf(tokenF1(), "red dog", ["dog"]),
    )
    expect(await detailsOf(tokenF1({ tokenize: "char" }) as Any, near)).toBeUndefined()
  })
})
