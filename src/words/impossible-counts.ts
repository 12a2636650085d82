const opening = "usage: counts that cannot be true were reported"

/** The note of a session whose service stated token counts that cannot be true. */
export function impossibleCountsNote(names: readonly string[]): string {
  return `${opening} (${names.join(", ")}); they are taken as unknown`
}

/** Whether a note is {@link impossibleCountsNote}. */
export function isImpossibleCountsNote(note: string): boolean {
  return note.startsWith(opening)
}
