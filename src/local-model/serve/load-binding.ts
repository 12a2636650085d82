import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { MissingPackageError } from "../../core/errors.ts"
import { importOptional } from "../../core/optional-package.ts"

/** What is used of node-llama-cpp. */
export type Binding = Pick<
  typeof import("node-llama-cpp"),
  | "GeneralChatWrapper"
  | "getLlama"
  | "JinjaTemplateChatWrapper"
  | "LlamaGrammarEvaluationState"
  | "LlamaLogLevel"
  | "LlamaText"
  | "resolveChatWrapper"
>

/**
 * Loads node-llama-cpp. For a process that does nothing but serve one model on the processor it is the build's bundle of that version, where there
 * is one: it loads in a quarter of the time, and does not load its binary in another process first, to see whether that
 * survives: who started the process sees how it ends. In all other cases it is the package itself.
 *
 * @throws {MissingPackageError} when it is not installed
 */
export async function loadBinding(isOnlyServer: boolean): Promise<Binding> {
  const bundled = isOnlyServer ? await bundledBinding() : null
  return bundled ?? (await importOptional<Binding>("node-llama-cpp", "serving a local model"))
}

/**
 * Looks whether node-llama-cpp is there without loading it.
 *
 * @throws {MissingPackageError} when it is not installed
 */
export function needBinding(from: string | URL = import.meta.url): void {
  try {
    createRequire(from).resolve("node-llama-cpp")
  } catch (error) {
    throw new MissingPackageError("node-llama-cpp", "serving a local model", error)
  }
}

/** The bundle of the version that is installed; null where the build made none, as from source, or where it cannot be loaded. */
async function bundledBinding(): Promise<Binding | null> {
  try {
    const index = createRequire(import.meta.url).resolve("node-llama-cpp")
    const manifest = await readFile(join(dirname(index), "..", "package.json"), "utf8")
    const { version } = JSON.parse(manifest) as { readonly version: string }
    const bundle = new URL(`./node-llama-cpp-${version}.js`, import.meta.url)
    return existsSync(bundle) ? ((await import(bundle.href)) as Binding) : null
  } catch {
    return null
  }
}
