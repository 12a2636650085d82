import type { ViewAssets } from "../../../reports/view/document.ts"
import type { LabelItem } from "../../../reports/view/label-page.ts"
import { pairsOfPeople } from "../../analyse/judge-validation/pairs-of-people.ts"
import { agreementAmongPeople } from "../../analyse/judge-validation/people.ts"
import { labelledItems, storedVerdicts } from "../../analyse/judge-validation/stored-verdicts.ts"
import { UsageError } from "../../core/errors.ts"
import type { HumanLabel } from "../../core/report/section-judge.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { inputText } from "../../core/sample.ts"
import { renewJudgeCards } from "../../pipeline/renew-judge-cards.ts"
import { amount } from "../../words/number.ts"
import { type LabelWish, labelQueue, nothingLeft } from "../label/queue.ts"
import { scoreKeys, scoreMeanings } from "../label/scale.ts"
import { field, wholeField } from "./form.ts"
import { createLabelSessions, type LabelSession } from "./label-sessions.ts"
import { pageReply, redirect, type ViewReply, type ViewRequest } from "./reply.ts"

/** What the pages of labelling need. */
export interface LabelRoutesOptions {
  /** Opens the store to write, for a moment. */
  openToWrite(): RunStore
  assets(): Promise<ViewAssets>
}

/** Labelling in the browser: the queue of `evalkit label`, one answer at a time. */
export interface LabelRoutes {
  /** `/label/RUN`: who labels what, and how far people agree; `/label/RUN/SESSION/POSITION`: one answer. */
  answer(request: ViewRequest, store: RunStore, record: RunRecord): Promise<ViewReply>
}

/** The routes below `/label/RUN`. */
export function createLabelRoutes({ openToWrite, assets }: LabelRoutesOptions): LabelRoutes {
  const sessions = createLabelSessions()

  /** Keeps labels, and what the report says of the judges with them. A writer for a moment: who writes a run is not to be kept waiting. */
  const keep = (record: RunRecord, labels: readonly HumanLabel[]): void => {
    if (labels.length === 0) return
    const store = openToWrite()
    try {
      for (const label of labels) store.saveLabel(record.id, label)
      renewJudgeCards(store, record)
    } finally {
      store.close()
    }
  }

  const begin = (store: RunStore, record: RunRecord, form: URLSearchParams): LabelSession => {
    const wish = wishOf(form)
    const queue = labelQueue(store, record, wish)
    keep(record, queue.kept)
    return sessions.begin(record.id, wish, queue)
  }

  const say = (record: RunRecord, session: LabelSession, position: number, form: URLSearchParams): void => {
    const key = wholeField(form, "key", 1, session.queue.scores.length)
    const answer = session.queue.answers[position]
    const score = key === undefined ? undefined : session.queue.scores[key - 1]
    if (answer === undefined || score === undefined)
      throw new UsageError("there is no such answer or score", { code: "form_wrong", where: "the form" })
    keep(record, [session.queue.label(answer, score, new Date().toISOString())])
    session.said.set(position, score)
  }

  return {
    async answer(request, store, record) {
      const { path, form } = request
      const [, , id, index] = path
      const page = await import("../../../reports/view/label-page.ts")
      const base = `/label/${encodeURIComponent(record.id)}`
      if (id === undefined || id === "") {
        if (form) return redirect(`${base}/${begin(store, record, form).id}/0`)
        return pageReply(page.labelStartPage(startOf(store, record, request), await assets()), request)
      }
      if (request.readOnly)
        throw new UsageError("this server is read only: nothing is labelled here", { where: record.id })
      const session = sessions.find(record.id, id)
      const position = positionOf(index, session)
      if (form) {
        say(record, session, position, form)
        return redirect(`${base}/${session.id}/${position + 1}`)
      }
      const item = itemOf(store, record, session, position)
      const document = item
        ? page.labelPage({ record, base: `${base}/${session.id}`, formToken: request.formToken, item }, await assets())
        : page.labelEndPage(
            {
              record,
              base,
              said: session.said.size,
              total: session.queue.answers.length,
              kept: session.queue.kept.length,
              emptyText: nothingLeft(record.id, session.wish.by, session.queue.decides),
            },
            await assets(),
          )
      return pageReply(document, request)
    },
  }
}

function positionOf(text: string | undefined, { queue }: LabelSession): number {
  const position = Number(text)
  if (Number.isInteger(position) && position >= 0 && position <= queue.answers.length) return position
  throw new UsageError("there is no such answer in the queue", { where: `position ${String(text).slice(0, 20)}` })
}

function wishOf(form: URLSearchParams): LabelWish {
  const labeller = field(form, "labeller", 80)
  if (labeller === undefined)
    throw new UsageError("a label needs the name of who gave it", { code: "form_wrong", where: "labeller" })
  const by = field(form, "by") ?? "doubt"
  if (by !== "doubt" && by !== "chance" && by !== "dispute")
    throw new UsageError("there is no such queue", { code: "form_wrong", where: by })
  const adjudicate = form.get("adjudicate") === "yes"
  return {
    labeller,
    metric: field(form, "metric"),
    by: adjudicate ? "dispute" : by,
    adjudicate,
    policy: field(form, "policy", 80),
    limit: wholeField(form, "limit", 1, 10_000) ?? 20,
    seed: wholeField(form, "seed", 0, Number.MAX_SAFE_INTEGER) ?? 42,
    threshold: null,
    scores: field(form, "scores"),
  }
}

/** What one answer's page shows: nothing that names its variant or what judges said of it. */
function itemOf(
  store: RunStore,
  record: RunRecord,
  { queue, wish, said }: LabelSession,
  position: number,
): LabelItem | null {
  const answer = queue.answers[position]
  if (!answer) return null
  const sample = store.sample(record.dataset.fingerprint, answer.sampleId)
  const generation = store.generation(record.id, answer)
  if (!sample || !generation)
    throw new UsageError("the answer is not in the store any more", { where: `position ${position + 1}` })
  const own = said.get(position)
  return {
    position,
    total: queue.answers.length,
    labelled: said.size,
    metric: queue.metric,
    scores: queue.scores.map(amount),
    keys: scoreKeys(queue.scores),
    meanings: scoreMeanings(queue.scores),
    chosen: own === undefined ? null : amount(own),
    labeller: wish.labeller,
    policy: wish.policy ?? null,
    question: inputText(sample),
    passages: sample.context,
    references: sample.references,
    answer: generation.text,
    others: queue.decides
      ? answer.labels.map(({ labeller, score, policy }) => ({ labeller, score: amount(score), policy }))
      : null,
  }
}

function startOf(store: RunStore, record: RunRecord, { readOnly, formToken, query }: ViewRequest) {
  const { metric, answers } = storedVerdicts(store, record, field(query, "metric"))
  const items = labelledItems(answers)
  const drawn = { seed: record.seed, alpha: record.alpha }
  return {
    record,
    metric,
    metrics: record.metrics.map(({ name }) => name),
    answers: answers.length,
    labelled: items.filter(({ labels }) => labels.length > 0).length,
    people: agreementAmongPeople(items, drawn),
    pairs: pairsOfPeople(items, drawn),
    readOnly,
    formToken,
  }
}
