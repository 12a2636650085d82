import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { renderAnnotations } from "../../../reports/export/annotations.ts"
import { renderMarkdown } from "../../../reports/export/markdown.ts"
import { renderOtlp } from "../../../reports/export/otlp.ts"
import { renderOtlpLogs } from "../../../reports/export/otlp-logs.ts"
import { renderStepSummary, shortened } from "../../../reports/export/step-summary.ts"
import { renderLangfuse, renderWandb } from "../../../reports/export/tracker-rows.ts"
import { githubStep } from "../../../src/cli/files/github-step.ts"
import type { ReportInput, RunReport } from "../../../src/core/report/report.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { hostileTexts } from "../../support/hostile-texts.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const input = syntheticInput({ samples: 60 })
const { report } = input

/** The same run, whose first answers ended in every way. */
const ended: ReportInput = {
  ...input,
  async *samples() {
    let i = 0
    for await (const { sample, answers } of input.samples())
      yield {
        sample,
        answers: answers.map((answer) => {
          const toolCalls = [{ name: "search", arguments: {} }]
          const end = [
            { outcome: "length" },
            { outcome: "refused" },
            { outcome: "ok", toolCalls },
            { outcome: "ok" },
          ] as const
          const usage = { ...answer.generation.usage, cachedPromptTokens: 4, reasoningTokens: 3 }
          return { ...answer, generation: { ...answer.generation, ...end[i++], usage } }
        }),
      }
  },
}

async function lines(render: (write: (text: string) => void) => Promise<void>): Promise<Record<string, never>[]> {
  let all = ""
  await render((text) => {
    all += text
  })
  return all
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
}

/** A report whose decision says a foreign text. */
const saying = (text: string): RunReport => ({
  ...report,
  decision: report.decision && { ...report.decision, choice: text, sentence: text, answer: text },
})

describe("GitHub", () => {
  it("shows the Markdown of the report, and of a long one whole parts within the room, with a sentence", () => {
    expect(renderStepSummary(report)).toBe(renderMarkdown(report))
    const whole = renderMarkdown(report)
    for (const room of [0, 100, 300, 900, 2000, Buffer.byteLength(whole) - 1]) {
      const text = renderStepSummary(report, room)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(room)
      if (text === "") continue
      expect(text).toMatch(/of this report (?:is|are) left out: GitHub shows 1 MiB/)
      expect(text.split("\n").filter((line) => line.startsWith("```")).length % 2).toBe(0)
      const kept = text.slice(0, text.lastIndexOf("_", text.lastIndexOf("of this report"))).trimEnd()
      expect(whole.startsWith(kept)).toBe(true)
    }
    const long = Array.from({ length: 40_000 }, (_, i) => `paragraph ${i} of ünïcödé words`).join("\n\n")
    expect(Buffer.byteLength(shortened(long, 1024 * 1024))).toBeGreaterThan(1_000_000)
  })

  it("annotates a file and line, and no text ends a command or begins another", () => {
    const source = { file: "a,b:c%\n::error::x.ts", line: 7 }
    for (const text of [
      ...hostileTexts.slice(0, 60),
      "x\n::error::evil",
      "a\r\n::set-output name=x::y",
      "%0A::stop-commands::t",
    ]) {
      const out = renderAnnotations(saying(text), source)
      for (const line of out.trim().split("\n"))
        expect(line).toMatch(
          /^::(?:error|warning|notice) file=a%2Cb%3Ac%25 %3A%3Aerror%3A%3Ax\.ts,line=7,title=[^,:]*::/,
        )
    }
    const several = renderAnnotations(report)
    const { candidates = [] } = report.decision ?? {}
    expect(several.split("\n").filter((line) => line.startsWith("::notice"))).toHaveLength(
      1 + (candidates.length > 1 ? candidates.length : 0),
    )
  })

  it("adds the summary to the step's file within what is left, and prints annotations at the gate's line", async () => {
    const folder = scratchDirectory()
    const file = join(folder, "summary.md")
    const config = join(folder, "eval.config.ts")
    writeFileSync(config, "export default {\n  gate: [],\n}\n")
    const io = (environment: Record<string, string>) => fakeIo({ cwd: folder, environment })
    await expect(githubStep(report, config, io({}))).rejects.toThrow(/GITHUB_STEP_SUMMARY.*--format step-summary/)
    const first = io({ GITHUB_STEP_SUMMARY: file, GITHUB_WORKSPACE: folder })
    await githubStep(report, config, first)
    await githubStep(report, null, io({ GITHUB_STEP_SUMMARY: file }))
    expect(readFileSync(file, "utf8")).toBe(renderMarkdown(report).repeat(2))
    expect(first.stdout()).toBe(renderAnnotations(report, { file: "eval.config.ts", line: 2 }))
    writeFileSync(file, "x".repeat(1024 * 1024 - 10))
    const full = io({ GITHUB_STEP_SUMMARY: file })
    await githubStep(report, "/elsewhere/eval.config.ts", full)
    expect([readFileSync(file).length, full.stderr()]).toEqual([1024 * 1024 - 10, expect.stringMatching(/is full/)])
    expect(full.stdout()).toBe(renderAnnotations(report))
    await expect(githubStep(report, null, io({ GITHUB_STEP_SUMMARY: folder }))).rejects.toThrow(/cannot be written/)
  })
})

describe("scores in OpenTelemetry", () => {
  it("are events of the answer's span, by the names of the convention, with the report's values", async () => {
    const spans = (await lines((write) => renderOtlp(input, write))) as unknown as OtlpRequest[]
    const records = ((await lines((write) => renderOtlpLogs(input, write))) as unknown as OtlpRequest[]).flatMap(
      ({ resourceLogs = [] }) =>
        resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
    )
    const all = spans.flatMap(({ resourceSpans = [] }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((span) => span.spans)),
    )
    const bySpan = new Map(all.map((span) => [span.spanId, span]))
    let scored = 0
    let missing = 0
    for await (const { answers } of input.samples())
      for (const { generation, values, reasons } of answers) {
        const own = records.filter(
          (record) =>
            attribute(record, "evalkit.sample.id") === generation.sampleId &&
            attribute(record, "evalkit.variant") === generation.variant &&
            attribute(record, "evalkit.repeat") === String(generation.repeat),
        )
        const span = bySpan.get(own[0]?.spanId ?? "")
        if (own.length > 0) expect(span?.traceId).toBe(own[0]?.traceId)
        for (const record of own) {
          const metric = attribute(record, "gen_ai.evaluation.name") as string
          const value = attribute(record, "gen_ai.evaluation.score.value")
          expect(record.eventName).toBe("gen_ai.evaluation.result")
          const event = span?.events.find(
            (row) => row.name === "gen_ai.evaluation.result" && attribute(row, "gen_ai.evaluation.name") === metric,
          )
          expect(attribute(event as Attributed, "gen_ai.evaluation.score.value")).toBe(value)
          if (values[metric] == null) {
            missing++
            expect([value, attribute(record, "gen_ai.evaluation.explanation")]).toEqual([undefined, reasons[metric]])
            expect(attribute(record, "error.type")).toMatch(/^[a-z_]+$|^_OTHER$/)
          } else {
            scored++
            expect(Number(value)).toBe(values[metric])
            expect(attribute(record, "error.type")).toBeUndefined()
          }
        }
      }
    expect(scored).toBeGreaterThan(100)
    expect(missing).toBeGreaterThan(0)
    for (const { traceId, spanId } of records) expect([traceId, spanId].join()).toMatch(/^[0-9a-f]{32},[0-9a-f]{16}$/)
  })
})

describe("spans", () => {
  it("have one type an attribute, the parts of the usage and why the answer ended, by the names of the convention", async () => {
    const spans = ((await lines((write) => renderOtlp(ended, write))) as unknown as OtlpRequest[]).flatMap(
      ({ resourceSpans = [] }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
    const kinds = new Map<string, Set<string>>()
    for (const { attributes } of spans)
      for (const { key, value } of attributes)
        kinds.set(key, (kinds.get(key) ?? new Set()).add(Object.keys(value).join()))
    expect([...kinds].filter(([, kind]) => kind.size > 1)).toEqual([])
    const usage = ["gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.reasoning.output_tokens"]
    expect(spans.map((span) => usage.map((key) => attribute(span, key)))).toContainEqual(["4", "3"])
    const reasons = spans.map((span) => attribute(span, "gen_ai.response.finish_reasons"))
    for (const reason of ["stop", "length", "content_filter", "tool_call", "error"])
      expect(reasons).toContainEqual({ values: [{ stringValue: reason }] })
  })
})

describe("trackers", () => {
  it("Langfuse: a body a score, joined to the span of its answer; none without a value", async () => {
    const bodies = (await lines((write) => renderLangfuse(input, write))) as unknown as LangfuseBody[]
    let expected = 0
    for await (const { answers } of input.samples())
      for (const { values } of answers) expected += Object.values(values).filter((value) => value !== null).length
    expect(bodies.length).toBe(expected)
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(expected)
    for (const body of bodies)
      expect(body).toMatchObject({
        dataType: "NUMERIC",
        value: expect.any(Number),
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        metadata: { run: report.run.id },
      })
  })

  it("Weights & Biases: a run a variant with the report's figures, unknown ones named with the reason, and a row an answer", async () => {
    const all = (await lines((write) => renderWandb(input, write))) as unknown as WandbLine[]
    const runs = all.filter(({ type }) => type === "run")
    expect(runs.map(({ init }) => init?.name)).toEqual(report.variants.map(({ name }) => name))
    for (const [i, { init, summary = {} }] of runs.entries())
      for (const { metric, figure } of report.variants[i]?.quality ?? [])
        if (figure.status === "known") expect(summary[metric]).toBe(figure.value)
        else expect([summary[metric], init?.config.unknown[metric]]).toEqual([undefined, figure.reason])
    expect(all.length - runs.length).toBe(report.variants.reduce((sum, { finished }) => sum + finished, 0))
    const ids = new Set(runs.map(({ init }) => init?.id))
    for (const { run } of all.filter(({ type }) => type === "row")) expect(ids.has(run)).toBe(true)
  })
})

interface Attributed {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}
interface OtlpSpan extends Attributed {
  readonly traceId: string
  readonly spanId: string
  readonly events: readonly (Attributed & { readonly name: string })[]
}
interface OtlpRequest {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[]
  readonly resourceLogs?: readonly {
    readonly scopeLogs: readonly { readonly logRecords: readonly (OtlpSpan & { readonly eventName: string })[] }[]
  }[]
}
interface LangfuseBody {
  readonly id: string
}
interface WandbLine {
  readonly type: string
  readonly run?: string
  readonly init?: {
    readonly id: string
    readonly name: string
    readonly config: { readonly unknown: Readonly<Record<string, string>> }
  }
  readonly summary?: Readonly<Record<string, unknown>>
}

function attribute(attributed: Attributed, key: string): unknown {
  const value = attributed.attributes?.find((attribute) => attribute.key === key)?.value
  return value && Object.values(value)[0]
}
