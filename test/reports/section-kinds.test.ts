import { beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import type { JsonValue } from "../../src/core/json.ts"
import type {
  CalibrationData,
  ReportSection,
  SectionKind,
  SectionOfKind,
  TableData,
} from "../../src/core/report/report-sections.ts"
import { ensurePage, pageOf } from "../support/page.ts"
import { syntheticInput } from "../support/synthetic/report.ts"
import { syntheticSections } from "../support/synthetic/sections.ts"

beforeAll(ensurePage)

const input = syntheticInput({ samples: 4 })
const table: TableData = { columns: [{ title: "candidate" }], rows: [["candidate in a cell"]] }
const asTable = (kind: ReportSection["kind"]) =>
  ({ kind, title: `Section ${kind}`, sentences: [], data: table }) as ReportSection

/** What the page shows of each kind: by `satisfies`, a kind that is added to the union must be added here. */
const shown = {
  calibration: "expected calibration error",
  robustness: "typing errors",
  fairness: "north",
  judge_card: "other-judge",
  load: "Throughput against requests in flight",
  context_window: "cut off",
  quantization: "time per correct answer",
  levels: "first answer token",
  divergence: "candidate in a cell",
  hallucination: "candidate in a cell",
  bias: "candidate in a cell",
  citations: "sentences supported by what they cite",
  confusion: "no class",
  early_stopping: "candidate in a cell",
  perplexity: "candidate in a cell",
  safety: "candidate in a cell",
  slices: "Every slice along",
  tokens: "candidate in a cell",
  unread_answers: "candidate in a cell",
  what_broke: "answer refuses",
  win_rate: "candidate in a cell",
  table: "candidate in a cell",
  json: "<summary>Data</summary>",
} satisfies Record<SectionKind, string>

/** The part of the page that shows one section. */
async function pageShows(section: ReportSection): Promise<string> {
  const html = await pageOf({ ...input, report: { ...input.report, sections: [section] } })
  return /<article class="trust"[\s\S]*?<\/article>/.exec(html)?.[0] ?? ""
}

describe("a section", () => {
  const drawn = new Map(syntheticSections(input.report.variants).map((section) => [section.kind, section]))

  it.each(Object.entries(shown) as [SectionKind, string][])(
    "of the kind %s is shown by its kind",
    async (kind, words) => {
      const section = kind === "divergence" ? asTable(kind) : (drawn.get(kind) ?? asTable(kind))
      expect(await pageShows(section)).toContain(words)
    },
  )

  it("of a kind that a later version made is shown as JSON, whatever its data looks like", async () => {
    const later = { kind: "later", title: "Later", sentences: [], data: table }
    expect(await pageShows(later as unknown as ReportSection)).toContain("<summary>Data</summary>")
  })

  it("says by its kind of what type its data is", () => {
    for (const section of input.report.sections) {
      if (section.kind === "calibration") expectTypeOf(section.data).toEqualTypeOf<CalibrationData>()
      if (section.kind === "win_rate") expectTypeOf(section.data).toEqualTypeOf<TableData>()
      if (section.kind === "json") expectTypeOf(section.data).toEqualTypeOf<JsonValue>()
    }
    expectTypeOf<SectionOfKind<"bias">>().toExtend<ReportSection>()
    // @ts-expect-error a table is no calibration
    const wrong: ReportSection = { kind: "calibration", title: "", sentences: [], data: table }
    expect(wrong.kind).toBe("calibration")
  })
})
