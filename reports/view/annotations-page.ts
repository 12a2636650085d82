import type { RunRecord } from "../../src/core/run/run-record.ts"
import { escaped } from "../../src/words/escape.ts"
import { count } from "../../src/words/number.ts"
import { plainLines } from "../../src/words/text.ts"
import { html, type PlainDocument, pathPart, plainDocument, type ViewAssets } from "./document.ts"

/** What people said of a run, and what the page may change of it. */
export interface AnnotationsFacts {
  readonly record: RunRecord
  readonly tags: readonly string[]
  /** The oldest first, with its time as a person reads it. */
  readonly notes: readonly { readonly when: string; readonly text: string }[]
  /** Characters of a note, at most. */
  readonly longestNote: number
  readonly readOnly: boolean
  readonly formToken: string
}

/** Characters of the field for new tags, at most: several words. */
export const longestTags = 400

/** The tags and notes of a run, with the forms that change them: fields and buttons in the order of the Tab key. */
export function annotationsPage(facts: AnnotationsFacts, assets: ViewAssets): PlainDocument {
  const { record, tags, notes, readOnly } = facts
  const body = [
    `<section><h1>Tags and notes of ${html(record.name === "" ? record.id : record.name, 60)}</h1>`,
    `<p class="evidence">run <a href="/run/${pathPart(record.id)}">${html(record.id, 60)}</a></p>`,
    readOnly ? "<p>This server is read only: nothing is changed here.</p>" : "",
    "<h2>Tags</h2>",
    tags.length === 0 ? "<p>None yet. A tag is one word, by which the list of runs is filtered.</p>" : tagList(facts),
    readOnly
      ? ""
      : `${formOf(facts)}<div class="fields"><label><span>tags to add, with spaces between them</span><input name="add" required maxlength="${longestTags}" autocomplete="off"></label></div><p><button type="submit" class="main-act">add</button></p></form>`,
    "<h2>Notes</h2>",
    notes.length === 0
      ? "<p>None yet.</p>"
      : `<ol class="notes">${notes.map(({ when, text }) => `<li><small>${html(when)}</small><pre class="foreign">${escaped(plainLines(text))}</pre></li>`).join("")}</ol>`,
    readOnly
      ? ""
      : `${formOf(facts)}<div class="fields"><label class="wide"><span>a note, of ${count(facts.longestNote)} characters at most; notes are kept</span><textarea name="note" required rows="4" maxlength="${facts.longestNote}"></textarea></label></div><p><button type="submit" class="main-act">write</button></p></form>`,
    "</section>",
  ]
  return plainDocument({ title: `evalkit: tags and notes of ${record.id}`, body: body.join("") }, assets)
}

function tagList(facts: AnnotationsFacts): string {
  if (facts.readOnly) return `<ul class="chips">${facts.tags.map((tag) => `<li>${html(tag, 40)}</li>`).join("")}</ul>`
  const buttons = facts.tags.map(
    (tag) =>
      `<button type="submit" name="remove" value="${html(tag)}">${html(tag, 40)} <span aria-hidden="true">\u00d7</span><span class="hidden"> take this tag away</span></button>`,
  )
  return `${formOf(facts)}<div class="keys">${buttons.join("")}</div></form>`
}

function formOf({ record, formToken }: AnnotationsFacts): string {
  return `<form method="post" action="/annotations/${pathPart(record.id)}"><input type="hidden" name="form" value="${formToken}">`
}
