import { messageOf } from "../../core/errors.ts"
import { GgufError } from "./gguf-error.ts"

/** Why a model's file cannot be opened, without the path that the system repeats. */
export function fileFault(path: string, cause: unknown): GgufError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : null
  if (code === "ENOENT") return new GgufError("there is no such model file", path, "check the path", cause)
  const reason = messageOf(cause).split(",", 1)[0] ?? ""
  return new GgufError(`the model file cannot be read (${reason})`, path, "check the path and the rights", cause)
}
