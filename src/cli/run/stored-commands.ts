import type { Args, CommandIo } from "../command.ts"
import { calledAs, shellWord } from "./shell-words.ts"

/** How a run, or one sample of it, is read: the store as it was named on the command line that found the run. */
export function showCommand(
  run: string,
  sample: string | null,
  where: StoreWords,
  io: Pick<CommandIo, "environment">,
): string {
  return [
    calledAs(io.environment),
    "show",
    run,
    ...(sample === null ? [] : [shellWord(sample)]),
    ...storeWords(where),
  ].join(" ")
}

/** How the labels of a run are held against its judges. */
export function validateCommand(run: string, where: StoreWords, io: Pick<CommandIo, "environment">): string {
  return [calledAs(io.environment), "judge validate --run", run, ...storeWords(where)].join(" ")
}

type StoreWords = Args

function storeWords({ directory, store }: StoreWords): readonly string[] {
  return [
    ...(typeof directory === "string" ? ["--directory", shellWord(directory)] : []),
    ...(typeof store === "string" ? ["--store", shellWord(store)] : []),
  ]
}
