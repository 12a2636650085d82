import { figureCell } from "../../src/words/figure.ts"
import { count, counted } from "../../src/words/number.ts"
import { noAnswerMeaning, noAnswerWords, verdictMeanings, verdictWords } from "../wording/verdict-words.ts"
import { changeOf } from "./change.ts"
import { html, namesHtml, type PlainDocument, pathPart, plainDocument, type ViewAssets } from "./document.ts"
import type { ListedRun, RunFilter, RunList } from "./listed-run.ts"

/** Variants that a run's line names. */
const maxVariants = 6

/** All runs, newest first: where each stands, what people said of it, its verdict and figures; filters, and a way to compare any two. */
export function runsPage(list: RunList, assets: ViewAssets): PlainDocument {
  const { runs, filter, found, total, tags, isAnyRunning } = list
  const head = `<h1>Runs</h1>${
    total === 0
      ? "<p>There are no runs yet. Make one with: <code>evalkit run</code></p>"
      : `${filterForm(filter)}${tagChips(filter, tags)}`
  }`
  const summary = found === total ? counted(total, "run") : `${count(found)} of ${counted(total, "run")}`
  const body = [
    `<section id="runs">${head}`,
    total === 0
      ? ""
      : `<p class="legend" id="found" role="status">${summary}${list.pages > 1 ? `, page ${count(filter.page)} of ${count(list.pages)}` : ""}</p>`,
    runs.length === 0
      ? total === 0
        ? ""
        : `<p id="none">${noneWords(list)} <a href="/">show all</a></p>`
      : `<form action="/compare" method="get" id="pairs"><ol class="runs" id="list">${runs.map((run) => item(run, filter)).join("")}</ol><div class="controls" id="acts"><button type="submit" data-key="c"><kbd>c</kbd>compare the two that are ticked</button></div></form>`,
    pageLinks(list),
    total === 0
      ? ""
      : `<p class="legend" id="legend">Figures are the baseline's, then those of the variant that the verdict is about. Arrows: against the run before of the same name; \u2192 while the intervals overlap. Keys: <kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous run, <kbd>c</kbd> compare, <kbd>l</kbd> label.</p>`,
    "</section>",
  ]
  return plainDocument({ title: "evalkit: runs", body: body.join(""), refreshSeconds: isAnyRunning ? 3 : 10 }, assets)
}

/** Why no run is shown: a state or a tag that there is not, as in an address that somebody kept, or a search that finds none. */
function noneWords({ filter, tags }: RunList): string {
  if (!states.some(([value]) => value === filter.state)) return `There is no state "${html(filter.state, 40)}".`
  const unused = filter.tags.find((tag) => tags.some(([name, runs]) => name === tag && runs === 0))
  return unused === undefined ? "No run matches the filter." : `No run has the tag "${html(unused, 40)}".`
}

const states: readonly (readonly [value: string, words: string])[] = [
  ["", "any state"],
  ["running", "running"],
  ["done", "done"],
  ["stopped", "stopped"],
  ["incomplete", "incomplete"],
  ["failed", "failed"],
]

function filterForm({ search, state, tags }: RunFilter): string {
  const options = states.map(
    ([value, words]) => `<option value="${value}"${value === state ? " selected" : ""}>${words}</option>`,
  )
  const hidden = tags.map((tag) => `<input type="hidden" name="tag" value="${html(tag)}">`).join("")
  return `<form id="filter" class="controls" role="search" action="/" method="get" data-filter>${hidden}<label class="choice"><span>search</span><input type="search" name="q" value="${html(search)}" maxlength="200" placeholder="id, name, variant, tag, note" data-key="/"></label><label class="choice"><span>state</span><select name="state">${options.join("")}</select></label><button type="submit">show</button></form>`
}

function tagChips(filter: RunFilter, tags: RunList["tags"]): string {
  if (tags.length === 0) return '<div id="tags"></div>'
  const chips = tags.map(([tag, runs]) => {
    const isOn = filter.tags.includes(tag)
    const next = isOn ? filter.tags.filter((own) => own !== tag) : [...filter.tags, tag]
    return `<a class="chip" href="${address({ ...filter, tags: next, page: 1 })}"${isOn ? ' aria-current="true"' : ""}>${html(tag, 40)} <small>${count(runs)}</small></a>`
  })
  return `<nav id="tags" class="chips" aria-label="tags">${chips.join("")}</nav>`
}

/** The list's address with a filter. */
function address({ search, state, tags, page }: RunFilter): string {
  const query = new URLSearchParams()
  if (search !== "") query.set("q", search)
  if (state !== "") query.set("state", state)
  for (const tag of tags) query.append("tag", tag)
  if (page > 1) query.set("page", String(page))
  return html(`/${query.size > 0 ? `?${query}` : ""}`, 2000)
}

function pageLinks({ filter, pages }: RunList): string {
  if (pages < 2) return '<p id="pages"></p>'
  const link = (page: number, words: string) =>
    page < 1 || page > pages ? "" : `<a href="${address({ ...filter, page })}">${words}</a>`
  return `<p id="pages" class="acts">${link(filter.page - 1, "newer runs")}${link(filter.page + 1, "older runs")}</p>`
}

function item(run: ListedRun, filter: RunFilter): string {
  const { facts, state, stateWords, finished, started, tags, lastNote, digest, headline } = run
  const { id, name, samples, asked, dataset, variants, planned, isJudged, isBench } = facts
  const data = isBench
    ? "load test"
    : `${html(dataset, 60)}, ${asked === samples ? "" : `${count(asked)} of `}${counted(samples, "sample")}`
  const names = variants.slice(0, maxVariants).map((variant) => namesHtml(variant, 40))
  const more = variants.length > maxVariants ? ` and ${count(variants.length - maxVariants)} more` : ""
  const chips = tags.map(
    (tag) =>
      `<a class="chip" href="${address({ ...filter, tags: [...new Set([...filter.tags, tag])], page: 1 })}">${html(tag, 40)}</a>`,
  )
  const note = lastNote === null ? "" : `<q class="foreign">${html(lastNote, 160)}</q>`
  const progress =
    finished === null
      ? ""
      : `<progress max="${Math.max(1, planned)}" value="${finished}" aria-label="${count(finished)} of ${counted(planned, "answer")}"></progress>`
  const end = isBench
    ? ""
    : digest?.hasAnswer === false
      ? `<span class="verdict invalid" title="${html(noAnswerMeaning)}">${noAnswerWords}</span>`
      : digest?.verdict
        ? `<span class="verdict ${digest.verdict}" title="${html(verdictMeanings[digest.verdict])}">${verdictWords[digest.verdict]}</span>`
        : state === "running"
          ? '<span class="unknown">no verdict yet</span>'
          : '<span class="unknown">no verdict</span>'
  return [
    `<li id="run-${html(id, 80)}"><span class="pick">${isBench ? "" : `<input type="checkbox" name="run" value="${html(id, 200)}" aria-label="compare ${html(`${name} ${id}`, 100)}">`}</span>`,
    `<div class="what"><a class="name" data-step href="/run/${pathPart(id)}">${html(name === "" ? "(no name)" : name, 60)}</a> <small>${html(id, 60)}</small>`,
    `<p class="facts">${html(started)} \u00b7 ${data} \u00b7 ${names.join(", ")}${more}</p>`,
    headline === null ? "" : `<p class="facts">${html(headline, 300)}</p>`,
    digest?.failure != null ? `<p class="facts bad">${html(digest.failure)}</p>` : "",
    chips.length + note.length === 0 ? "" : `<div class="annotations">${chips.join("")}${note}</div>`,
    "</div>",
    figures(run),
    `<div class="end"><div class="state ${state}">${html(stateWords, 80)}</div>${progress}${end}${isJudged && state !== "running" ? `<div><a href="/label/${pathPart(id)}" data-key="l">label<span class="hidden"> answers of ${html(id, 60)}</span></a></div>` : ""}<div><a href="/annotations/${pathPart(id)}">tags, notes<span class="hidden"> of ${html(id, 60)}</span></a></div></div>`,
    "</li>",
  ].join("")
}

/** A row of figures each of the baseline and of the variant that the verdict is about. */
function figures({ digest, before }: ListedRun): string {
  if (!digest || digest.shown.length === 0) return ""
  const head = digest.columns.map(({ title }) => `<th scope="col">${html(title, 40)}</th>`)
  const rows = digest.shown.map((variant) => {
    const cells = digest.columns.map((column, index) => {
      const figure = digest.figures[variant]?.[index]
      const at = before?.columns.findIndex(({ id }) => id === column.id) ?? -1
      const earlier = before?.figures[variant]?.[at]
      const text =
        figure === undefined || figure.status === "unknown"
          ? `<span class="unknown" title="${html(figure?.reason ?? "it was not measured")}">unknown</span>`
          : withArrow(figureCell(figure, column.unit), earlier ? changeOf(earlier, figure, column) : null)
      return `<td>${text}</td>`
    })
    return `<tr><th scope="row" class="foreign">${html(variant, 24)}</th>${cells.join("")}</tr>`
  })
  return `<table class="figures"><thead><tr><td></td>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`
}

/** A cell of a figure in two lines: the value with its arrow, and its interval. */
function withArrow(cell: string, change: ReturnType<typeof changeOf>): string {
  const at = cell.search(/ (?:\u00b1|\(\S*\d)/)
  const [value, half] = at < 0 ? [cell, ""] : [cell.slice(0, at), cell.slice(at + 1)]
  return `${html(value)}${arrow(change)}${half === "" ? "" : ` <small>${html(half)}</small>`}`
}

/** The arrow of a change, coloured when the change is on evidence. */
export function arrow(change: ReturnType<typeof changeOf>): string {
  if (!change) return ""
  const tone = change.good === null ? "" : change.good ? "good" : "bad"
  const words = change.good === null ? "as before" : change.good ? "better" : "worse"
  return ` <span class="${tone}" role="img" aria-label="${words}">${change.arrow}</span>`
}
