import { join } from "node:path"
import { API, type Project } from "typescript/unstable/sync"

/** Opens the project of the repository for as long as `use` takes: the compiler reads it in some seconds. */
export function withProject<Made>(root: string, use: (project: Project) => Made): Made {
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] }).getProjects()[0]
    if (!project) throw new Error("the compiler found no project")
    return use(project)
  } finally {
    api.close()
  }
}
