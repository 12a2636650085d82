import { lstat, readFile } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import type { Service } from "./choices.ts"

/** Where GitHub looks for workflows, seen from the root of a repository. */
const workflows = join(".github", "workflows")

/** The CI workflow of a new evaluation. */
export interface Workflow {
  /** Absolute; null where one that is there stays. */
  readonly path: string | null
  readonly content: string
  /** The file that is there already and is not touched; null where there is none. */
  readonly kept: string | null
  /** Whether the folder lies in a git repository: outside one it is not known where its root will be. */
  readonly inRepository: boolean
}

/**
 * The workflow, in the root of the repository that the folder lies in: GitHub reads it nowhere else. Without a repository it lies in
 * the folder. One that another evaluation wrote stays as it is, and this one gets the folder's name.
 *
 * @param folder absolute; need not exist yet
 * @param config the config's name in the folder
 */
export async function placeWorkflow(folder: string, service: Service, config: string): Promise<Workflow> {
  const root = await repositoryOf(folder)
  const inner = root === null ? "" : relative(root, folder).split(sep).join("/")
  const content = workflowText(service, config, inner)
  if (root === null || inner === "") {
    const path = join(folder, workflows, "evalkit.yml")
    return { path, content, kept: null, inRepository: root !== null }
  }
  const [mark = ""] = content.split("\n")
  let kept: string | null = null
  for (const name of ["evalkit", `evalkit-${inner.replace(/[^\w.-]+/g, "-")}`]) {
    const path = join(root, workflows, `${name}.yml`)
    const present = await readFile(path, "utf8").catch(async () => ((await isThere(path)) ? "" : null))
    if (present === null) return { path, content, kept: null, inRepository: true }
    kept = path
    // The workflow of this very evaluation.
    if (present.startsWith(`${mark}\n`)) break
  }
  return { path: null, content, kept, inRepository: true }
}

/** The nearest folder, this one or above it, that git keeps; a work tree or submodule has a file in place of the folder. */
async function repositoryOf(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (await isThere(join(at, ".git"))) return at
    if (dirname(at) === at) return null
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** @param inner the evaluation's folder, seen from the repository's root; empty where it is the root */
function workflowText({ keyVariable }: Service, config: string, inner: string): string {
  const environment = keyVariable ? `\n        env:\n          ${keyVariable}: \${{ secrets.${keyVariable} }}` : ""
  const folder = inner === "" ? "" : `\n    defaults:\n      run:\n        working-directory: ${JSON.stringify(inner)}`
  const named = inner === "" ? config : `${JSON.stringify(inner)}, ${config},`
  const output = inner === "" ? ".evalkit" : JSON.stringify(`${inner}/.evalkit`)
  return `# Evaluates every pull request: the job fails when the gate of ${named} fails.
name: evalkit
on: pull_request
permissions:
  contents: read
jobs:
  evaluate:
    runs-on: ubuntu-latest
    timeout-minutes: 30${folder}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm ci
      - run: npx evalkit run${environment}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: evalkit
          path: ${output}
          include-hidden-files: true
`
}
