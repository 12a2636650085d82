import type { JsonObjectAt } from "../src/text/reading/json-objects.ts"
import { membersAt, statedJson, statesMember } from "../src/text/reading/stated-json.ts"

/** A verdict that could be read, or why the reply could not. */
export type ParsedVerdict =
  | {
      readonly status: "read"
      /** One of the labels, as the rubric writes it. */
      readonly label: string
      /** A number between the labels of a numeric scale, when the judge gave one (3.5 of 1..5). */
      readonly between: number | null
      readonly reason: string | null
      /** Where the verdict's own value begins in the reply, in UTF-16 units. */
      readonly at: number
    }
  | { readonly status: "unreadable"; readonly problem: string }

/** Longest reply that is read. */
const maxReplyLength = 50_000

/**
 * Reads a judge's reply: a JSON object with a verdict (bare, in a code block, or beside other text), a label alone, or a line such as
 * "Verdict: yes". Only what the judge says itself counts: of nested objects the outermost one, no line that quotes another's words, nothing
 * out of an object that is broken. A reply with different verdicts is unreadable, and so is one that may quote the verdict: it has other
 * words beside it, and what is judged holds a verdict, too. Nothing is guessed.
 *
 * @param labels labels of the possible verdicts
 * @param shown the texts that the judge was shown
 * @example parseVerdict('Sure! {"verdict": "Yes", "reason": "Same city."}', ["yes", "no"], ["Paris"])
 * // { status: "read", label: "yes", between: null, reason: "Same city.", at: 18 }
 */
export function parseVerdict(reply: string, labels: readonly string[], shown: readonly string[]): ParsedVerdict {
  const stated = statedJson(reply.slice(0, maxReplyLength))
  const unreadable = (problem: string) => ({ status: "unreadable", problem }) as const
  if (stated.text.trim() === "") return unreadable("the reply is empty")
  if (stated.isBroken) return unreadable("its JSON is broken or cut off")
  const fromJson = stated.objects.flatMap((object) => verdictOf(object, stated.text, labels))
  const bare = fromJson.length === 0 ? bareLabel(stated.outside, labels) : null
  const inWords = bare ? [] : verdictsInWords(stated.outside, labels)
  const verdicts = bare ? [bare] : [...fromJson, ...inWords]
  const [first] = verdicts.map(({ value }) => matchLabel(value, labels))
  if (!first || fromJson.some(({ value }) => matchLabel(value, labels) === null))
    return unreadable(`it names none of: ${labels.join(", ")}`)
  const all = [...verdicts, ...(bare ? [] : openingLabel(stated.outside, labels))].map(({ value }) =>
    matchLabel(value, labels),
  )
  if (all.some((other) => other?.label !== first.label || other.between !== first.between))
    return unreadable("it names more than one verdict")
  if (
    !bare &&
    !stated.isWhole &&
    (statesMember(shown, verdictKeys) || shown.some((text) => text.search(inBrackets) >= 0))
  )
    return unreadable("it has other words beside the verdict, which may be one that it quotes")
  const reason = stated.objects.at(-1)?.members.reason
  return {
    status: "read",
    ...first,
    reason: typeof reason === "string" ? reason.slice(0, 500) : null,
    at: verdicts.at(-1)?.at ?? 0,
  }
}

/** What a reply states as its verdict, and where. */
interface Stated {
  readonly value: unknown
  readonly at: number
}

/** Members that hold a verdict and nothing else; the first is the one that is asked for. */
const verdictKeys = ["verdict", "score", "rating", "grade", "choice"]

/**
 * What an object states as its verdict: the member `verdict`, whatever else there is; without one, the first of the others that holds one of
 * the labels, else the first that there is. An `answer`, which may repeat the answer that is judged, counts where there is none of them.
 */
function verdictOf({ members, start, end }: JsonObjectAt, text: string, labels: readonly string[]): readonly Stated[] {
  const positions = membersAt(text.slice(start, end))
  const named = [...verdictKeys, "answer"].flatMap((key): readonly (Stated & { readonly key: string })[] => {
    const at = positions.find(({ name }) => name === key)?.at
    return at === undefined ? [] : [{ key, value: memberValue(members, key), at: start + at }]
  })
  const others = named.filter(({ key }) => key !== "answer")
  const isOwn = named[0]?.key === "verdict"
  const stated = isOwn ? named[0] : (others.find(({ value }) => matchLabel(value, labels)) ?? named[0])
  return stated ? [isOfAnotherScale(members, labels) ? { ...stated, value: null } : stated] : []
}

function memberValue(members: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.entries(members).find(([name]) => name.toLowerCase() === key)?.[1]
}

/** Whether an object names an end of its scale that is not the rubric's: {"score": 4, "out_of": 10}. */
function isOfAnotherScale(members: Readonly<Record<string, unknown>>, labels: readonly string[]): boolean {
  const top = Math.max(...labels.map(Number))
  return Object.entries(members).some(
    ([name, value]) =>
      /^(?:max|out_?of$|scale$|denominator$|total$)/i.test(name) &&
      value !== null &&
      Number.isFinite(Number(value)) &&
      Number.isFinite(top) &&
      Number(value) !== top,
  )
}

/** The reply without decoration, when it is only a label or a number on the scale. */
function bareLabel(text: string, labels: readonly string[]): Stated | null {
  const bare = plain(text)
  return matchLabel(bare, labels) ? { value: bare, at: text.toLowerCase().indexOf(bare) } : null
}

const verdictLine =
  /^[^\S\n]{0,40}[*# -]{0,40}(?:(?:so|thus|therefore|my|the|overall|final),?\s{1,20}){0,4}(?:verdict|score|rating|grade)[\s*]{0,20}(?:[:=]|\bis\b:?)[\s*]{0,20}(.{1,60})$/gim
const inBrackets = /\[\[[^[\]\n]{1,60}\]\]/g

/** Lines such as "Verdict: yes", and labels in double brackets ("[[A]]"), that hold one of the labels; without JSON they are the verdict. */
function verdictsInWords(text: string, labels: readonly string[]): readonly Stated[] {
  const lines = [...text.matchAll(verdictLine)].map(({ 0: line, 1: value = "", index }) => ({
    value: plain(value),
    at: index + line.length - value.length,
  }))
  const bracketed = [...text.matchAll(inBrackets)].map(({ 0: value, index }) => ({
    value: plain(value),
    at: index + 2,
  }))
  return [...lines, ...bracketed].filter(({ value }) => matchLabel(value, labels)).sort((a, b) => a.at - b.at)
}

/** A label with which the words begin ("No. The answer says …"): no verdict by itself, but it may contradict another. */
function openingLabel(text: string, labels: readonly string[]): readonly Stated[] {
  const [, word = ""] = /^\W{0,20}([^\d\W][^\n.,:;!]{1,60})[.,;!\n]/.exec(text.trimStart()) ?? []
  return matchLabel(word, labels) ? [{ value: word, at: 0 }] : []
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
