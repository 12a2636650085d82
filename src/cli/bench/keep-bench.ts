import { randomBytes } from "node:crypto"
import { relative } from "node:path"
import { type BenchTargetFacts, benchRecord, saveBench } from "../../bench/stored-bench.ts"
import { ExitCode, messageOf } from "../../core/errors.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { BenchResult } from "../../perf/bench/bench-result.ts"
import { runVersions } from "../../platform/run-versions.ts"
import { defaultDirectory, findStoreFolder, openStore } from "../../store/project-store.ts"
import type { Args, CommandIo } from "../command.ts"
import { showCommand } from "../run/stored-commands.ts"

/** Keeps a bench in the store: that it began, what it found, and how it ended. */
export interface BenchKeeper {
  /** Notes that a bench begins. A folder that nobody named and that cannot be written keeps nothing, and it is said. */
  begin(targets: readonly BenchTargetFacts[], facts: { readonly seed: number; readonly evaluation?: Evaluation }): void
  /** @param code that the command ends with */
  finish(result: BenchResult, code: number): void
  /** A bench that has found nothing by now stays as one that is incomplete. */
  close(): void
}

/** A {@link BenchKeeper} for the store that the command line or the config names. */
export function createBenchKeeper(args: Args, io: CommandIo): BenchKeeper {
  let open: { readonly store: RunStore; readonly id: string; readonly command: string; isOver: boolean } | null = null
  const now = () => new Date().toISOString()
  const isNamed = args.directory !== undefined || args.store !== undefined
  const trying = (work: () => void) => {
    try {
      work()
    } catch (error) {
      if (isNamed) throw error
      io.err(`evalkit: this bench is not kept in the store: ${messageOf(error)}\n`)
    }
  }
  return {
    begin: (targets, { seed, evaluation }) =>
      trying(() => {
        const store = openStore(args, io, { role: "bench", ...(evaluation && { evaluation }) })
        const id = randomBytes(4).toString("hex")
        const folder = relative(io.cwd, findStoreFolder(args, io, evaluation) ?? defaultDirectory)
        const where = isNamed || folder === defaultDirectory ? args : { directory: folder }
        open = { store, id, command: showCommand(id, null, where, io), isOver: false }
        const facts = { id, startedAt: now(), versions: runVersions(), configPath: null, seed }
        store.createRun(benchRecord(facts, targets))
      }),
    finish: (result, code) =>
      trying(() => {
        if (!open) return
        const status =
          code === ExitCode.interrupted ? "interrupted" : code === ExitCode.incomplete ? "incomplete" : "finished"
        open.isOver = true
        saveBench(open.store, open.id, result, { status, at: now() })
        io.err(`evalkit: kept as bench ${open.id}; see it again with: ${open.command}\n`)
      }),
    close() {
      if (!open) return
      const { store, id, isOver } = open
      open = null
      try {
        if (!isOver) store.setStatus(id, "incomplete", now())
      } finally {
        store.close()
      }
    },
  }
}
