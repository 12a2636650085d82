import type { Command } from "./command.ts"

/** A line of `evalkit --help`; the command itself is loaded when it is called. */
export interface CommandEntry {
  readonly usage: string
  readonly describe: string
  load(): Promise<{ readonly command: Command }>
}

/** Every command, in the order in which the help shows them. */
export const commandTable: readonly CommandEntry[] = [
  {
    usage: "serve <model>",
    describe: "an OpenAI-compatible server over a local GGUF model",
    load: () => import("./commands/serve.ts"),
  },
]
