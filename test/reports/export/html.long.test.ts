import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { beforeAll, describe, expect, it } from "vitest"
import { encodeBlock, inlineJson } from "../../../reports/page/block.ts"
import type { PageFacts, PageIndex } from "../../../reports/page/payload.ts"
import type { RunReport, VariantReport } from "../../../src/core/report/report.ts"
import { hostileTexts } from "../../support/hostile-texts.ts"
import { ensurePage, pageOf } from "../../support/page.ts"
import { poisonedInput } from "../../support/poisoned-input.ts"
import { syntheticVariants } from "../../support/synthetic/answers.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

beforeAll(ensurePage)

/** The page without its data blocks: what a browser shows before anything runs. */
function shown(html: string): string {
  return html.replace(/<script type="(?:text\/plain|application\/json)"[^>]*>[^<]*<\/script>/g, "")
}

function block(html: string, id: string): string {
  return new RegExp(`id="${id}">([^<]*)<`).exec(html)?.[1] ?? ""
}

function unzip<Value>(text: string): Value {
  return JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString()) as Value
}

describe("the page", () => {
  it("is the same for the same run, byte by byte", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => pageOf(syntheticInput({ samples: 40 }))))
    expect(first).toBe(second)
  })

  it("has the answer and every variant in its HTML, before anything runs", async () => {
    const html = shown(await pageOf(syntheticInput({ samples: 200 })))
    const [, title = ""] = /<h1[^>]*>(.*?)<\/h1>/s.exec(html) ?? []
    expect(title.replace(/<[^>]*>/g, "")).toMatch(/SWAP m-q8_0 can replace m-f16/)
    for (const name of ["m-f16", "m-q8_0", "hosted-70b"]) expect(html).toContain(name)
    expect(html).toContain('aria-label="Frontier of exact match against $ per 1k')
  })

  it("allows exactly its own script and style and asks nobody anything", async () => {
    const html = await pageOf(syntheticInput({ samples: 10 }))
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ""
    const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
    const script = /<script type="module">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ""
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ""
    expect(policy).toContain(`script-src ${hash(script)};`)
    expect(policy).toContain(`style-src ${hash(style)};`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(shown(html).replace(script, "")).not.toMatch(/\s(?:src|action)=|href="(?!#|data:,)|\sstyle=|\son\w+=/)
  })

  it("has no column for judges where none was asked", async () => {
    const { report, samples } = syntheticInput({ samples: 10, variants: syntheticVariants.slice(0, 2) })
    const cost = (html: string) => /<section id="cost".*?<\/table>/s.exec(html)?.[0].replace(/<[^>]*>/g, " ") ?? ""
    expect(cost(await pageOf({ report, samples }))).toMatch(/spent on failures\s+judges\s/)
    const variants = report.variants.map((variant) => ({
      ...variant,
      cost: { ...variant.cost, judgeUsd: { status: "unknown" as const, reason: "no judge was asked" } },
    }))
    const unasked = cost(await pageOf({ report: { ...report, variants }, samples }))
    expect(unasked).toMatch(/spent on failures\s+a month/)
    expect(unasked).not.toMatch(/unknown/)
  })

  it("names no place where two lines cross that lie on each other", async () => {
    const { report, samples } = syntheticInput({ samples: 10, variants: syntheticVariants.slice(0, 2) })
    const at = (value: number) => ({ status: "known" as const, value, n: 10, method: "stated" })
    const crossing = (ttftMs: number, tpotMs: number): RunReport => ({
      ...report,
      variants: report.variants.map(({ speed, ...entry }, i) => {
        const [first, each] = i === 0 ? [100, 10] : [ttftMs, tpotMs]
        const [ttft, tpot] = [
          { ...speed.ttftMs, p50: at(first) },
          { ...speed.tpotMs, p50: at(each) },
        ]
        return { ...entry, speed: { ...speed, ttftMs: ttft, tpotMs: tpot } }
      }),
    })
    const chart = (...times: [number, number]) => chartOf(crossing(...times))
    const chartOf = async (report: RunReport) =>
      /<h3>(?:(?!<h3>).)*Time to the N-th token.*?<h3>/s
        .exec(await pageOf({ report, samples }))?.[0]
        .replace(/<[^>]*>/g, "") ?? ""
    expect(await chart(300, 5)).toContain("m-q8_0 = m-f16 at 41 tokens")
    const same = await chart(100.1, 9.999)
    expect(same).toContain("m-f16 and m-q8_0 lie on each other.")
    expect(same).not.toContain(" = m-f16 at ")
    // No answer is as long as the place where they cross: the lines end before it, at the longest.
    const short = crossing(300, 5)
    const variants = short.variants.map((variant) => ({ ...variant, speed: { ...variant.speed, longestTokens: 32 } }))
    const ended = await chartOf({ ...short, variants })
    expect(ended).not.toContain(" = m-f16 at ")
    expect(ended).toContain("1251020tokens")
    // A variant without a line, whose tokens nobody counted, does not lengthen the others'.
    const unknown = { status: "unknown" as const, reason: "tokens were not counted" }
    const [counted, uncounted] = short.variants as [VariantReport, VariantReport]
    const { tpotMs } = uncounted.speed
    const mixed = [
      { ...counted, speed: { ...counted.speed, longestTokens: 32 } },
      { ...uncounted, speed: { ...uncounted.speed, tpotMs: { ...tpotMs, p50: unknown } } },
    ]
    expect(await chartOf({ ...short, variants: mixed })).toContain("1251020tokens")
    const single = variants.map((variant) => ({ ...variant, speed: { ...variant.speed, longestTokens: 1 } }))
    expect(await chartOf({ ...short, variants: single })).toBe("")
  })

  it("says in Method where the samples come from, also where they stand in the config", async () => {
    const { report, samples } = syntheticInput({ samples: 3, variants: syntheticVariants.slice(0, 2) })
    const data = async (source: string) =>
      /<dt>data<\/dt><dd>(.*?)<\/dd>/
        .exec(
          await pageOf({ report: { ...report, dataset: { ...report.dataset, source, name: "talks" } }, samples }),
        )?.[1]
        ?.replace(/<[^>]*>/g, "")
    expect(await data("data/talks.jsonl")).toMatch(/^talks, 3 samples, from data\/talks\.jsonl, SHA-256 /)
    expect(await data("inline")).toMatch(/^3 samples that stand in the config, SHA-256 /)
  })

  it("is built for production, without a file name of the machine that built it", async () => {
    expect(await pageOf(syntheticInput({ samples: 2 }))).not.toMatch(/reports\/app|\.tsx|fileName/)
  })

  it("holds the rows compressed, with the numbers of the run", async () => {
    const input = syntheticInput({ samples: 30 })
    const html = await pageOf(input)
    const index = unzip<PageIndex>(block(html, "evalkit-index"))
    expect(index.sampleIds).toHaveLength(30)
    expect(index.answers.sample).toHaveLength(180)
    expect(unzip(block(html, "evalkit-report"))).toEqual(JSON.parse(JSON.stringify(input.report)))
  })

  it("falls back to a seeded part of the samples and says so", async () => {
    const input = syntheticInput({ samples: 100 })
    const html = await pageOf(input, { limits: { answers: 120 } })
    const facts = JSON.parse(block(html, "evalkit-facts")) as PageFacts
    expect(facts).toMatchObject({ samples: 100, embeddedSamples: 20, answers: 600, embeddedAnswers: 120 })
    expect(unzip<PageIndex>(block(html, "evalkit-index")).sampleIds).toHaveLength(20)
    expect(html).toContain("a seeded sample of 20 samples out of 100")
    expect(await pageOf(input, { limits: { answers: 120 } })).toBe(html)
  })

  it("cuts texts by the stated rule", async () => {
    const html = await pageOf(syntheticInput({ samples: 5 }), { limits: { text: 10 } })
    const chunk = /class="evalkit-chunk">([^<]*)</.exec(html)?.[1] ?? ""
    const [first] = unzip<{ input: { text: string }[] }[]>(chunk)
    expect(first?.input[0]?.text).toBe("arithmetic…")
    expect(html).toContain("texts are shortened to 10 characters")
  })

  it("keeps hostile texts inside their places", async () => {
    const input = syntheticInput({ samples: 2 })
    for (const payload of hostileTexts) {
      const html = await pageOf(poisonedInput(input, payload))
      expect(html.match(/<script/g)).toHaveLength(html.split('<script type="').length - 1)
      expect(html.match(/<script(?! type="(?:text\/plain|application\/json|module)")/g)).toBeNull()
      expect(shown(html)).not.toMatch(
        /<(?:img|iframe|svg on|object|embed|meta http-equiv="refresh|base|form|link rel="s|video)/,
      )
    }
  }, 120_000)

  it("renders a run in which every figure is unknown, with the reasons", async () => {
    const { report } = syntheticInput({ samples: 4 })
    const unknown = JSON.parse(
      JSON.stringify(report),
      (key, value: { status?: string; percentiles?: number[] } | null) => {
        if (key === "percentiles" || key === "overTime") return []
        return value?.status === "known" ? { status: "unknown", reason: "every answer was replayed" } : value
      },
    ) as typeof report
    const variants = unknown.variants.map((variant) => ({ ...variant, speed: { ...variant.speed, measured: 0 } }))
    const html = shown(
      await pageOf({ report: { ...unknown, variants, frontier: null, routers: [] }, async *samples() {} }),
    )
    expect(html).toContain("No latency was measured in this run")
    expect(html).toContain("every answer was replayed")
    expect(html.replace(/<script type="module">[\s\S]*/, "")).not.toMatch(/NaN|undefined|Infinity/)
  })

  it("renders a run in which nothing was measured", async () => {
    const { report } = syntheticInput({ samples: 1 })
    const empty = {
      ...report,
      variants: [],
      comparisons: [],
      frontier: null,
      decision: null,
      routers: [],
      sections: [],
      gate: [],
      checks: [],
    }
    const html = await pageOf({ report: empty, async *samples() {} })
    expect(shown(html)).toContain("0 variants, nothing to compare")
  })
})

describe("a data block", () => {
  it("has the same bytes for the same value", async () => {
    const [a, b] = await Promise.all([encodeBlock({ x: [1, "é"] }), encodeBlock({ x: [1, "é"] })])
    expect(a).toBe(b)
    expect(unzip(a)).toEqual({ x: [1, "é"] })
  })

  it("cannot end its element", () => {
    for (const payload of hostileTexts) {
      const text = inlineJson({ payload })
      expect(text).not.toMatch(/[<>\u2028\u2029]/)
      expect(JSON.parse(text)).toEqual({ payload })
    }
  })

  it("writes the whole texts of samples that it cuts beside it, and links to them", async () => {
    const input = syntheticInput({ samples: 4 })
    const long = {
      report: input.report,
      async *samples() {
        let position = 0
        for await (const sample of input.samples())
          yield position++ === 2 ? { ...sample, sample: { ...sample.sample, input: "long ".repeat(2000) } } : sample
      },
    }
    const files = new Map<string, string>()
    const write = async (name: string, text: string) => void files.set(name, text)
    const html = await pageOf(long, { fullTexts: { folder: "texts", write } })
    expect([...files.keys()]).toEqual(["000002.txt"])
    const text = files.get("000002.txt") ?? ""
    expect(text).toContain("long ".repeat(2000))
    for (const { name } of input.report.variants) expect(text).toContain(`=== answer of ${name} (`)
    expect(html).toContain("samples that were shortened link to their full texts in texts")
  })
})
