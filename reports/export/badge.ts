import type { Verdict } from "../../src/core/report/comparison.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { escaped } from "../../src/words/escape.ts"
import { plainText } from "../../src/words/text.ts"
import { firstWord, wholeFailure } from "../wording/whole-failure.ts"

/** The verdict of a run in a few words, and how it is coloured. */
interface Badge {
  readonly label: string
  readonly message: string
  /** As shields.io names it. */
  readonly color: string
  /** A rule of the gate failed, or the measurement did. */
  readonly isError: boolean
}

const colors: Readonly<Record<Verdict, string>> = {
  swap: "brightgreen",
  keep: "blue",
  inconclusive: "yellow",
  not_comparable: "lightgrey",
  invalid: "red",
}

const hex: Readonly<Record<string, string>> = {
  brightgreen: "#44cc11",
  blue: "#007ec6",
  yellow: "#dfb317",
  lightgrey: "#9f9f9f",
  red: "#e05d44",
}

/** What a badge says: the verdict word, the candidate that it is about, and whether the gate failed. */
export function badgeOf(report: RunReport): Badge {
  const { decision, gate } = report
  const isFailure = wholeFailure(report) !== null
  const failed = gate.some(({ status }) => status === "failed")
  const about = isFailure ? null : (decision?.choice ?? decision?.about ?? null)
  const word = firstWord(report)?.toLowerCase() ?? "no verdict"
  const words = about === null ? word : `${word} ${plainText(about, 40)}`
  return {
    label: "evalkit",
    message: failed ? `${words}, gate failed` : words,
    color: failed ? "red" : decision ? colors[decision.verdict] : "lightgrey",
    isError: failed || decision?.verdict === "invalid",
  }
}

/** The badge as shields.io reads it from an address (its endpoint schema, version 1). */
export function renderBadgeJson(report: RunReport): string {
  return `${JSON.stringify({ schemaVersion: 1, ...badgeOf(report) })}\n`
}

/** The badge as a picture of its own: no font, address or script from elsewhere. */
export function renderBadgeSvg(report: RunReport): string {
  const { label, message, color } = badgeOf(report)
  const [left, right] = [widthOf(label), widthOf(message)]
  const title = escaped(`${label}: ${message}`)
  const part = (text: string, at: number, width: number) =>
    `<text x="${at + width / 2}" y="14" textLength="${width - 10}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#555"/><rect x="${left}" width="${right}" height="20" fill="${hex[color]}"/></g>`,
    `<g fill="${color === "yellow" || color === "brightgreen" ? "#111" : "#fff"}" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    part(label, 0, left).replace("<text ", '<text fill="#fff" '),
    part(message, left, right),
    "</g></svg>\n",
  ].join("")
}

/** About what the text takes in 11 pixels of Verdana, with five pixels on each side. */
function widthOf(text: string): number {
  return 10 + Math.ceil([...text].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2e80 ? 11 : 6.6), 0))
}
