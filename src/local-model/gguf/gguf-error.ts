import { EvalkitError, ExitCode } from "../../core/errors.ts"

/** A GGUF file that cannot be read or made: foreign, truncated, hostile, or of an unfit shape. Exit code 2. */
export class GgufError extends EvalkitError {
  constructor(what: string, where: string, hint?: string, cause?: unknown) {
    super(what, { code: "gguf", where, hint, cause, exitCode: ExitCode.usage })
  }
}
