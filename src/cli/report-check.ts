import { createRequire } from "node:module"
import { z } from "zod"
import type { RunReport } from "../core/report/report.ts"

/** Says why a report of somebody else's is not as the published schema has it; null when it is. */
export function createReportCheck(): (report: RunReport) => string | null {
  let schema: z.ZodType | undefined
  return (report) => {
    schema ??= readSchema()
    const issue = schema.safeParse(report).error?.issues[0]
    return issue ? `${issue.path.join(".")}: ${issue.message.replace(/^Invalid input: /, "")}` : null
  }
}

/** The schema without its conditions, which zod does not read: they say what a section's data is, and its reader sees to that. */
function readSchema(): z.ZodType {
  const published: unknown = createRequire(import.meta.url)("evalkit/report-schema.json")
  const plain = JSON.stringify(published, (key, value: unknown) => (conditions.has(key) ? undefined : value))
  return z.fromJSONSchema(JSON.parse(plain) as Parameters<typeof z.fromJSONSchema>[0])
}

const conditions: ReadonlySet<string> = new Set(["if", "then", "else"])
