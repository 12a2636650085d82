import type { ReportInput, VariantReport } from "../../core/report/report.ts"
import { counted } from "../../words/number.ts"
import { type ExportedFile, pathPart } from "../exported-file.ts"
import { type YamlValue, yamlText } from "../yaml-text.ts"

/**
 * A file `.eval_results/VARIANT.yaml` for each variant, as the Hugging Face Hub reads them from a model's repository: a result for each
 * metric whose figure is known. Where the data set came from the Hub, the result names it as the Hub does; elsewhere by its own
 * name, which is to be replaced by that of a benchmark there. Figures that are unknown are comments with the reason.
 */
export function huggingFaceFiles(input: ReportInput): readonly ExportedFile[] {
  const taken = new Set<string>()
  return input.report.variants.map((variant) => ({
    name: `.eval_results/${pathPart(variant.name, taken, "variant")}.yaml`,
    chunks: () => [resultsOf(input, variant)],
  }))
}

function resultsOf({ report }: ReportInput, variant: VariantReport): string {
  const dataset = hubDataset(report.dataset.source) ?? { id: report.dataset.name }
  const date = (report.run.finishedAt ?? report.run.startedAt).slice(0, 10)
  const results = variant.quality.flatMap(({ metric, figure, scored, total }): YamlValue[] => {
    if (figure.status === "unknown") return []
    const signature = report.metrics.find(({ name }) => name === metric)?.signature ?? metric
    const interval =
      figure.low == null || figure.high == null ? "" : `, interval ${figure.low} to ${figure.high} (${figure.method})`
    return [
      {
        dataset: { ...dataset, task_id: metric },
        value: figure.value,
        date,
        notes: `evalkit run ${report.run.id}, variant ${variant.name}: ${scored} of ${counted(total, "answer")} scored${interval}; ${signature}`,
      },
    ]
  })
  const unknown = variant.quality.flatMap(({ metric, figure }) =>
    figure.status === "unknown"
      ? [`# left out: ${JSON.stringify([metric, figure.reason].join(": ")).replace(/[^ -~]/g, "?")}\n`]
      : [],
  )
  return `${unknown.join("")}${yamlText(results)}`
}

/** A data set of the Hub by its address: `https://huggingface.co/datasets/ORG/NAME/resolve/REVISION/FILE`. */
function hubDataset(source: string): { readonly id: string; readonly revision?: string } | null {
  const match =
    /^(?:https:\/\/huggingface\.co\/datasets\/|hf:\/\/datasets\/)([\w.-]+\/[\w.-]+?)(?:@([\w.-]+))?(?:\/(?:resolve|blob)\/([\w.-]+))?(?:\/|$)/.exec(
      source,
    )
  if (!match) return null
  const [, id = "", at, resolved] = match
  const revision = at ?? resolved
  return { id, ...(revision !== undefined && revision !== "main" && { revision }) }
}
