import type { CommandIo } from "../../../src/cli/command.ts"

/** A {@link CommandIo} that keeps what is printed. */
export interface RecordingIo extends CommandIo {
  printed(): string
  complained(): string
}

/** An io without a terminal. */
export function recordingIo(cwd: string, environment: Readonly<Record<string, string>> = {}): RecordingIo {
  let out = ""
  let err = ""
  return {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    environment,
    cwd,
    interactive: false,
    color: false,
    unicode: true,
    columns: 100,
    signal: new AbortController().signal,
    printed: () => out,
    complained: () => err,
  }
}
