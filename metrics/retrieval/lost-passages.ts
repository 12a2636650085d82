import type { Generation, StagePassage } from "../../src/core/generation.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { type AnyMetric, type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { partsOf } from "../parts-of.ts"
import { rowMetric } from "../row-metric.ts"
import { signature } from "../text/signature.ts"
import { lostSection } from "./lost-section.ts"

/** Options of {@link lostPassages}. @public */
export interface LostPassagesOptions {
  readonly name?: string
  /** Metadata field with the gold passages: ids or texts. Default: `goldPassages`, and where there is none `relevantIds`. */
  readonly gold?: string
  /** What an answer needs: `any` of the gold passages, or `all` of them. Default: `any`. */
  readonly need?: "any" | "all"
  /** A metric of the answer: the report says how good the answers are by where their passage was lost. Default: none. */
  readonly answer?: AnyMetric
}

/** Where the gold passages of one answer went. @public */
export interface LostRow {
  readonly stages: readonly string[]
  /** The first stage at which they are gone; null where they came through. */
  readonly lostAt: string | null
  /** Value of the metric of the answer; null where it has none. */
  readonly answer: number | null
  /** What `evalkit show` and the page print. */
  readonly checks: readonly { readonly said: string; readonly of: string }[]
}

/** A gold text this long is also found inside a longer passage, such as the prompt. */
const minInsideLength = 12

/**
 * Lost passages: whether a gold passage comes through all stages of a pipeline (retrieve, rerank, guard, prompt), and at which stage it is
 * first gone. An application gives the passages of its stages by `stage("retrieve", work, (found) => passages)`, or as
 * `stages.retrieve.passages`. A passage is a gold one by its id, by its text (case and white space aside), or where it holds the gold text
 * (12 characters at least). Range 0..1 (1: it came through), higher is better; the summary is the share of answers that
 * had what they need. It misleads where a stage rewrites passages: give ids then. Unscored: `no_context` (no stage gives passages),
 * `no_relevant_ids` (no gold passages).
 *
 * Source: evalkit's own definition.
 *
 * @example
 * // goldPassages ["d1"], stages.retrieve.passages ["d1", "d7"], stages.rerank.passages ["d7"]
 * lostPassages() // 0; lost at rerank
 * @public
 */
export function lostPassages(options: LostPassagesOptions = {}): Metric<LostRow> {
  checkOptions("lostPassages", options)
  const { name = "passagesKept", need = "any", answer } = options
  const fields = options.gold === undefined ? ["goldPassages", "relevantIds"] : [options.gold]
  return rowMetric<LostRow>({
    name,
    signature: `${signature("lostPassages", { gold: fields.join("+"), need })}${answer ? `|${answer.signature}` : ""}`,
    range: [0, 1],
    unit: "share",
    ...partsOf(answer ? [answer] : []),
    async measure(sample, generation, tools) {
      const gold = goldOf(sample, fields)
      if (gold.length === 0) return unscored("no_relevant_ids", `the sample has no ${fields.join(" and no ")}`)
      const stages = stagesOf(generation)
      if (stages.length === 0) return unscored("no_context", "no stage says which passages it had")
      const kept = stages.map(([, passages]) => keptOf(gold, passages))
      const isGone = (count: number) => (need === "any" ? count === 0 : count < gold.length)
      const lost = kept.findIndex(isGone)
      const measured = answer ? await answer.measure(sample, generation, tools) : null
      return {
        stages: stages.map(([stage]) => stage),
        lostAt: lost < 0 ? null : (stages[lost]?.[0] ?? null),
        answer: answer && measured?.status === "scored" ? answer.value(measured.row) : null,
        checks: stages.map(([stage, passages], index) => ({
          said: index === lost ? `lost at ${stage}` : stage,
          of: `${kept[index]} of ${gold.length} gold passages among ${passages.length}`,
        })),
      }
    },
    value: ({ lostAt }) => (lostAt === null ? 1 : 0),
    section: (variants, level) => lostSection(name, answer ?? null, variants, level),
  })
}

function goldOf({ metadata }: Sample, fields: readonly string[]): readonly string[] {
  for (const field of fields) {
    const texts = textsOf(metadata[field])
    if (texts.length > 0) return texts
  }
  return []
}

/** A text, a list of texts, or gains by id. */
function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((entry) => (typeof entry === "string" && entry !== "" ? [entry] : []))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([id, gain]) => (typeof gain === "number" && gain > 0 ? [id] : []))
}

function stagesOf({ returned }: Pick<Generation, "returned">): readonly (readonly [string, readonly StagePassage[]])[] {
  return Object.entries(returned?.stages ?? {}).map(([name, { passages }]) => [name, passages])
}

/** How many of the gold passages are among these. */
function keptOf(gold: readonly string[], passages: readonly StagePassage[]): number {
  const ids = new Set(passages.flatMap((passage) => (typeof passage === "string" ? [passage] : (passage.id ?? []))))
  const texts = passages.flatMap((stagePassage) =>
    normal(typeof stagePassage === "string" ? stagePassage : (stagePassage.text ?? "")),
  )
  return gold.filter((passage) => {
    const text = normal(passage)
    return (
      ids.has(passage) || texts.some((own) => own === text || (text.length >= minInsideLength && own.includes(text)))
    )
  }).length
}

const normal = (text: string): string => text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim()
