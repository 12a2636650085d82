import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parse, parseAllDocuments } from "yaml"

/** The repository. */
export const root = fileURLToPath(new URL("../../", import.meta.url))
/** What is deployed. */
export const deployFolder = join(root, "deploy")

/** A manifest as YAML reads it. */
export type Manifest = Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string }

/** Every document of every file of deploy/kubernetes. */
export function kubernetesManifests(): readonly { readonly file: string; readonly manifest: Manifest }[] {
  const folder = join(deployFolder, "kubernetes")
  return readdirSync(folder).flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join("; ")}`)
      return { file, manifest: document.toJS() as Manifest }
    }),
  )
}

/** The compose file, aliases and merges resolved. */
export function composeFile(): Readonly<Record<string, unknown>> {
  return parse(readFileSync(join(deployFolder, "compose.yaml"), "utf8"), { merge: true })
}

/** Where the type of a kind is. */
const types: Readonly<Record<string, readonly [module: string, name: string]>> = {
  "v1 ConfigMap": ["kubernetes-types/core/v1", "ConfigMap"],
  "v1 Secret": ["kubernetes-types/core/v1", "Secret"],
  "apps/v1 Deployment": ["kubernetes-types/apps/v1", "Deployment"],
  "batch/v1 Job": ["kubernetes-types/batch/v1", "Job"],
  "keda.sh/v1alpha1 ScaledObject": ["@kubernetes-models/keda/keda.sh/v1alpha1", "IScaledObject"],
  "keda.sh/v1alpha1 TriggerAuthentication": ["@kubernetes-models/keda/keda.sh/v1alpha1", "ITriggerAuthentication"],
}

/**
 * What the compiler says of manifests as literals of their kinds' types: a field that does not exist, is missing or has another type.
 * The types are made from the API's own schema.
 *
 * @param folder that receives the file, below the repository's
 */
export function typeFaults(manifests: readonly Manifest[], folder: string): string {
  const lines = manifests.map((manifest, i) => {
    const [module, name] = types[`${manifest.apiVersion} ${manifest.kind}`] ?? []
    if (module === undefined) throw new Error(`no type is known of ${manifest.apiVersion} ${manifest.kind}`)
    return `export const manifest${i}: import("${module}").${name} = ${JSON.stringify(manifest, null, 1)}\n`
  })
  const file = join(folder, "manifests.ts")
  writeFileSync(file, lines.join(""))
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "preserve", "--types", "", "--ignoreConfig"]
  const { stdout, stderr } = spawnSync(join(root, "node_modules/.bin/tsc"), [...flags, file], {
    cwd: root,
    encoding: "utf8",
  })
  return stdout + stderr
}
