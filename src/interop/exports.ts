import type { ReportInput } from "../core/report/report.ts"
import type { ExportedFile, ExportFacts } from "./exported-file.ts"

/** A format of several files: what `evalkit export --format NAME --out FOLDER` writes. */
export interface FolderExport {
  readonly name: string
  /** For the help. */
  readonly describe: string
  files(input: ReportInput, facts: ExportFacts): Promise<readonly ExportedFile[]>
}

/** Every format of several files. To add one, write its folder and add it here. */
export const folderExports: readonly FolderExport[] = [
  {
    name: "every-eval-ever",
    describe: "results and instances of Every Eval Ever",
    files: async (input, facts) => (await import("./every-eval-ever/write.ts")).everyEvalEverFiles(input, facts),
  },
  {
    name: "inspect",
    describe: "logs as Inspect writes them",
    files: async (input, facts) => (await import("./inspect/write.ts")).inspectFiles(input, facts),
  },
  {
    name: "mlflow",
    describe: "an mlruns folder of MLflow",
    files: async (input, facts) => (await import("./mlflow/write.ts")).mlflowFiles(input, facts),
  },
  {
    name: "hugging-face",
    describe: ".eval_results of a model on the Hugging Face Hub",
    files: async (input) => (await import("./hugging-face/write.ts")).huggingFaceFiles(input),
  },
]
