import { UsageError } from "../src/core/errors.ts"
import type { Generation } from "../src/core/generation.ts"
import { contentHash } from "../src/core/json.ts"
import { type Measured, type Metric, scored, type Unscored, unscored } from "../src/core/metric/metric.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import { unscoredCodes } from "../src/core/metric/unscored-code.ts"
import { checkOptions } from "../src/core/options.ts"
import { createRandom } from "../src/core/random.ts"
import type { DroppedJudge, JudgeVerdict, PanelRow, UnscoredPanel } from "../src/core/report/section-judge.ts"
import type { Sample } from "../src/core/sample.ts"
import { type Aggregate, aggregateScores, disagreementOf } from "./aggregate.ts"
import { type Anchor, trustOnAnchors } from "./anchors.ts"
import { characters, type Judge, noVerdict } from "./judge.ts"
import { judgeMetric } from "./judge-metric.ts"

/** Options of {@link panel}. @public */
export interface PanelOptions {
  readonly name?: string
  /**
   * How the members' scores are joined; `median` by default. `escalate`: the median of the members, and the stronger
   * judge's own score wherever they disagree by more than `escalateAbove`.
   */
  readonly aggregate?: Aggregate | "escalate"
  readonly escalateTo?: Judge
  /** Disagreement (largest minus smallest score) above which the stronger judge is asked. Default: a quarter of the range. */
  readonly escalateAbove?: number
  /** Members that must give a score; more than half of those asked by default. With fewer the answer is unscored. */
  readonly quorum?: number
  /** Agreement of judges with people by name, as `evalkit judge validate` found it. */
  readonly trust?: Readonly<Record<string, number>>
  /** Answers that people have scored: each judge is tested on them once, before its first verdict, to measure its trust. */
  readonly anchors?: readonly Anchor[]
  /** Judges with less trust are dropped: they are not asked, and every row and the judge card name them. */
  readonly dropBelow?: number
  /** Name of a metric of the config that is taken as the truth (`exactMatch`): the judge card reports their agreement. */
  readonly truth?: string
  /** Judge only this share of the samples, 0..1, drawn at random and the same for every variant; the rest is `not_drawn`. */
  readonly share?: number
  /** A caveat that is shown with the figure. */
  readonly note?: string
}

/**
 * Several judges as one metric. The value is the aggregate; every row keeps each member's verdict, so that agreement, noise
 * and cost can be computed later. Members that abstain, fail or cannot be read do not count; they never count as 0.
 *
 * Misleads where its members are of one family: they err together, and their agreement is no proof. Range and direction are
 * those of the members. Cost: that of all members. Source: Verga et al. 2024 (panel of judges).
 *
 * @example
 * // one member says yes (1), the other partly (0.5)
 * panel([rubric({ provider: a, rubric: correctness }), rubric({ provider: b, rubric: correctness })]) // 0.75: the median of two
 * @throws {UsageError} when members share a name or have different scales, or when an option needs another one
 * @public
 */
export function panel(judges: readonly Judge[], options: PanelOptions = {}): Metric<PanelRow> {
  checkOptions("panel", options)
  const { aggregate = "median" } = options
  const everyone = options.escalateTo ? [...judges, options.escalateTo] : judges
  check(judges, everyone, options)
  const range = judges[0]!.range
  let members: Promise<Members> | undefined
  return judgeMetric({
    name: options.name ?? `${judges[0]!.name}_panel`,
    range,
    direction: judges[0]!.direction,
    signature: [
      "panel",
      `aggregate:${aggregate}`,
      ...(aggregate === "escalate" ? [`above:${escalationThreshold(options, range)}`] : []),
      ...(options.share === undefined ? [] : [`share:${options.share}`]),
      ...(options.dropBelow === undefined ? [] : [`dropBelow:${options.dropBelow}`]),
      ...(options.trust || options.anchors
        ? [`trust:${contentHash({ trust: options.trust ?? null, anchors: options.anchors ?? null }, 8)}`]
        : []),
      ...everyone.map(({ judge, signature }) => `judge:${judge}(${signature})`),
    ].join("|"),
    truth: options.truth,
    note: options.note ?? judges.find(({ note }) => note !== undefined)?.note,
    asks: everyone.flatMap(({ asks = [] }) => asks),
    asksWith: everyone.flatMap(({ asksWith = [] }) => asksWith),
    async measure(sample, generation, tools): Promise<Measured<PanelRow>> {
      if (!drawn(sample.id, options.share, tools.seed)) return unscored("not_drawn")
      members ??= chooseMembers(judges, options, tools)
      const { asked, dropped, trust } = await members
      return measurePanel({ asked, dropped, trust, range, options }, sample, generation, tools)
    },
  })
}

interface Members {
  readonly asked: readonly Judge[]
  readonly dropped: readonly DroppedJudge[]
  readonly trust: ReadonlyMap<string, number>
}

/** Which judges are asked, decided once before the first verdict: the run's own answers come too late for that. */
async function chooseMembers(judges: readonly Judge[], options: PanelOptions, tools: MetricTools): Promise<Members> {
  const trust = new Map(Object.entries(options.trust ?? {}))
  const { anchors, dropBelow = Number.NEGATIVE_INFINITY } = options
  if (anchors) {
    const weights = await Promise.all(judges.map((judge) => trustOnAnchors(judge, anchors, tools)))
    weights.forEach((value, i) => {
      if (value !== null) trust.set(judges[i]!.judge, value)
    })
  }
  const dropped = judges.flatMap(({ judge }) => {
    const existing = trust.get(judge)
    return existing !== undefined && existing < dropBelow ? [{ judge, trust: existing, threshold: dropBelow }] : []
  })
  const names = new Set(dropped.map(({ judge }) => judge))
  return { asked: judges.filter(({ judge }) => !names.has(judge)), dropped, trust }
}

async function measurePanel(
  { asked, dropped, trust, range, options }: Members & { range: readonly [number, number]; options: PanelOptions },
  sample: Sample,
  generation: Generation,
  tools: MetricTools,
): Promise<Measured<PanelRow>> {
  const { aggregate = "median", escalateTo } = options
  const said = await Promise.all(asked.map((judge) => judge.verdict(sample, generation, tools)))
  const disagreement = disagreementOf(said)
  const escalated =
    aggregate === "escalate" && disagreement !== null && disagreement > escalationThreshold(options, range)
  const stronger = escalated && escalateTo ? await escalateTo.verdict(sample, generation, tools) : null
  const base = {
    kind: "panel" as const,
    range,
    disagreement,
    escalated,
    members: stronger ? [...said, stronger] : said,
    dropped,
    ...(options.truth !== undefined && { truth: tools.valueOf(options.truth) ?? null }),
    answerCharacters: characters(generation.text),
  }
  const score = enough(said, options.quorum)
    ? (stronger?.score ?? aggregateScores(said, aggregate === "escalate" ? "median" : aggregate, trust))
    : null
  if (score === null) return whyUnscored(said, dropped, { ...base, score: null })
  return scored({ ...base, score })
}

function escalationThreshold({ escalateAbove }: PanelOptions, [low, high]: readonly [number, number]): number {
  return escalateAbove ?? (high - low) / 4
}

/** Whether a sample is judged: by its id and the seed, so the same for every variant and after a resume. */
function drawn(sampleId: string, share: number | undefined, seed: number): boolean {
  return share === undefined || createRandom(`${seed}/judged/${sampleId}`).next() < share
}

function enough(said: readonly JudgeVerdict[], quorum = Math.floor(said.length / 2) + 1): boolean {
  return said.filter(({ score }) => score !== null).length >= quorum
}

/** The reason that all members share, or how many of them gave a score. */
function whyUnscored(
  said: readonly JudgeVerdict[],
  dropped: readonly DroppedJudge[],
  details: UnscoredPanel,
): Unscored {
  const [first] = said
  if (!first) return unscored("panel_empty", `all ${dropped.length} judges were dropped`, details)
  const silent = said.filter(({ score }) => score === null)
  if (silent.length === said.length && said.every((judgeVerdict) => failureClass(judgeVerdict) === failureClass(first)))
    return noVerdict(first, details)
  const reasons = [...new Set(silent.map(({ code = "judge_failed" }) => unscoredCodes[code]))]
  const scores = `${said.length - silent.length} of ${said.length} judges gave a score`
  return unscored("panel_quorum", `${scores} (${reasons.join("; ")})`, details)
}

/** Why a judge is silent, without its service's own words: those differ by request ids. */
function failureClass({ code, reason }: JudgeVerdict): string | null {
  return code === "judge_failed" && reason !== null ? reason.split(": ", 2).join(": ") : reason
}

function check(judges: readonly Judge[], everyone: readonly Judge[], options: PanelOptions): void {
  const where = "panel([...])"
  const fail = (what: string, hint: string) => {
    throw new UsageError(what, { where, hint })
  }
  const [first] = judges
  if (!first) fail("a panel needs a judge", "panel([rubric({ provider, rubric: correctness })])")
  const names = everyone.map(({ judge }) => judge)
  if (new Set(names).size < names.length)
    fail("two judges of a panel have the same name", 'give each a name: rubric({ judge: "strict", … })')
  if (everyone.some(({ range }) => range[0] !== first!.range[0] || range[1] !== first!.range[1]))
    fail("the judges of a panel score on different scales", "give them the same rubric")
  if ((options.aggregate === "escalate") !== (options.escalateTo !== undefined))
    fail('aggregate "escalate" and escalateTo need each other', "panel([...], { aggregate: 'escalate', escalateTo })")
  const needsTrust = options.aggregate === "weighted" || options.dropBelow !== undefined
  if (needsTrust && !options.trust && !options.anchors)
    fail("the judges' trust is not known", "give trust (from evalkit judge validate) or anchors")
  if (options.quorum !== undefined && !(options.quorum >= 1 && options.quorum <= judges.length))
    fail("the quorum must lie between 1 and the number of judges", `quorum: ${judges.length}`)
}
