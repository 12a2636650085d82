import { resolve } from "node:path"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { StoreSource } from "../core/run/store-source.ts"
import { postgres } from "./postgres.ts"
import { hasStore, openRunStore, type StoreOptions } from "./run-store.ts"

/** Folder of the store when neither the config nor the command line names one. */
export const defaultDirectory = ".evalkit"

type Args = Readonly<Record<string, unknown>>
/** What a store is looked for with, where nothing names one. */
interface WhereFrom {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Opens the store to change what it holds. One that does not exist is read as an empty one, and none is made. */
export function openStoreToChange(args: Args, io: WhereFrom, evaluation?: Evaluation): RunStore {
  const folder = findStoreFolder(args, io, evaluation)
  const readonly = folder !== null && !hasStore(folder)
  return openStore(args, io, { readonly, ...(evaluation && { evaluation }) })
}

/** Opens the store for reading: that of `--store` or `--directory`, of EVALKIT_STORE, or of the working directory. */
export function openProjectStore(args: Args, io: WhereFrom): RunStore {
  return openStore(args, io, { readonly: true })
}

/**
 * Opens the store that {@link findStore} finds, and that is else in a folder: the command line's, the config's, or `.evalkit`.
 *
 * @param role what the process does in a run that is shared out; in a folder, all of them are on one machine
 */
export function openStore(
  args: Args,
  io: WhereFrom,
  {
    readonly = false,
    role,
    evaluation,
  }: { readonly readonly?: boolean; readonly role?: StoreOptions["role"]; readonly evaluation?: Evaluation } = {},
): RunStore {
  const source = findStore(args, io, evaluation)
  if (source) return source.open({ readonly, reconnects: role !== undefined })
  return openRunStore(folderOf(args, io, evaluation), { readonly, ...(role && { role }) })
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
