import { UsageError } from "../src/core/errors.ts"
import { contentHash } from "../src/core/json.ts"
import { checkOptions } from "../src/core/options.ts"

/** A part of the sample or of the answer that a judge is shown. @public */
export type RubricField = "input" | "reference" | "context" | "output"

/** One possible verdict of a judge and its score. @public */
export interface Choice {
  readonly label: string
  readonly score: number
  /** When it applies; empty when the label is clear. */
  readonly meaning: string
}

/**
 * What is judged and how: data, with a version and a hash, so that a verdict can be traced to the wording it is based on.
 * @public
 */
export interface Rubric {
  readonly name: string
  readonly version: number
  /** Instructions to the judge. */
  readonly instructions: string
  /** From the smallest score to the largest. */
  readonly choices: readonly Choice[]
  /** Fields that a sample must have. */
  readonly fields: readonly RubricField[]
  /** Fields that are shown when a sample has them. */
  readonly optionalFields: readonly RubricField[]
  /** `json`: a verdict with a reason; `label`: only the label. */
  readonly reply: "json" | "label"
  /**
   * The whole prompt, for models that were trained on one fixed form: `{input}`, `{reference}`, `{context}`, `{output}`.
   * Such a prompt has no fence and no system message, so nothing protects it against instructions in an answer.
   */
  readonly template: string | null
  /** A caveat that is shown with every figure made with it. */
  readonly note: string | null
  /** Shows the judge the pictures of the question, too. Absent: its words alone. */
  readonly images?: true
  /** A small score is good. Absent: a large one is. */
  readonly direction?: "lower"
  /** Content hash of all of the above: part of every signature and cache key. */
  readonly hash: string
}

/** What {@link defineRubric} takes. @public */
export interface RubricOptions {
  readonly name: string
  readonly instructions: string
  /** `{ yes: 1, no: 0 }`, `[1, 5]` for the whole numbers from 1 to 5, or choices with their meaning. */
  readonly choices: Readonly<Record<string, number>> | readonly [number, number] | readonly Choice[]
  /** Default: `["output"]`, with the input shown when there is one. */
  readonly fields?: readonly RubricField[]
  readonly optionalFields?: readonly RubricField[]
  /** Default 1; raise it when the words change. */
  readonly version?: number
  readonly reply?: "json" | "label"
  readonly template?: string
  readonly note?: string
  /** Show the judge the pictures of the question; its model must take pictures. Default false: it sees the words alone. */
  readonly images?: boolean
  /** Which scores are good; `higher` by default. */
  readonly direction?: "higher" | "lower"
}

/**
 * Makes a rubric from its words.
 *
 * @throws {UsageError} for fewer than two choices, two with the same label, or a placeholder that nothing fills in
 * @example
 * const polite = defineRubric({
 *   name: "politeness",
 *   instructions: "Is the answer polite throughout?",
 *   choices: { yes: 1, no: 0 },
 * })
 * @public
 */
export function defineRubric(options: RubricOptions): Rubric {
  checkOptions("defineRubric", options)
  const fields = options.fields ?? ["output"]
  const content = {
    name: options.name,
    version: options.version ?? 1,
    instructions: options.instructions,
    choices: choicesOf(options.choices).sort((a, b) => a.score - b.score),
    fields,
    optionalFields: options.optionalFields ?? (fields.includes("input") ? [] : ["input" as const]),
    reply: options.reply ?? (options.template === undefined ? "json" : "label"),
    template: options.template ?? null,
    note: options.note ?? null,
    // Only where it is so: rubrics of words keep their hashes.
    ...(options.images === true && { images: true as const }),
    ...(options.direction === "lower" && { direction: "lower" as const }),
  }
  const where = `rubric "${options.name}"`
  if (content.choices.length < 2) throw new UsageError("a rubric needs two choices or more", { where })
  if (content.images && content.template !== null)
    throw new UsageError("a rubric with a template of its own cannot show pictures", { where })
  checkPlaceholders(content, ["input", "reference", "context", "output"], where)
  const labels = new Set(content.choices.map(({ label }) => label.toLowerCase()))
  if (labels.size < content.choices.length || labels.has(""))
    throw new UsageError("the labels of a rubric's choices must be different and not empty", { where })
  if (content.choices.some(({ score }) => !Number.isFinite(score)))
    throw new UsageError("every choice needs a score that is a number", { where })
  return { ...content, hash: contentHash(content, 16) }
}

/**
 * Refuses placeholders that nothing fills in: any in the double braces of prompts, and of a template those that are no text of its.
 *
 * @throws {UsageError} with the placeholder's name
 */
export function checkPlaceholders(
  { instructions, template }: { readonly instructions: string; readonly template?: string | null },
  names: readonly string[],
  where: string,
): void {
  const [twice] = /\{\{[^{}]{0,100}\}\}/.exec(`${instructions}\n${template ?? ""}`) ?? []
  const [other] = [...(template ?? "").matchAll(/\{([A-Za-z_]\w{0,60})\}/g)].filter(
    ([, name = ""]) => !names.includes(name),
  )
  const field = twice ?? other?.[0]
  if (field === undefined) return
  throw new UsageError(`nothing fills in ${field}`, {
    where,
    hint:
      template === null || template === undefined
        ? "instructions are sent as they are: the judge is shown the sample's texts below them (fields)"
        : `a template has ${names.map((name) => `{${name}}`).join(", ")}`,
  })
}

/** Smallest and largest score. */
export function rubricRange({ choices }: Rubric): readonly [number, number] {
  const scores = choices.map(({ score }) => score)
  return [Math.min(...scores), Math.max(...scores)]
}

function choicesOf(choices: RubricOptions["choices"]): Choice[] {
  if (!Array.isArray(choices))
    return Object.entries(choices).map(([label, score]) => ({ label, score: Number(score), meaning: "" }))
  const list: readonly (Choice | number)[] = choices
  const [low, high] = list
  if (typeof low !== "number" || typeof high !== "number") return list.filter((choice) => typeof choice === "object")
  return Array.from({ length: high - low + 1 }, (_, i) => ({ label: String(low + i), score: low + i, meaning: "" }))
}
