import { parse } from "csv-parse/sync"
import { parquetMetadata, parquetReadObjects } from "hyparquet"
import { describe, expect, it } from "vitest"
import { renderAnnotations } from "../../../reports/export/annotations.ts"
import { csvLine, renderAnswersCsv, renderCsv } from "../../../reports/export/csv.ts"
import { renderJson, renderJsonl } from "../../../reports/export/json.ts"
import { renderJunit, xmlText } from "../../../reports/export/junit.ts"
import { renderMarkdown } from "../../../reports/export/markdown.ts"
import { renderOtlp } from "../../../reports/export/otlp.ts"
import { renderOtlpMetrics } from "../../../reports/export/otlp-metrics.ts"
import { renderParquet } from "../../../reports/export/parquet.ts"
import { failedCount } from "../../../reports/view-model/variant-columns.ts"
import type { ReportInput, RunReport } from "../../../src/core/report/report.ts"
import type { ReportSample } from "../../../src/core/report/report-sample.ts"
import type { ReportSection } from "../../../src/core/report/report-sections.ts"
import { hostileTexts } from "../../support/hostile-texts.ts"
import { poisoned } from "../../support/poison.ts"
import { poisonedInput } from "../../support/poisoned-input.ts"
import { schemaErrors } from "../../support/report-schema.ts"
import { syntheticVariants } from "../../support/synthetic/answers.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { parseXml } from "../../support/xml.ts"

const input = syntheticInput({ samples: 120 })
const { report } = input
const golden = (name: string) => `../../golden/reports/${name}`

async function collect(render: (write: (text: string) => void) => Promise<void>): Promise<string> {
  let all = ""
  await render((text) => {
    all += text
  })
  return all
}

/** What is left of a text after it was written to a file: lone surrogates become U+FFFD. */
const utf8 = (text: string) => Buffer.from(text).toString()

describe("JSON", () => {
  it("validates against the published schema, which documents every field", () => {
    expect(schemaErrors(JSON.parse(renderJson(report)) as RunReport)).toEqual([])
  })

  it("is refused by the schema when a section's data is not what its kind says", () => {
    const section = { kind: "fairness", title: "", sentences: [], data: { columns: [] } } as unknown as ReportSection
    expect(schemaErrors({ ...report, sections: [section] }).join()).toContain("'metric'")
  })

  it("writes numbers that are not finite as null and still validates", () => {
    const metrics = report.metrics.map((metric) => ({ ...metric, range: [0, Number.POSITIVE_INFINITY] as const }))
    const value = JSON.parse(renderJson({ ...report, metrics })) as RunReport
    expect(value.metrics[0]?.range).toEqual([0, null])
    expect(schemaErrors(value)).toEqual([])
  })

  it("is the golden document of a small run", async () => {
    const small = syntheticInput({ samples: 3, variants: syntheticVariants.slice(0, 2) }).report
    await expect(renderJson(small)).toMatchFileSnapshot(golden("report.json"))
  })

  it("is refused by the schema when a figure has neither a value nor a reason", () => {
    const variants = report.variants.map((variant) => ({
      ...variant,
      availability: { status: "known", n: 1, method: "" },
    }))
    expect(schemaErrors({ ...report, variants } as unknown as RunReport).join()).toContain("/availability")
  })
})

describe("CSV", () => {
  it("is the golden table of variants", async () => {
    await expect(renderCsv(report)).toMatchFileSnapshot(golden("variants.csv"))
  })

  it("reads back what the rows hold", async () => {
    const text = await collect((write) => renderAnswersCsv(input, write))
    await expect(text.split("\r\n").slice(0, 8).join("\r\n")).toMatchFileSnapshot(golden("answers-head.csv"))
    const rows = parse(text, { columns: true }) as Record<string, string>[]
    expect(rows).toHaveLength(720)
    expect(rows[0]).toMatchObject({ sampleId: "sample-00000", variant: "m-f16", outcome: "ok" })
    expect(rows.at(-1)?.costUsd).toBe("")
  })

  it("writes no cell that a spreadsheet runs as a formula", () => {
    for (const payload of [...hostileTexts, "\u200b=1+1", " \u2060@you"]) {
      const [[cell]] = parse(csvLine([payload]), { relax_quotes: false }) as [[string]]
      expect(cell?.replace(/^[\s\u200b\u2060]+/, "")).not.toMatch(/^[=+\-@＝＋－＠]/)
      expect(["", "'"].map((prefix) => prefix + utf8(payload))).toContain(cell)
    }
  })

  it("gives every text back unaltered where it is asked to be exact", () => {
    for (const text of [
      ...hostileTexts,
      "-3.5",
      "=1+1",
      "+1",
      "@you",
      "\u200b=1+1",
      " \u2060@you",
      " - a list",
      "'quoted",
      "a\r\nb",
    ]) {
      const [[cell]] = parse(csvLine([text], true), { relax_quotes: false }) as [[string]]
      expect(cell).toBe(utf8(text))
    }
  })

  it("keeps our own numbers numbers", () => {
    expect(csvLine(["=1+1", -1, null, 0.5])).toBe('"\'=1+1",-1,,0.5\r\n')
  })
})

describe("JSONL", () => {
  it("has one object per answer with values and reasons", async () => {
    const lines = (await collect((write) => renderJsonl(input, write))).trimEnd().split("\n")
    expect(lines).toHaveLength(720)
    const rows = lines.map((line) => JSON.parse(line) as { failure: string | null; values: object; unscored: object })
    expect(rows[0]?.values).toMatchObject({ expected_calibration_error: null })
    expect(rows.find((row) => row.failure !== null)?.unscored).toEqual({ chrf: "empty_output" })
    await expect(`${lines.slice(0, 3).join("\n")}\n`).toMatchFileSnapshot(golden("answers-head.jsonl"))
  })

  it("says which samples are changed copies of which", async () => {
    const copyOf = { id: "q1", kind: "perturbed", change: "typos" } as const
    const copies: ReportInput = {
      ...input,
      async *samples() {
        for await (const sample of input.samples()) yield { ...sample, sample: { ...sample.sample, copyOf } }
      },
    }
    const [line = ""] = (await collect((write) => renderJsonl(copies, write))).split("\n")
    expect(JSON.parse(line)).toMatchObject({ copyOf })
  })
})

describe("Parquet", () => {
  it("reads back equal to the JSON lines", async () => {
    const bytes = await renderParquet(input)
    const rows = (await parquetReadObjects({ file: bytes.buffer as ArrayBuffer })) as Record<string, unknown>[]
    const lines = (await collect((write) => renderJsonl(input, write))).trimEnd().split("\n")
    expect(rows).toHaveLength(lines.length)
    lines.forEach((line, index) => {
      const { values, unscored: _unscored, ...fields } = JSON.parse(line) as Record<string, unknown>
      expect(rows[index]).toMatchObject(fields)
      for (const [metric, value] of Object.entries(values as object))
        expect(rows[index]?.[`value: ${metric}`]).toBe(value)
    })
  })

  it("writes many answers in row groups, and all of them come back in their order", async () => {
    const samples: ReportSample[] = []
    for await (const sample of input.samples()) samples.push(sample)
    const [first] = samples
    const [answer] = first?.answers ?? []
    if (!first || !answer) throw new Error("no answer to repeat")
    const count = 10_003
    const bytes = await renderParquet({
      report,
      async *samples() {
        for (let i = 0; i < count; i++) yield { sample: { ...first.sample, id: `s${i}` }, answers: [answer] }
      },
    })
    const file = bytes.buffer as ArrayBuffer
    expect(parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([10_000, 3])
    const rows = (await parquetReadObjects({ file })) as Record<string, unknown>[]
    expect(rows.map(({ sampleId }) => sampleId)).toEqual(Array.from({ length: count }, (_, i) => `s${i}`))
    expect(new Set(rows.map(({ text }) => text))).toEqual(new Set([answer.generation.text]))
  })

  it("holds a run without answers", async () => {
    const bytes = await renderParquet({ report, async *samples() {} })
    expect(await parquetReadObjects({ file: bytes.buffer as ArrayBuffer })).toEqual([])
  })
})

describe("Markdown", () => {
  it("is the golden text: verdict, table, frontier", async () => {
    await expect(renderMarkdown(report)).toMatchFileSnapshot(golden("report.md"))
  })

  it("gives a foreign text no meaning", () => {
    for (const payload of hostileTexts) {
      const text = renderMarkdown(poisoned(report, payload))
      const outside = text.replace(/```mermaid[\s\S]*?```/, "").replace(/<\/?sub>|(?<=[@#:]|www|GH)<!-- -->/gi, "")
      expect(outside).not.toMatch(/[<>]|(?<!\\)(?:\\\\)*[`[\]]/)
      expect(text).not.toMatch(/@\w|:\/\/|www\./)
      expect(text.match(/```/g)).toHaveLength(2)
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    }
  })
})

describe("JUnit", () => {
  it("is the golden document and counts what it holds", async () => {
    const text = renderJunit(report)
    await expect(text).toMatchFileSnapshot(golden("junit.xml"))
    const root = parseXml(text)
    expect(root.name).toBe("testsuites")
    for (const suite of root.children) {
      expect(suite.children).toHaveLength(Number(suite.attributes.get("tests")))
      const failures = suite.children.filter((element) => element.children.some((child) => child.name === "failure"))
      expect(failures).toHaveLength(Number(suite.attributes.get("failures")))
    }
  })

  it("has no failure that no rule asked for: a failed check is told in its output", () => {
    const passing = {
      ...report,
      gate: [{ variant: "a", rule: "quality", status: "passed", message: "" } as const],
      checks: [{ name: "identity", status: "failed", message: "two variants answer <alike>" } as const],
      comparisons: [],
    }
    const text = renderJunit(passing as unknown as typeof report)
    expect(text).toMatch(/^<testsuites .* failures="0" errors="0"/m)
    expect(text).toContain("<system-out>two variants answer &#60;alike&#62;</system-out>")
    expect(text).not.toMatch(/<failure|<error/)
  })

  it("stays well-formed whatever the texts hold", () => {
    for (const payload of hostileTexts) {
      expect(() => parseXml(renderJunit(poisoned(report, payload)))).not.toThrow()
      expect(xmlText(payload)).not.toMatch(/[<>"'\u0000-\u001f]/)
    }
  })
})

describe("annotations", () => {
  it("are the golden workflow commands", async () => {
    await expect(renderAnnotations(report)).toMatchFileSnapshot(golden("annotations.txt"))
  })

  it("stay one command per line whatever the texts hold", () => {
    const lines = renderAnnotations(report).split("\n").length
    for (const payload of hostileTexts) {
      const text = renderAnnotations(poisoned(report, payload))
      expect(text.split("\n")).toHaveLength(lines)
      for (const line of text.trimEnd().split("\n")) expect(line).toMatch(/^::(error|warning|notice) title=[^:,\n]*::/)
    }
  })
})

describe("every export", () => {
  it("is the same for the same run, byte by byte", async () => {
    const second = syntheticInput({ samples: 120 })
    expect(renderJson(second.report)).toBe(renderJson(report))
    expect(renderMarkdown(second.report)).toBe(renderMarkdown(report))
    expect(await renderParquet(second)).toEqual(await renderParquet(input))
  })

  it("survives hostile texts in samples and answers", async () => {
    const small = syntheticInput({ samples: 3 })
    for (const payload of hostileTexts) {
      const hostile = poisonedInput(small, payload)
      const csv = await collect((write) => renderAnswersCsv(hostile, write))
      const rows = parse(csv, { columns: true }) as Record<string, string>[]
      expect(rows).toHaveLength(18)
      for (const cell of [rows[0]?.text, rows[0]?.sampleId]) expect(cell).toContain(utf8(payload))
    }
  })
})

describe("OTLP", () => {
  it("has one span per answer, in requests of at most five hundred or so", async () => {
    const lines = (await collect((write) => renderOtlp(input, write))).trimEnd().split("\n")
    const requests = lines.map((line) => JSON.parse(line) as OtlpRequest)
    const spans = requests.flatMap((request) => request.resourceSpans[0]?.scopeSpans[0]?.spans ?? [])
    expect(spans).toHaveLength(720)
    expect(new Set(spans.map((span) => span.spanId)).size).toBe(720)
    for (const span of spans) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true)
    }
    await expect(`${JSON.stringify(spans[0], null, 2)}\n`).toMatchFileSnapshot(golden("otlp-span.json"))
  })
})

describe("OTLP metrics", () => {
  const attribute = (point: OtlpPoint, key: string) =>
    point.attributes.find((entry) => entry.key === key)?.value.stringValue

  it("count every measured request once, by variant, under the names of the GenAI conventions", async () => {
    const text = await collect((write) => renderOtlpMetrics(input, write))
    const { resourceMetrics } = JSON.parse(text) as OtlpMetricsRequest
    const metrics = resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? []
    const points = (name: string) => metrics.find((metric) => metric.name === name)?.histogram?.dataPoints ?? []
    const durations = points("gen_ai.client.operation.duration")
    expect(durations.reduce((sum, point) => sum + Number(point.count), 0)).toBe(720)
    for (const point of [...durations, ...points("gen_ai.client.operation.time_per_output_chunk")]) {
      expect(point.bucketCounts).toHaveLength(point.explicitBounds.length + 1)
      expect(point.bucketCounts.reduce((sum, bucket) => sum + Number(bucket), 0)).toBe(Number(point.count))
      expect(point.min * Number(point.count)).toBeLessThanOrEqual(point.sum * (1 + 1e-9))
    }
    const failed = durations.filter((point) => attribute(point, "error.type") !== undefined)
    const failures = report.variants.reduce((sum, variant) => sum + failedCount(variant), 0)
    expect(failed.reduce((sum, point) => sum + Number(point.count), 0)).toBe(failures)
    expect(points("gen_ai.client.operation.time_to_first_chunk")).toHaveLength(6)
    const types = points("gen_ai.client.token.usage").map((point) => attribute(point, "gen_ai.token.type"))
    expect([...new Set(types)]).toEqual(["input", "output"])
    await expect(`${JSON.stringify(durations[0], null, 2)}\n`).toMatchFileSnapshot(golden("otlp-histogram.json"))
  })

  it("have no point for an unknown figure", async () => {
    const text = await collect((write) => renderOtlpMetrics(input, write))
    const { resourceMetrics } = JSON.parse(text) as OtlpMetricsRequest
    const cost = resourceMetrics[0]?.scopeMetrics[0]?.metrics.find((own) => own.name === "evalkit.cost.per_request")
    const named = new Set(cost?.gauge?.dataPoints.map((point) => attribute(point, "evalkit.variant")))
    expect([...named]).toEqual(["m-f16", "m-q8_0", "m-q4_0", "s-q8_0", "m-q2_0"])
  })
})

interface OtlpPoint {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
  readonly count: string
  readonly sum: number
  readonly min: number
  readonly explicitBounds: readonly number[]
  readonly bucketCounts: readonly string[]
}

interface OtlpMetricsRequest {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string
        readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] }
        readonly gauge?: { readonly dataPoints: readonly OtlpPoint[] }
      }[]
    }[]
  }[]
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string
        readonly spanId: string
        readonly startTimeUnixNano: string
        readonly endTimeUnixNano: string
      }[]
    }[]
  }[]
}
