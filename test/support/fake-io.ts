import type { CommandIo } from "../../src/cli/command.ts"

/** A command's surroundings that keep what it prints. */
export function fakeIo(
  overrides: Partial<CommandIo> & { readonly cwd: string },
): CommandIo & { stdout(): string; stderr(): string } {
  let stdout = ""
  let stderr = ""
  const { signal } = new AbortController()
  return {
    out: (text) => {
      stdout += text
    },
    err: (text) => {
      stderr += text
    },
    environment: {},
    interactive: false,
    color: false,
    unicode: true,
    columns: 100,
    signal,
    ...overrides,
    stdout: () => stdout,
    stderr: () => stderr,
  }
}
