import { refusableParameters, tokenLimit } from "./parameters.ts"

/** What a service says when it refuses a request. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly code?: string | undefined
  /** The parameter that it names apart from its message. */
  readonly parameter?: string | undefined
}

/** Statuses that say something of the moment, not of the request. */
const ofTheMoment: ReadonlySet<number> = new Set([408, 425, 429])

/** Refusals that no parameter is to blame for, though their words may name one. */
const ofTheText: ReadonlySet<string> = new Set(["context_length_exceeded", "content_filter"])

const refusalWords =
  /unsupported|not (?:currently )?support|does(?:n't| not) support|isn't supported|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|extra (?:inputs|fields)|not available|not enabled|no longer|deprecated|cannot|only be set/i

/**
 * The parameter that a refusal is about, of those that the request held; undefined when it names none. Any status from 400 to 499
 * and any wording will do, as long as the parameter is named: whether it was really to blame shows when it is left out.
 */
export function findRefused(refusal: Refusal, sent: readonly string[]): string | undefined {
  const { status, code, message } = refusal
  if (status < 400 || status > 499 || ofTheMoment.has(status) || (code && ofTheText.has(code))) return undefined
  const named = sent.flatMap((name) => {
    const at = placeIn(refusal, name)
    return at === null ? [] : [{ name, at }]
  })
  // Of two that cannot both be given, the later one goes.
  const [first, ...more] = named.sort((a, b) => a.at - b.at)
  return more.length > 0 && /\bboth\b|\btogether\b/i.test(message) ? more.at(-1)?.name : first?.name
}

/** Where a refusal names a parameter: −1 apart from its message; null where it does not. */
function placeIn({ message, parameter }: Refusal, name: string): number | null {
  const rule =
    name === tokenLimit.parameter
      ? tokenLimit
      : refusableParameters.find((refusableParameter) => refusableParameter.parameter === name)
  if (!rule) return null
  const words = /[a-z]/i.test(message) && refusalWords.test(message)
  if ("valueMayBeWrong" in rule && rule.valueMayBeWrong && (!words || /invalid schema/i.test(message))) return null
  const { source } = rule.spoken
  if (parameter !== undefined && new RegExp(`(?:^|\\W)(?:${source})$`, "i").test(parameter)) return -1
  const isCommon = "isCommonWord" in rule && rule.isCommonWord === true && !words
  const mark = isCommon ? "[\"'`]" : ""
  const match = new RegExp(
    `${mark === "" ? "(?<![A-Za-z0-9])" : mark}(?:${source})${mark === "" ? "(?![A-Za-z0-9])" : mark}`,
    "i",
  ).exec(message)
  return match?.index ?? null
}
