import { z } from "zod"

/**
 * The text of a message: a text, or a list of parts of these types. A part of another type (a picture, a recording, a file) is named in the
 * refusal.
 */
export function contentOf(types: readonly [string, ...string[]]) {
  const part = z.object({ type: z.enum(types), text: z.string() })
  return z
    .union([z.string(), z.array(part).transform((parts) => parts.map(({ text }) => text).join(""))], {
      error: ({ input }) => refusal(input, types),
    })
    .nullish()
    .transform((content) => content ?? "")
}

function refusal(content: unknown, types: readonly string[]): string {
  for (const part of Array.isArray(content) ? content : []) {
    const type: unknown = part?.type
    if (typeof type === "string" && !types.includes(type))
      return `the model reads texts only: a part of the type ${JSON.stringify(type.slice(0, 40))} cannot be served`
  }
  return "expected a text or a list of text parts"
}
