import type { ViewAssets } from "../../../reports/view/document.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { longestNote, noteRun, runNotes, runTags, tagRun } from "../../store/run-tags.ts"
import { localTime } from "../history/local-time.ts"
import { field } from "./form.ts"
import { pageReply, redirect, type ViewReply, type ViewRequest } from "./reply.ts"

/** What the page of tags and notes needs. */
export interface AnnotationsOptions {
  /** Opens the store to write, for a moment. */
  openToWrite(): RunStore
  assets(): Promise<ViewAssets>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * `/annotations/RUN`: what people say of a run, as `evalkit tag` and `evalkit note` write it.
 *
 * @throws {UsageError} `tag_wrong`, `note_wrong` or `form_wrong` for what cannot be kept
 */
export async function answerAnnotations(
  { openToWrite, assets, environment }: AnnotationsOptions,
  request: ViewRequest,
  store: RunStore,
  record: RunRecord,
): Promise<ViewReply> {
  const { form, readOnly, formToken } = request
  const { longestTags, annotationsPage } = await import("../../../reports/view/annotations-page.ts")
  if (form) {
    const at = new Date().toISOString()
    const add = field(form, "add", longestTags)?.split(/\s/).filter(Boolean) ?? []
    const remove = form.getAll("remove").slice(0, 1)
    // A browser ends the lines of a form with both signs.
    const note = form.get("note")?.replaceAll("\r\n", "\n")
    const writer = openToWrite()
    try {
      if (add.length + remove.length > 0) tagRun(writer, record.id, { add, remove, at })
      if (note !== undefined) noteRun(writer, record.id, { at, text: note })
    } finally {
      writer.close()
    }
    return redirect(`/annotations/${encodeURIComponent(record.id)}`)
  }
  const notes = runNotes(store, record.id).map(({ at, text }) => ({ when: localTime(at, environment), text }))
  const facts = { record, tags: runTags(store, record.id), notes, longestNote, readOnly, formToken }
  return pageReply(annotationsPage(facts, await assets()), request)
}
