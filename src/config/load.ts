import { stat } from "node:fs/promises"
import { extname, relative, resolve } from "node:path"
import { EvalkitError, ExitCode, messageOf, UsageError } from "../core/errors.ts"
import { isObject } from "../core/json-members.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import { beginLoading } from "./being-loaded.ts"
import { codeNames, writtenNames } from "./config-names.ts"
import { importConfig, ownEntry } from "./import-config.ts"
import { inConfig } from "./import-error.ts"
import { findPlan } from "./plan-file.ts"
import { type ValidateOptions, validateConfig } from "./validate.ts"
import { isWritten, readConfig } from "./yaml/read-config.ts"

/** A config that was found, imported and checked. @public */
export interface LoadedConfig {
  /** Absolute path of the file. */
  readonly path: string
  readonly evaluation: Evaluation
}

/** How a config is loaded. @public */
export interface LoadConfigOptions extends Pick<ValidateOptions, "measuresCapacity"> {
  /** Folder that `path` starts from. Default: the working directory. */
  readonly cwd?: string
  /** How long its code may take, in milliseconds above 0. Default: 60,000. Code that never waits cannot be stopped. */
  readonly timeoutMs?: number
  /** Ends the wait with an `EvalkitError` of code `interrupted`. */
  readonly signal?: AbortSignal
}

const defaultTimeoutMs = 60_000

/**
 * Finds, imports and checks a config. `import { ... } from "evalkit"` works in it wherever it lies, installed or not.
 * Its default export is a config, or a function (also async) that returns one. A config may be YAML or JSON, too: no code of it runs, and
 * its values are made by the factories that it names.
 *
 * @param path the file; default: the first of eval.config.{ts,mts,js,mjs,yaml,yml,json} in `cwd`.
 * @throws UsageError with code `config_not_found`, `config_ambiguous` (code beside YAML or JSON), `config_syntax`, `config_import`, `config_failed` (it threw,
 * or took too long), `config_export` or `config_invalid`.
 * @example const { evaluation } = await loadConfig()
 * @public
 */
export async function loadConfig(path?: string, options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const { cwd = process.cwd(), measuresCapacity = false } = options
  const file = await findConfig(path, cwd)
  const shown = shownPath(file, cwd)
  if (isWritten(file)) return withPlan(await ending(loadWritten(file, shown, measuresCapacity), shown, options))
  const config = await ending(
    importConfig(file, shown).then(({ exported }) => configOf(exported, file, shown)),
    shown,
    options,
  )
  return withPlan({ path: file, evaluation: await validateConfig(config, { configPath: file, measuresCapacity }) })
}

async function withPlan({ path, evaluation }: LoadedConfig): Promise<LoadedConfig> {
  const frozenPlan = await findPlan(path)
  return { path, evaluation: frozenPlan ? { ...evaluation, frozenPlan } : evaluation }
}

async function loadWritten(path: string, shown: string, measuresCapacity: boolean): Promise<LoadedConfig> {
  const { config, placeOf } = await readConfig(path, shown, await ownEntry("index"))
  return { path, evaluation: await validateConfig(config, { configPath: path, placeOf, measuresCapacity }) }
}

async function findConfig(path: string | undefined, cwd: string): Promise<string> {
  const candidates = path === undefined ? [...codeNames, ...writtenNames] : [path]
  if (path === undefined) await refuseTwo(cwd)
  for (const candidate of candidates) {
    const full = resolve(cwd, candidate)
    const stats = await stat(full).catch(() => null)
    if (stats?.isDirectory() && path !== undefined)
      throw new UsageError("the config is a folder", {
        code: "config_not_found",
        where: candidate,
        hint: `name the file in it: ${candidate.replace(/\/+$/, "")}/eval.config.ts`,
      })
    if (stats) return refuseData(full, candidate)
  }
  throw new UsageError(path === undefined ? "there is no config" : "there is no such config", {
    code: "config_not_found",
    where: `looked for ${candidates.join(", ")} in ${cwd}`,
    hint: path === undefined ? "make one with: evalkit init" : "check the path, or make one with: evalkit init",
  })
}

/** A file of data in the place of the config: the loader's own words would be about its ending. */
function refuseData(full: string, name: string): string {
  const ending = extname(full)
  if (ending === "" || isWritten(full) || /^\.[cm]?[jt]sx?$/.test(ending)) return full
  throw new UsageError(`a config does not end in ${ending}`, {
    code: "config_not_found",
    where: name,
    hint: "name a file that ends in .ts, .js, .yaml or .json; data are named in it: dataset(FILE)",
  })
}

/** Of two configs beside each other one would be passed over in silence. */
async function refuseTwo(cwd: string): Promise<void> {
  const isThere = (name: string) =>
    stat(resolve(cwd, name)).then(
      () => true,
      () => false,
    )
  const present = async (names: readonly string[]) => {
    const exists = await Promise.all(names.map(isThere))
    return names.filter((_, i) => exists[i])
  }
  const [code, written] = await Promise.all([present(codeNames), present(writtenNames)])
  const all = [...code.slice(0, 1), ...written]
  if (written.length > 0 && all.length > 1)
    throw new UsageError("there are two configs beside each other", {
      code: "config_ambiguous",
      where: `${all.join(" and ")} in ${cwd}`,
      hint: `name the one that is meant, or remove the other: evalkit run ${all[0]}`,
    })
}

async function configOf(exported: unknown, path: string, shown: string): Promise<unknown> {
  const isFunction = typeof exported === "function"
  if (isFunction || isObject(exported)) {
    try {
      return await (isFunction ? (exported as () => unknown)() : exported)
    } catch (error) {
      if (error instanceof UsageError) throw inConfig(error, path, shown)
      const what = isFunction ? "the config's function failed" : "the config that is exported cannot be awaited"
      throw new UsageError(`${what}: ${messageOf(error)}`, { code: "config_failed", where: shown, cause: error })
    }
  }
  throw new UsageError(
    exported === undefined
      ? "the config has no default export"
      : `the config's default export is ${Array.isArray(exported) ? "a list" : `a ${typeof exported}`}`,
    { code: "config_export", where: shown, hint: "write: export default defineConfig({ ... })" },
  )
}

/** Relative to the working directory when it lies inside it. */
function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return short.startsWith("..") || short === "" ? path : short
}

/**
 * The config, or an error: when its time is over, when it is interrupted, or when Node has nothing left to do and it still waits
 * (Node would end without a word).
 */
async function ending<Value>(
  config: Promise<Value>,
  shown: string,
  { timeoutMs = defaultTimeoutMs, signal }: LoadConfigOptions,
): Promise<Value> {
  const fail = (what: string) =>
    new UsageError(what, {
      code: "config_failed",
      where: shown,
      hint: "look at its top-level awaits, and at the promise that its function returns",
    })
  const late = `the config was not ready after ${timeoutMs / 1000} seconds (EVALKIT_CONFIG_SECONDS)`
  let stop = (_error: Error): void => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = reject
  })
  const stuck = () => stop(fail("the config waits for something that never comes"))
  const interrupted = () =>
    stop(new EvalkitError("interrupted", { code: "interrupted", where: shown, exitCode: ExitCode.interrupted }))
  const timer = setTimeout(() => stop(fail(late)), Math.min(timeoutMs, 2 ** 31 - 1)).unref()
  const loaded = beginLoading(shown)
  process.once("beforeExit", stuck)
  signal?.addEventListener("abort", interrupted, { once: true })
  try {
    return await Promise.race([config, stopped])
  } finally {
    loaded()
    clearTimeout(timer)
    process.off("beforeExit", stuck)
    signal?.removeEventListener("abort", interrupted)
  }
}
