import { z } from "zod"
import { nearest } from "../core/did-you-mean.ts"

/** An object in which an unknown key is an error that names the key which was probably meant. */
export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? unknownKeys(issue.keys, Object.keys(shape)) : undefined),
  })
}

function unknownKeys(keys: readonly string[], names: readonly string[]): string {
  return keys
    .map((key) => {
      const meant = nearest(key, names)
      return `unknown field "${key}"${meant ? `, did you mean "${meant}"?` : ` (known: ${names.join(", ")})`}`
    })
    .join("; ")
}
