import { packageVersion } from "./version.ts"

/** What a run is said to be made with. */
export function runVersions(): Record<string, string> {
  return { evalkit: packageVersion(), node: process.versions.node, platform: `${process.platform}-${process.arch}` }
}
