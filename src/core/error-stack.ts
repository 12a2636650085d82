/** More of a stack than leads to the place in one's own code. */
const maxStackLength = 2000

/** Where a function of the user's own threw, bounded in length; undefined where what was thrown has no stack. */
export function stackOf(error: unknown): string | undefined {
  const stack = error instanceof Error ? error.stack : undefined
  return typeof stack === "string" && stack.includes("\n") ? stack.slice(0, maxStackLength) : undefined
}
