import type { Verdict } from "../../src/core/report/comparison.ts"
import type { RouterCurve } from "../../src/core/report/frontier.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { isImpossibleCountsNote } from "../../src/words/impossible-counts.ts"
import { count, counted } from "../../src/words/number.ts"
import { clientErrorCheckName } from "../../src/words/perf/client-error.ts"
import { plainText } from "../../src/words/text.ts"
import { otherSections } from "../view-model/sections.ts"
import { doubtsBesideVerdict, failedCheck } from "../wording/doubts.ts"
import { planKept } from "../wording/frozen-plan.ts"
import { criticalLines, limitLines, limitSentences } from "../wording/limits.ts"
import { nearestFirst } from "../wording/nearest-first.ts"
import { shiftLines } from "../wording/shifts.ts"
import { unchecked } from "../wording/unchecked.ts"
import { verdictWords } from "../wording/verdict-words.ts"
import { advisedLines, type PlaceCommand } from "./commands.ts"
import { listLines, pad, paragraph, type Screen } from "./style.ts"

const comparisonLimit = 8
const limitLimit = 6

/** One sentence per comparison with its verdict word, never cut; at most eight, the decision's choice first. */
export function findingLines(report: RunReport, screen: Screen, place?: PlaceCommand): string[] {
  const about = report.decision?.about
  const sorted = [...report.comparisons].sort((a, b) => Number(b.candidate === about) - Number(a.candidate === about))
  const shown = sorted.slice(0, comparisonLimit)
  const width = Math.max(0, ...shown.map(({ verdict }) => verdictWords[verdict].length))
  const [headline = [], ...sentences] = shown.map(({ verdict, sentence }) => {
    const word = verdictPaint(verdict, screen)(pad(verdictWords[verdict], width))
    const indent = width + 4
    if (screen.columns - indent - 1 < 40)
      return [` ${word.trimEnd()}`, ...paragraph(screen, sentence, { margin: 4, first: "   ", limit: 2000 })]
    const next = " ".repeat(indent)
    return paragraph(screen, sentence, { margin: indent + 1, first: ` ${word}   `, next, limit: 2000 })
  })
  const hidden = sorted.length - shown.length
  const warned = (text: string) => paragraph(screen, text, { paint: screen.warn })
  const doubts = doubtsBesideVerdict(report).flatMap(warned)
  const lines = [...headline, ...doubts, ...sentences.flat()]
  if (hidden > 0) {
    const view = { name: "view", words: [plainText(report.run.id, 16)] } as const
    const more = { words: `${counted(hidden, "more comparison")}:`, command: view }
    lines.push(...advisedLines(more, place, screen).map(screen.dim))
  }
  const identity = nearestFirst(
    report,
    report.comparisons.flatMap((comparison) => (comparison.identity.warning ? [comparison.identity.warning] : [])),
  )
  return [
    ...lines,
    ...otherShiftLines(report, screen),
    ...criticalSampleLines(report, screen),
    ...brokenLimitLines(report, screen),
    ...routerLines(report, screen),
    ...identity.slice(0, 2).flatMap(warned),
  ]
}

/** What else a candidate does worse, or better, a line each; of more than two candidates that which the answer is about. */
function otherShiftLines(report: RunReport, screen: Screen): string[] {
  const lines = shiftLines(report)
  const about = report.decision?.about
  const shown = report.comparisons.length > 2 ? lines.filter(({ candidate }) => candidate === about) : lines
  return shown.flatMap(({ candidate, way, text }) => {
    const first = ` ${way === "worse" ? screen.bad("worse") : screen.good("better")}${way === "worse" ? "    " : "   "} `
    return paragraph(screen, `${candidate}: ${text}`, { margin: 14, first, next: " ".repeat(13), limit: 1000 })
  })
}

/** One line per candidate on the samples and checks that must not break, those that broke first. */
function criticalSampleLines(report: RunReport, screen: Screen): string[] {
  return criticalLines(report)
    .slice(0, limitLimit)
    .flatMap(({ candidate, label, text, isBroken }) => {
      const word = label === "critical samples" ? "critical" : "breaks  "
      const first = ` ${(isBroken ? screen.bad : screen.dim)(word)}  `
      return paragraph(screen, `${candidate}: ${text}`, { margin: 14, first, next: " ".repeat(13), limit: 1000 })
    })
}

/** One line per limit that a variant breaks or may break, the broken ones first; of many variants one per limit. */
function brokenLimitLines(report: RunReport, screen: Screen): string[] {
  const limits = limitLines(report)
  const texts =
    limits.length > limitLimit ? limitSentences(limits) : limits.map(({ variant, text }) => `${variant}: ${text}`)
  const layout = { margin: 14, first: ` ${screen.bad("limit")}     `, next: " ".repeat(13), limit: 1000 }
  return texts.flatMap((text) => paragraph(screen, text, layout))
}

/** What a cascade could still make of variants that may not replace the baseline alone; at most three. */
function routerLines(report: RunReport, screen: Screen): string[] {
  const kept = new Set(report.comparisons.filter(({ verdict }) => verdict === "keep").map(({ candidate }) => candidate))
  const baseline = report.comparisons[0]?.baseline
  const shown = report.routers.filter(
    ({ stages: [first = "", last, ...more], kind }) =>
      kept.has(first) && last === baseline && more.length === 0 && kind !== "best_of",
  )
  const layout = { margin: 12, first: ` ${screen.dim("cascade")}   `, next: " ".repeat(11) }
  return cascadeSentences(shown)
    .slice(0, 3)
    .flatMap((sentence) => paragraph(screen, sentence, layout))
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
export function groundLines(report: RunReport, screen: Screen): string[] {
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
  const failures = [
    ...report.checks
      .filter((check) => check.status === "failed" && check !== client && !check.besideVerdict)
      .map(failedCheck),
    ...report.gate
      .filter((rule) => rule.status !== "passed")
      .map((rule) => `gate ${rule.status}: ${rule.variant}: ${rule.rule}: ${rule.message}`),
  ]
  const failed = nearestFirst(report, failures)
  const cautions = nearestFirst(
    report,
    report.sections.flatMap(({ caution }) => caution ?? []),
  )
  const counts = report.variants.flatMap(({ name, notes }) =>
    notes.filter(isImpossibleCountsNote).map((note) => `${name}: ${note}`),
  )
  const open = unchecked(report)
  const titles = otherSections(report).map(({ title }) => plainText(title, 60))
  return [
    ...[...counts.slice(0, 2), ...cautions.slice(0, 2)].flatMap((text) =>
      paragraph(screen, text, { paint: screen.warn }),
    ),
    ...(open.length === 0
      ? []
      : paragraph(screen, `not checked: ${open.join("; ")}`, { margin: 4, next: "   ", paint: screen.dim })),
    ...paragraph(screen, planKept(report) ?? "", { paint: screen.dim }),
    ...listLines(screen, "in the report", titles, ""),
    ...paragraph(screen, parts.join(" \u00b7 "), { paint: screen.dim }),
    ...failed.slice(0, 4).flatMap((text) => paragraph(screen, text, { margin: 4, next: "   ", paint: screen.bad })),
    ...(failed.length > 4 ? [` ${screen.bad(`${failed.length - 4} more: see the report`)}`] : []),
  ]
}

function verdictPaint(verdict: Verdict, screen: Screen): (text: string) => string {
  if (verdict === "swap") return (text) => screen.bold(screen.good(text))
  if (verdict === "keep" || verdict === "invalid") return (text) => screen.bold(screen.bad(text))
  return (text) => screen.bold(screen.warn(text))
}
