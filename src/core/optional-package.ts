import { MissingPackageError } from "./errors.ts"

/**
 * Loads an optional package, or a module of one, at its first use. The specifier is no literal, and bundlers are told to leave it: one that
 * bundles a user's code would otherwise ask for packages that the user has no need of.
 *
 * @param specifier `pg`, `@modelcontextprotocol/sdk/types.js`
 * @param feature what needs it, as a sentence's beginning: "a queue in Redis"
 * @throws {MissingPackageError} with the line that installs it, and what the import threw as its cause
 */
export async function importOptional<Module>(specifier: string, feature: string): Promise<Module> {
  try {
    return (await import(/* @vite-ignore */ specifier)) as Module
  } catch (cause) {
    throw new MissingPackageError(packageOf(specifier), feature, cause)
  }
}

/** @example packageOf("@modelcontextprotocol/sdk/types.js") // "@modelcontextprotocol/sdk" */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")
}
