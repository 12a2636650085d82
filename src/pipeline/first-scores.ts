import type { Answer, Generation } from "../core/generation.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import { isAnswered } from "../core/outcome.ts"
import type { Provider } from "../core/provider.ts"
import type { StoredRow } from "../core/run/run-store.ts"
import type { RunStage } from "../run/run-stage.ts"
import { isFault } from "../score/standing-rows.ts"
import { judgingWords } from "../wording/judging.ts"
import { scoreVariant, type VariantTask } from "./score-stage.ts"

/** Answers that are tried before what the metrics ask counts as answering none. */
const max = 3

/**
 * Scores the first answer of a run with the metrics that ask judges, embedders or moderation services over the network, before
 * the rest of the answers is paid for. The rows are those that any scoring makes: kept, billed, and not made again. Where nothing
 * that was asked answers, another two answers are tried, for an answer may be at fault.
 *
 * @param part of a run that several processes score: the samples whose answers are tried, and how models are asked
 * @returns why nothing more is to be asked, when none of what they ask answered; else null
 */
export async function firstScores(run: RunStage, part: FirstPart = {}): Promise<string | null> {
  const { budget } = run.control
  const kept = budget.releaseHeld()
  const before = budget.spent()
  try {
    return await tryFirst(run, part)
  } finally {
    // What is kept for judging all the other answers stays.
    const now = budget.spent()
    const left = (of: "usd" | "tokens" | "requests") => Math.max(0, (kept[of] ?? 0) - (now[of] - before[of]))
    budget.hold({ usd: left("usd"), tokens: left("tokens"), requests: left("requests") })
  }
}

type FirstPart = Pick<VariantTask, "sampleIds" | "asking" | "ends">

async function tryFirst(run: RunStage, part: FirstPart): Promise<string | null> {
  const { evaluation, store, record, control, progress } = run
  const asking = evaluation.metrics.filter(asksOverNetwork)
  if (asking.length === 0) return null
  const metrics = withDependencies(asking, evaluation.metrics)
  const names = new Set(asking.map(({ name }) => name))
  let failed: readonly StoredRow[] = []
  const said = new Map<string, string>()
  let answered = false
  const onAnswer = ({ label }: Provider, { outcome, failure }: Answer): void => {
    if (isAnswered(outcome)) answered = true
    else said.set(label, `${label}: ${failure?.message ?? outcome}`)
  }
  for (const answer of firstAnswers(run, part.sampleIds)) {
    const { variant, sampleId, repeat } = answer
    const wanted = (call: { readonly sampleId: string; readonly repeat: number }) =>
      call.sampleId === sampleId && call.repeat === repeat
    const task = { ...part, variant, metrics, repair: true, wanted, onAnswer }
    if (!(await scoreVariant(run, task)) || control.signal.aborted) return null
    const rows = store
      .answerRows(record.id, variant, [sampleId])
      .filter((row) => row.repeat === repeat && names.has(row.metric))
    failed = rows.filter(isUnanswered)
    if (failed.length === 0 && rows.every(({ measured }) => measured.status === "unscored")) continue
    if (answered || failed.length < asking.length) {
      for (const row of failed) progress.note(judgingWords.firstAnswer(row.metric, reasonOf(row)))
      return null
    }
  }
  const [row] = failed
  if (!row) return null
  const words = said.size > 0 ? [...said.values()].join(" · ") : reasonOf(row)
  return judgingWords.firstCall(row.metric, words)
}

/** Whether what was asked did not answer: one that answers in words that cannot be read is there. */
function isUnanswered({ measured }: StoredRow): boolean {
  return isFault(measured) && measured.status === "unscored" && !measured.code.endsWith("_unparseable")
}

/** Whether a metric asks something that costs money, or that a key or a name could be wrong for. */
function asksOverNetwork({ asks = [], meters = [] }: AnyMetric): boolean {
  return meters.length > 0 || (asks.length > 0 && asks.every(isRemote))
}

function isRemote({ exclusive, lane, traits }: Provider): boolean {
  return !exclusive && lane === undefined && !traits?.isRecord
}

/** The metrics with all that they are computed from. */
function withDependencies(asking: readonly AnyMetric[], all: readonly AnyMetric[]): readonly AnyMetric[] {
  const needed = new Set(asking.map(({ name }) => name))
  for (let before = -1; before < needed.size; ) {
    before = needed.size
    for (const { name, dependsOn = [] } of all) if (needed.has(name)) for (const other of dependsOn) needed.add(other)
  }
  return all.filter(({ name }) => needed.has(name))
}

/** The first answer of each variant that has one. */
function firstAnswers(
  { evaluation, store, record }: RunStage,
  sampleIds: readonly string[] | undefined,
): readonly Generation[] {
  return evaluation.variants
    .flatMap(({ name }) => {
      const answers = sampleIds ? store.generationsTo(record.id, name, sampleIds) : store.generations(record.id, name)
      for (const generation of answers) if (generation.outcome === "ok") return [generation]
      return []
    })
    .slice(0, max)
}

function reasonOf({ measured }: StoredRow): string {
  return measured.status === "unscored" ? measured.reason : ""
}
