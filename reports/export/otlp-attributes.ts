import { UsageError } from "../../src/core/errors.ts"
import type { Generation } from "../../src/core/generation.ts"
import { contentHash } from "../../src/core/json.ts"
import type { RunReport } from "../../src/core/report/report.ts"

/** An attribute in OTLP's JSON form. */
export interface OtlpAttribute {
  readonly key: string
  readonly value: OtlpValue
}

type OtlpValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }

/**
 * Attributes in OTLP's form; unknown ones are left out. Whole numbers are integers: where a value may also be a fraction, write it as
 * `{ doubleValue }`, since an attribute that changes its type is two to a backend.
 */
export function otlpAttributes(
  values: Readonly<Record<string, string | number | OtlpValue | null | undefined>>,
): OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]): OtlpAttribute[] => {
    if (value == null) return []
    if (typeof value === "object") return [{ key, value }]
    if (typeof value === "string") return [{ key, value: { stringValue: value } }]
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }]
  })
}

/** The resource that spans and metrics of a run belong to. */
export function otlpResource({ run }: { readonly run: Pick<RunReport["run"], "id" | "name"> }): {
  readonly attributes: readonly OtlpAttribute[]
} {
  return {
    attributes: otlpAttributes({ "service.name": "evalkit", "evalkit.run.id": run.id, "evalkit.run.name": run.name }),
  }
}

/** Who made spans and metrics. */
export function otlpScope({ run }: { readonly run: Pick<RunReport["run"], "versions"> }): {
  readonly name: string
  readonly version: string
} {
  return { name: "evalkit", version: run.versions.evalkit ?? "" }
}

/**
 * Nanoseconds since 1970 as the text that OTLP wants: the run's start plus monotonic milliseconds.
 *
 * @throws UsageError for a start that is no time
 */
export function otlpStamp(startedAt: string, atMs: number): string {
  if (!Number.isFinite(Date.parse(startedAt) + atMs))
    throw new UsageError("the start of the run is no time", {
      where: `started_at: ${JSON.stringify(startedAt.slice(0, 40))}`,
    })
  return String(BigInt(Date.parse(startedAt)) * 1_000_000n + BigInt(Math.round(atMs * 1_000_000)))
}

/** Ids of the trace and the span of an answer: hashes, so that the same run gives the same ones in every export. */
export function otlpIds(
  { run }: Pick<RunReport, "run">,
  { variant, sampleId, repeat }: Pick<Generation, "variant" | "sampleId" | "repeat">,
): { readonly traceId: string; readonly spanId: string } {
  const identity = [run.id, variant, sampleId, repeat]
  return { traceId: contentHash(["trace", ...identity]), spanId: contentHash(["span", ...identity], 16) }
}
