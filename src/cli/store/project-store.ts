import { resolve } from "node:path"
import { UsageError } from "../../core/errors.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { StoreSource } from "../../core/run/store-source.ts"
import { postgres } from "../../store/postgres.ts"
import { openRunStore } from "../../store/run-store.ts"
import type { CommandIo } from "../command.ts"

/** Folder of the store when neither the config nor the command line names one. */
export const defaultDirectory = ".evalkit"

type Args = Readonly<Record<string, unknown>>
type WhereFrom = Pick<CommandIo, "cwd" | "environment">

/** Opens the store for reading: that of `--store` or `--directory`, of EVALKIT_STORE, or of the working directory. */
export function openProjectStore(args: Args, io: WhereFrom): RunStore {
  return openStore(args, io, { readonly: true })
}

/**
 * Opens the store that {@link findStore} finds, and that is else in a folder: the command line's, the config's, or `.evalkit`.
 *
 * @throws {UsageError} `store_not_shared` when several processes are to work on one run and the store has one writer
 */
export function openStore(
  args: Args,
  io: WhereFrom,
  {
    readonly = false,
    shared = false,
    evaluation,
  }: { readonly readonly?: boolean; readonly shared?: boolean; readonly evaluation?: Evaluation } = {},
): RunStore {
  const source = findStore(args, io, evaluation)
  if (source) return source.open({ readonly, patient: shared })
  if (shared)
    throw new UsageError(
      "a run over several processes needs a store that all of them can write, and a file has one writer",
      {
        code: "store_not_shared",
        where: "--queue",
        hint: "name a store in PostgreSQL, the same for all: --store postgres://user@host/database, or EVALKIT_STORE",
      },
    )
  return openRunStore(folderOf(args, io, evaluation), { readonly })
}

/** The folder of the store that {@link openStore} opens; null where it is none. */
export function findStoreFolder(args: Args, io: WhereFrom, evaluation?: Evaluation): string | null {
  return findStore(args, io, evaluation) ? null : folderOf(args, io, evaluation)
}

function folderOf(args: Args, { cwd }: WhereFrom, evaluation?: Evaluation): string {
  const folder = typeof args.directory === "string" ? resolve(cwd, args.directory) : evaluation?.directory
  return folder ?? resolve(cwd, defaultDirectory)
}

/**
 * The store that is no folder, of the first that names one: `--store`, the config, EVALKIT_STORE. Null: it is a folder, as
 * `--directory` says even where the environment names a store.
 *
 * @throws {UsageError} for a store that cannot be one
 */
export function findStore(args: Args, { environment }: WhereFrom, evaluation?: Evaluation): StoreSource | null {
  if (args.store !== undefined) return postgres(String(args.store))
  if (evaluation?.store) return evaluation.store
  if (args.directory !== undefined || !environment.EVALKIT_STORE) return null
  return postgres(environment.EVALKIT_STORE)
}
