import { jsonObjectsAt } from "../src/text/reading/json-objects.ts"

/** A verdict that could be read, or why the reply could not. */
export type ParsedVerdict =
  | {
      readonly status: "read"
      /** One of the labels, as the rubric writes it. */
      readonly label: string
      /** A number between the labels of a numeric scale, when the judge gave one (3.5 of 1..5). */
      readonly between: number | null
      readonly reason: string | null
    }
  | { readonly status: "unreadable"; readonly problem: string }

/** Longest reply that is read. */
const longestReply = 50_000

/**
 * Reads a judge's reply: a JSON object with a verdict (bare, in a code block, or inside other text), a label alone, or a
 * line such as "Verdict: yes". A reply with different verdicts is unreadable: nothing is guessed.
 *
 * @param labels labels of the possible verdicts
 * @example parseVerdict('Sure! {"verdict": "Yes", "reason": "Same city."}', ["yes", "no"])
 * // { status: "read", label: "yes", between: null, reason: "Same city." }
 */
export function parseVerdict(reply: string, labels: readonly string[]): ParsedVerdict {
  const text = reply.slice(0, longestReply)
  const objects = jsonObjects(text).filter((object) => verdictOf(object, labels) !== undefined)
  const stated =
    objects.length > 0
      ? objects.map((object) => verdictOf(object, labels))
      : [bareLabel(text, labels) ?? verdictLine(text)]
  const known = stated.map((value) => matchLabel(value, labels))
  const [first] = known
  if (text.trim() === "") return { status: "unreadable", problem: "the reply is empty" }
  if (!first) return { status: "unreadable", problem: `it names none of: ${labels.join(", ")}` }
  if (known.some((other) => other?.label !== first.label || other.between !== first.between))
    return { status: "unreadable", problem: "it names more than one verdict" }
  const reason = objects.at(-1)?.reason
  return { status: "read", ...first, reason: typeof reason === "string" ? reason.slice(0, 500) : null }
}

/** Every top-level JSON object in a text. */
export function jsonObjects(text: string): readonly Readonly<Record<string, unknown>>[] {
  return jsonObjectsAt(text).map(({ members }) => members)
}

/** Members that hold a verdict and nothing else. */
const verdictKeys = ["verdict", "score", "rating", "grade", "choice"] as const

/**
 * What an object states as its verdict: the first of these members that holds one of the labels, else the first that there is. An `answer`, which
 * may repeat the answer that is judged, counts where there is none of them.
 */
function verdictOf(object: Readonly<Record<string, unknown>>, labels: readonly string[]): unknown {
  const memberOf = (key: string) => Object.entries(object).find(([name]) => name.toLowerCase() === key)?.[1]
  const stated = verdictKeys.map(memberOf).filter((value) => value !== undefined)
  return stated.find((value) => matchLabel(value, labels)) ?? stated[0] ?? memberOf("answer")
}

/** The reply without decoration, when it is only a label or a number on the scale. */
function bareLabel(text: string, labels: readonly string[]): string | undefined {
  const bare = plain(text)
  return matchLabel(bare, labels) ? bare : undefined
}

function verdictLine(text: string): string | undefined {
  const lines = [
    ...text.matchAll(
      /^[^\S\n]{0,40}[*#> -]{0,40}(?:final\s{1,20})?(?:verdict|score|rating|grade)[\s*]{0,20}[:=][\s*]{0,20}(.{1,60})$/gim,
    ),
  ]
  const stated = new Set(lines.map(([, value]) => plain(value as string)))
  return stated.size === 1 ? [...stated][0] : undefined
}

function plain(text: string): string {
  return text
    .trim()
    .replace(/^["'`*_([{\s]{1,100}|["'`*_)\]}\s.!]{1,100}$/g, "")
    .toLowerCase()
}

function matchLabel(
  value: unknown,
  labels: readonly string[],
): { readonly label: string; readonly between: number | null } | null {
  if (typeof value === "boolean") return matchLabel(value ? "yes" : "no", labels)
  if (typeof value !== "string" && typeof value !== "number") return null
  const bare = plain(String(value))
  const exact = labels.find((label) => plain(label) === bare)
  if (exact !== undefined) return { label: exact, between: null }
  const scale = labels.map(Number)
  const [, share, whole] = /^(-?\d+(?:\.\d+)?)(?:\s*(?:\/|out of)\s*(\d+))?$/.exec(bare) ?? []
  // Out of something else than the scale's end it is a point of another scale.
  const isOfScale = whole === undefined || Number(whole) === Math.max(...scale)
  const number = share === undefined || !isOfScale ? Number.NaN : Number(share)
  if (scale.some(Number.isNaN) || !(number >= Math.min(...scale) && number <= Math.max(...scale))) return null
  const nearest = scale.reduce((best, point) => (Math.abs(point - number) < Math.abs(best - number) ? point : best))
  const label = labels[scale.indexOf(nearest)] as string
  return { label, between: number === nearest ? null : number }
}
