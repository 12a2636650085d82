import type { Verdict } from "../../src/core/report/comparison.ts"
import type { RouterCurve } from "../../src/core/report/frontier.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { isImpossibleCountsNote } from "../../src/words/impossible-counts.ts"
import { count, counted } from "../../src/words/number.ts"
import { clientErrorCheckName } from "../../src/words/perf/client-error.ts"
import { plainText } from "../../src/words/text.ts"
import { doubtsBesideVerdict } from "../wording/doubts.ts"
import { criticalLines, limitLines, limitSentences } from "../wording/limits.ts"
import { nearestFirst } from "../wording/nearest-first.ts"
import { otherSections } from "../wording/placed-sections.ts"
import { verdictWords } from "../wording/verdict-words.ts"
import { advisedLines, type PlaceCommand } from "./commands.ts"
import { pad, type TerminalOptions, type TerminalStyle, wrap, wrapParts } from "./style.ts"

const comparisonLimit = 8
const limitLimit = 6

/** One sentence per comparison with its verdict word, never cut; at most eight, the decision's choice first. */
export function findingLines(
  report: RunReport,
  style: TerminalStyle,
  options: TerminalOptions,
  place?: PlaceCommand,
): string[] {
  const about = report.decision?.about
  const sorted = [...report.comparisons].sort((a, b) => Number(b.candidate === about) - Number(a.candidate === about))
  const shown = sorted.slice(0, comparisonLimit)
  const width = Math.max(0, ...shown.map(({ verdict }) => verdictWords[verdict].length))
  const [headline = [], ...sentences] = shown.map(({ verdict, sentence }) => {
    const word = verdictPaint(verdict, style)(pad(verdictWords[verdict], width))
    const text = style.text(plainText(sentence, 2000))
    const indent = width + 4
    const room = options.columns - indent - 1
    if (room < 40) {
      const below = wrap(text, options.columns - 4, options.unicode)
      return [` ${word.trimEnd()}`, ...below.map((line) => `   ${line}`)]
    }
    const [first = "", ...rest] = wrap(text, room, options.unicode)
    return [` ${word}   ${first}`, ...rest.map((line) => " ".repeat(indent) + line)]
  })
  const hidden = sorted.length - shown.length
  const doubts = doubtsBesideVerdict(report)
    .flatMap((text) => wrap(style.text(plainText(text, 600)), options.columns - 2, options.unicode))
    .map((line) => ` ${style.warn(line)}`)
  const lines = [...headline, ...doubts, ...sentences.flat()]
  if (hidden > 0) {
    const view = { name: "view", words: [plainText(report.run.id, 16)] } as const
    const more = { words: `${counted(hidden, "more comparison")}:`, command: view }
    lines.push(...advisedLines(more, place, style, options).map(style.dim))
  }
  const identity = nearestFirst(
    report,
    report.comparisons.flatMap((one) => (one.identity.warning ? [one.identity.warning] : [])),
  )
  return [
    ...lines,
    ...criticalSampleLines(report, style, options),
    ...brokenLimitLines(report, style, options),
    ...routerLines(report, style, options),
    ...identity
      .slice(0, 2)
      .flatMap((warning) => wrap(style.text(plainText(warning, 600)), options.columns - 2, options.unicode))
      .map((line) => ` ${style.warn(line)}`),
  ]
}

/** One line per candidate on the samples that must not break, those that broke first. */
function criticalSampleLines(report: RunReport, style: TerminalStyle, { columns, unicode }: TerminalOptions): string[] {
  return criticalLines(report)
    .slice(0, limitLimit)
    .flatMap(({ candidate, text, isBroken }) => {
      const label = isBroken ? style.bad("critical") : style.dim("critical")
      return wrap(style.text(plainText(`${candidate}: ${text}`, 1000)), columns - 14, unicode).map(
        (line, i) => ` ${i === 0 ? label : "        "}  ${i === 0 ? "" : "  "}${line}`,
      )
    })
}

/** One line per limit that a variant breaks or may break, the broken ones first; of many variants one per limit. */
function brokenLimitLines(report: RunReport, style: TerminalStyle, { columns, unicode }: TerminalOptions): string[] {
  const found = limitLines(report)
  const texts =
    found.length > limitLimit ? limitSentences(found) : found.map(({ variant, text }) => `${variant}: ${text}`)
  return texts.flatMap((text) => {
    const sentence = style.text(plainText(text, 1000))
    return wrap(sentence, columns - 14, unicode).map(
      (line, i) => ` ${style.bad(i === 0 ? "limit" : "     ")}     ${i === 0 ? "" : "  "}${line}`,
    )
  })
}

/** What a cascade could still make of variants that may not replace the baseline alone; at most three. */
function routerLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const kept = new Set(report.comparisons.filter(({ verdict }) => verdict === "keep").map(({ candidate }) => candidate))
  const baseline = report.comparisons[0]?.baseline
  const shown = report.routers.filter(
    ({ stages: [first = "", last, ...more], kind }) =>
      kept.has(first) && last === baseline && more.length === 0 && kind !== "best_of",
  )
  const sentences = cascadeSentences(shown)
  return sentences.slice(0, 3).flatMap((sentence) => {
    const wrapped = wrap(style.text(plainText(sentence, 600)), options.columns - 12, options.unicode)
    return wrapped.map((line, i) => ` ${i === 0 ? style.dim("cascade") : "       "}   ${line}`)
  })
}

/** One sentence for each cascade; those of which the same is said share theirs: `Asking a, b or c first and d … saves nothing`. */
export function cascadeSentences(cascades: readonly Pick<RouterCurve, "stages" | "sentence">[]): readonly string[] {
  const firstsOf = new Map<string, string[]>()
  for (const {
    stages: [first = ""],
    sentence,
  } of cascades) {
    if (sentence === undefined) continue
    const opening = `Asking ${first} first`
    const isUsual = sentence.startsWith(opening)
    const rest = isUsual ? sentence.slice(opening.length) : sentence
    const firsts = firstsOf.get(rest) ?? []
    firstsOf.set(rest, isUsual ? [...firsts, first] : firsts)
  }
  return [...firstsOf].map(([rest, firsts]) => (firsts.length === 0 ? rest : `Asking ${anyOf(firsts)} first${rest}`))
}

function anyOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
}

/** Client error, checks that failed, the gate, cache and retries: what the figures above depend on. */
export function groundLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const client = report.checks.find(({ name }) => name === clientErrorCheckName)
  const replayed = report.variants.reduce((sum, variant) => sum + variant.speed.replayed, 0)
  const cold = report.variants.reduce((sum, variant) => sum + (variant.speed.cold ?? 0), 0)
  const untimed = report.variants.reduce((sum, variant) => sum + (variant.speed.untimed ?? 0), 0)
  const retried = report.variants.filter(({ retries }) => retries > 0)
  const parts = [
    client ? `client error: ${client.message}` : "client error: unknown",
    replayed === 0 ? "nothing was cached" : `${count(replayed)} cached answers, left out of every latency`,
    ...(untimed === 0 ? [] : [`speed of ${counted(untimed, "answer")} not measured (batch)`]),
    ...(cold === 0 ? [] : [`${counted(cold, "cold start")}, left out of every latency`]),
    retried.length === 0
      ? "0 retries"
      : `retries: ${retried.map(({ name, retries }) => `${count(retries)} of ${plainText(name, 40)}`).join(", ")}`,
  ]
  const lines = (text: string) => wrap(style.text(plainText(text, 600)), options.columns - 2, options.unicode)
  const failures = [
    ...report.checks
      .filter((check) => check.status === "failed" && check !== client && !check.besideVerdict)
      .map((check) => `check failed: ${check.name}: ${check.message}`),
    ...report.gate
      .filter((rule) => rule.status !== "passed")
      .map((rule) => `gate ${rule.status}: ${rule.variant}: ${rule.rule}: ${rule.message}`),
  ]
  const failed = nearestFirst(report, failures)
  const sections = otherSections(report).map(({ title }) => style.text(plainText(title, 60)))
  const list = { limit: 2, unicode: options.unicode, more: (hidden: number) => `${hidden} more` }
  const cautions = nearestFirst(
    report,
    report.sections.flatMap(({ caution }) => caution ?? []),
  )
  const counts = report.variants.flatMap(({ name, notes }) =>
    notes.filter(isImpossibleCountsNote).map((note) => `${name}: ${note}`),
  )
  return [
    ...counts
      .slice(0, 2)
      .flatMap(lines)
      .map((text) => ` ${style.warn(text)}`),
    ...cautions
      .slice(0, 2)
      .flatMap(lines)
      .map((text) => ` ${style.warn(text)}`),
    ...(sections.length === 0
      ? []
      : wrapParts([`in the report: ${sections[0]}`, ...sections.slice(1)], options.columns - 2, list)
    ).map((text) => ` ${style.dim(text)}`),
    ...lines(parts.join(" \u00b7 ")).map((text) => ` ${style.dim(text)}`),
    ...failed
      .slice(0, 4)
      .flatMap((text) =>
        wrap(style.text(plainText(text, 600)), options.columns - 4, options.unicode).map(
          (part, i) => ` ${style.bad(i === 0 ? part : `  ${part}`)}`,
        ),
      ),
    ...(failed.length > 4 ? [` ${style.bad(`${failed.length - 4} more: see the report`)}`] : []),
  ]
}

function verdictPaint(verdict: Verdict, style: TerminalStyle): (text: string) => string {
  if (verdict === "swap") return (text) => style.bold(style.good(text))
  if (verdict === "keep" || verdict === "invalid") return (text) => style.bold(style.bad(text))
  return (text) => style.bold(style.warn(text))
}
