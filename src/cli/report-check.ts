import { createRequire } from "node:module"
import { z } from "zod"
import { benchJson } from "../../reports/bench/json.ts"
import { benchText } from "../../reports/bench/text.ts"
import { benchEvent, decodeBench } from "../bench/stored-bench.ts"
import type { RunReport } from "../core/report/report.ts"
import type { ReportSection } from "../core/report/report-sections.ts"
import type { RunEvent } from "../core/run/run-record.ts"
import { benchReasons } from "../words/reasons/bench.ts"

/** Checks a report of somebody else's by the published schema. */
export interface ReportCheck {
  /** Why the report is not as the schema has it, beginning with the field; null when it is. */
  report(report: RunReport): string | null
  /** Why what a load test found cannot be shown; null when it can, and for every other event. */
  event(event: RunEvent): string | null
  /** Whether the data of a section is what its kind says. */
  section(section: ReportSection): boolean
}

/** A {@link ReportCheck}; the schema is read at its first use. */
export function createReportCheck(): ReportCheck {
  let schemas: Schemas | undefined
  const all = () => {
    schemas ??= readSchemas()
    return schemas
  }
  return {
    report(report) {
      const issue = all().report.safeParse(report).error?.issues[0]
      return issue ? `${issue.path.join(".")}: ${issue.message.replace(/^Invalid input: /, "")}` : null
    },
    event({ kind, data }) {
      if (kind !== benchEvent) return null
      try {
        const benchResult = decodeBench(data)
        benchText(benchResult)
        benchJson(benchResult)
        return null
      } catch {
        return benchReasons.unreadable
      }
    },
    section: ({ kind, data }) => all().data.get(kind)?.safeParse(data).success ?? true,
  }
}

interface Schemas {
  readonly report: z.ZodType
  /** Of a section's data, by its kind. */
  readonly data: ReadonlyMap<string, z.ZodType>
}

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0]

/** What the published schema says of data by kind, as a list of conditions, which zod does not read. */
interface Published {
  readonly $defs: JsonSchema
  readonly properties: {
    readonly sections: {
      readonly items: {
        readonly allOf: readonly {
          readonly if: { readonly properties: { readonly kind: { readonly enum: readonly string[] } } }
          readonly then: { readonly properties: { readonly data: object } }
        }[]
      }
    }
  }
}

function readSchemas(): Schemas {
  const published = createRequire(import.meta.url)("evalkit/report-schema.json") as Published
  const plain = JSON.stringify(published, (key, value: unknown) => (conditions.has(key) ? undefined : value))
  const { $defs } = published
  const data = published.properties.sections.items.allOf.flatMap((condition) => {
    const schema = z.fromJSONSchema({ ...condition.then.properties.data, $defs } as JsonSchema)
    return condition.if.properties.kind.enum.map((kind) => [kind, schema] as const)
  })
  return { report: z.fromJSONSchema(JSON.parse(plain) as JsonSchema), data: new Map(data) }
}

const conditions: ReadonlySet<string> = new Set(["if", "then", "else"])
