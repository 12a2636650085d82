import type { Figure } from "../../src/core/report/figure.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { escaped } from "../../src/words/escape.ts"
import { figureText } from "../../src/words/figure.ts"
import { metricCalled } from "../../src/words/metric.ts"
import { count, counted } from "../../src/words/number.ts"
import { plainLines } from "../../src/words/text.ts"
import { html, type PlainDocument, pathPart, plainDocument, type ViewAssets } from "./document.ts"

/** Characters of each text that a page shows. */
const maxTextLength = 20_000

/** One answer as a person sees it: nothing that names its variant or what judges said. */
export interface LabelItem {
  readonly position: number
  readonly total: number
  /** Labels given in this session. */
  readonly labelled: number
  /** What is scored. */
  readonly metric: string
  /** What the keys stand for, ascending. */
  readonly scores: readonly string[]
  /** The key of each. */
  readonly keys: readonly string[]
  /** What stands beside each key. */
  readonly meanings: readonly string[]
  /** What was said of it in this session; null: nothing. */
  readonly chosen: string | null
  readonly labeller: string
  readonly policy: string | null
  readonly question: string
  readonly passages: readonly string[]
  readonly references: readonly string[]
  readonly answer: string
  /** What others said: only for who has the last word. */
  readonly others:
    | readonly { readonly labeller: string; readonly score: string; readonly policy: string | null }[]
    | null
}

/** How far people agree, as a page shows it. */
export interface PeopleAgreement {
  readonly labellers: readonly { readonly labeller: string; readonly labels: number }[]
  readonly labelled: number
  readonly several: number
  readonly disputed: number
  readonly agreement: Figure
  readonly alpha: Figure
}

/** Two people's agreement. */
export interface PairAgreement {
  readonly a: string
  readonly b: string
  readonly both: number
  readonly agreement: Figure
  readonly kappa: Figure
  readonly alpha: Figure
}

/** One answer to label, the keys below it. */
export function labelPage(
  page: { readonly record: RunRecord; readonly base: string; readonly formToken: string; readonly item: LabelItem },
  assets: ViewAssets,
): PlainDocument {
  const { record, base, formToken, item } = page
  const { position, total, scores, keys, meanings, chosen, labeller, policy, others } = item
  const by = `${html(labeller, 80)}${policy === null ? "" : `, by the policy ${html(policy, 80)}`}`
  const buttons = scores.map(
    (score, at) =>
      `<button type="submit" name="key" value="${at + 1}" data-key="${keys[at]}"${chosen === score ? ' aria-pressed="true"' : ""}><kbd>${keys[at]}</kbd>${html(meanings[at] ?? "", 40)}</button>`,
  )
  const said = others?.map(
    (label) =>
      `<li>${html(label.labeller, 80)}: ${html(label.score, 20)}${label.policy === null ? "" : ` (policy ${html(label.policy, 60)})`}</li>`,
  )
  const body = [
    `<section><h1>Answer ${count(position + 1)} of ${count(total)}</h1>`,
    `<progress max="${total}" value="${position}" aria-label="${count(position)} of ${counted(total, "answer")} seen"></progress>`,
    `<p class="evidence">run ${html(record.id)} \u00b7 labels of ${by} \u00b7 ${counted(item.labelled, "label")} saved in this session${chosen === null ? "" : ` \u00b7 you said ${html(chosen, 20)} here`}</p>`,
    '<div class="texts">',
    text("question", item.question),
    ...item.passages.map((passage) => text("passage", passage)),
    ...item.references.map((reference) => text("reference", reference)),
    text("answer", item.answer, "answered"),
    "</div>",
    said ? `<h2>Labels of others, of which yours will be the last word</h2><ul>${said.join("")}</ul>` : "",
    `<div class="keys"><h2>${html(metricCalled(record.metrics, item.metric, 60), 60)} of this answer</h2>`,
    `<form method="post" action="${base}/${position}"><input type="hidden" name="form" value="${formToken}">${buttons.join("")}</form>`,
    position > 0
      ? `<a class="button" href="${base}/${position - 1}" data-key="u"><kbd>u</kbd>undo: back to the one before</a>`
      : "",
    `<a class="button" href="${base}/${position + 1}" data-key="s"><kbd>s</kbd>skip</a>`,
    `<a class="button" href="/label/${pathPart(record.id)}" data-key="q"><kbd>q</kbd>quit</a>`,
    "</div></section>",
  ]
  return plainDocument({ title: `evalkit: label ${position + 1} of ${total}`, body: body.join("") }, assets)
}

function text(title: string, foreign: string, kind = ""): string {
  if (foreign === "" && title !== "answer") return ""
  const shown = plainLines(foreign)
  const cut =
    shown.length > maxTextLength
      ? `${shown.slice(0, maxTextLength)}\n[\u2026 ${count(shown.length - maxTextLength)} characters more]`
      : shown
  return `<h2>${title}</h2><div class="${kind}"><pre class="foreign">${cut === "" ? "(empty)" : escaped(cut)}</pre></div>`
}

/** The end of a queue. */
export function labelEndPage(
  page: {
    readonly record: RunRecord
    readonly base: string
    readonly said: number
    readonly total: number
    /** Labels that the person had given before to answers of this draw. */
    readonly kept: number
    /** Why there was nothing to label, where there was not. */
    readonly emptyText: string
  },
  assets: ViewAssets,
): PlainDocument {
  const { record, base, said, total, kept, emptyText: nothing } = page
  const body = [
    `<section><h1>${total === 0 ? "Nothing to label" : `${counted(said, "label")} saved`}</h1>`,
    total === 0 && kept === 0 ? `<p>${html(nothing)}</p>` : "",
    kept > 0 ? `<p>${counted(kept, "answer")} of the draw had your label already and kept it.</p>` : "",
    `<p>Compare judges with them: <code>evalkit judge validate --run ${html(record.id)}</code></p>`,
    `<p class="acts"><a href="${base}" data-key="q">how far people agree</a><a href="/">all runs</a></p></section>`,
  ]
  return plainDocument({ title: "evalkit: labels", body: body.join("") }, assets)
}

/** Who labels what of a run, and how far people agree. */
export function labelStartPage(
  page: {
    readonly record: RunRecord
    readonly metric: string
    readonly metrics: readonly string[]
    readonly answers: number
    readonly labelled: number
    readonly people: PeopleAgreement | null
    readonly pairs: readonly PairAgreement[]
    readonly readOnly: boolean
    readonly formToken: string
  },
  assets: ViewAssets,
): PlainDocument {
  const { record, metric, answers, labelled, people, pairs, readOnly } = page
  const body = [
    `<section><h1>Label answers of ${html(record.name, 80)}</h1>`,
    `<p class="evidence">run ${html(record.id)} \u00b7 ${html(metricCalled(record.metrics, metric, 60), 60)} \u00b7 ${count(labelled)} of ${counted(answers, "judged answer")} ${labelled === 1 ? "has" : "have"} a label</p>`,
    readOnly
      ? "<p>This server is read only: nothing is labelled here.</p>"
      : `<p>You see question, references and answer, and neither the variant nor what judges said. A label is saved as soon as you give it.</p>${form(page)}`,
    "</section>",
    agreement(people, pairs, labelled),
  ]
  return plainDocument({ title: `evalkit: label ${record.id}`, body: body.join("") }, assets)
}

function form({
  record,
  metric,
  formToken,
}: {
  readonly record: RunRecord
  readonly metric: string
  readonly formToken: string
}): string {
  return [
    `<form method="post" action="/label/${pathPart(record.id)}"><input type="hidden" name="form" value="${formToken}"><input type="hidden" name="metric" value="${html(metric, 200)}">`,
    '<div class="fields">',
    '<label><span>your name</span><input name="labeller" required maxlength="80" autocomplete="username" autofocus></label>',
    '<label><span>answers at most</span><input name="limit" type="number" min="1" max="10000" value="20"></label>',
    '<label><span>policy: the name of the instructions that you label by</span><input name="policy" maxlength="80"></label>',
    '<label><span>scores, where the judges\u2019 own are not meant</span><input name="scores" placeholder="0,0.5,1" maxlength="200"></label>',
    '<label class="wide"><span>which answers</span><select name="by"><option value="doubt">those on which judges are least certain</option><option value="chance">a random part, to correct the mean</option><option value="dispute">those on which people differ</option></select></label>',
    '<label class="wide tick"><input type="checkbox" name="adjudicate" value="yes"><span>have the last word on answers on which people differ; their labels are shown and stay</span></label>',
    "</div>",
    '<p><button type="submit" class="main-act">label</button></p></form>',
  ].join("")
}

function agreement(people: PeopleAgreement | null, pairs: readonly PairAgreement[], labelled: number): string {
  if (!people)
    return `<section><h2>People</h2><p>${labelled === 0 ? "Nobody has labelled yet." : "One person has labelled. How far people agree is told when two have labelled the same answers."}</p></section>`
  const rows = pairs.map(
    ({ a, b, both, agreement: equal, kappa, alpha }) =>
      `<tr><th scope="row">${html(a, 60)} and ${html(b, 60)}</th><td>${count(both)}</td><td>${cell(equal, true)}</td><td>${cell(kappa)}</td><td>${cell(alpha)}</td></tr>`,
  )
  const everybody =
    people.labellers.length > 2
      ? `<tr><th scope="row">everybody</th><td>${count(people.several)}</td><td>${cell(people.agreement, true)}</td><td><span class="unknown">of two people</span></td><td>${cell(people.alpha)}</td></tr>`
      : ""
  const who = people.labellers.map(({ labeller, labels }) => `${html(labeller, 60)} ${count(labels)}`)
  return [
    "<section><h2>How far people agree</h2>",
    `<p>Labels: ${who.join(", ")}. ${counted(people.several, "answer")} ${people.several === 1 ? "has" : "have"} labels of two or more; on ${count(people.disputed)} of them people differ. 1 is full agreement, 0 is chance.</p>`,
    rows.length === 0
      ? "<p>No answer has labels of two people yet.</p>"
      : `<div class="table-frame" tabindex="0" role="region" aria-label="agreement of people"><table><thead><tr><th scope="col">people</th><th scope="col">answers of both</th><th scope="col">equal labels</th><th scope="col">Cohen's kappa</th><th scope="col">Krippendorff's alpha</th></tr></thead><tbody>${rows.join("")}${everybody}</tbody></table></div>`,
    "</section>",
  ].join("")
}

function cell(figure: Figure, isShare = false): string {
  if (figure.status === "unknown")
    return `<span class="unknown" title="${html(figure.reason)}">unknown: ${html(figure.reason, 80)}</span>`
  return html(figureText(figure, isShare ? "share" : null))
}
