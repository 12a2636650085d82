import { readdirSync } from "node:fs"
import { join, relative } from "node:path"
import { root } from "./root.mjs"

const folders = ["src", "metrics", "judges", "datasets", "reports"]

/** Every TypeScript file of ours that the package is made of, relative to the root, with slashes. */
export function sourceFiles() {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
        .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll("\\", "/")),
    )
    .filter((path) => !path.startsWith("reports/app/"))
}
