import { contentHash } from "../../core/json.ts"
import type { ReportInput, RunReport, VariantReport } from "../../core/report/report.ts"
import { trackedFigures } from "../../core/report/tracked-figures.ts"
import { terminalJson } from "../../core/terminal-json.ts"
import { type ExportedFile, type ExportFacts, pathPart } from "../exported-file.ts"
import { yamlText } from "../yaml-text.ts"

/** Longest value of a parameter that every store of MLflow takes. */
const maxParameterLength = 500

/**
 * A run as a file store of MLflow: `mlruns/EXPERIMENT/RUN/{meta.yaml,metrics,params,tags,artifacts}`, an experiment for the run and a run
 * of MLflow for each variant. Ids are hashes, so that the same run gives the same files. A figure that is unknown has no metric, but
 * a tag `unknown.NAME` with the reason. The artifact is the variant's part of the report.
 */
export function mlflowFiles({ report }: ReportInput, { version }: ExportFacts): readonly ExportedFile[] {
  const experiment = String(BigInt(`0x${contentHash(["mlflow", report.run.id], 14)}`)).padStart(18, "1")
  const root = `mlruns/${experiment}`
  const [started, ended] = [timeOf(report.run.startedAt), timeOf(report.run.finishedAt ?? report.run.startedAt)]
  const meta = yamlText({
    artifact_location: root,
    creation_time: started,
    experiment_id: experiment,
    last_update_time: ended,
    lifecycle_stage: "active",
    name: `${report.run.name} (evalkit ${report.run.id})`,
  })
  return [
    text(`${root}/meta.yaml`, meta),
    ...report.variants.flatMap((variant) =>
      variantFiles(report, variant, { experiment, root, started, ended, version }),
    ),
  ]
}

interface Place {
  readonly experiment: string
  readonly root: string
  readonly started: number
  readonly ended: number
  readonly version: string
}

function variantFiles(report: RunReport, variant: VariantReport, facts: Place): readonly ExportedFile[] {
  const id = contentHash(["mlflow", report.run.id, variant.name], 32)
  const folder = `${facts.root}/${id}`
  const figures = trackedFigures(variant)
  const decided = report.decision?.candidates.find(({ candidate }) => candidate === variant.name)
  const metrics = figures.flatMap(([name, figure]): [string, string][] =>
    figure.status === "unknown"
      ? []
      : (
          [
            [name, figure.value],
            [`${name}.low`, figure.low ?? null],
            [`${name}.high`, figure.high ?? null],
          ] as const
        ).flatMap(([key, value]) => (value === null ? [] : [[key, `${facts.ended} ${value} 0\n`]])),
  )
  const params: [string, string][] = [
    ["model", variant.model],
    ["provider", variant.provider],
    ["quantization", variant.quantization ?? ""],
    ["dataset", report.dataset.name],
    ["dataset_fingerprint", report.dataset.fingerprint],
    ["seed", String(report.run.seed)],
    ["repeats", String(report.run.repeats)],
    ...report.metrics.map(({ name, signature }): [string, string] => [`signature.${name}`, signature]),
  ]
  const tags: [string, string][] = [
    ["mlflow.runName", variant.name],
    ["mlflow.source.name", "evalkit"],
    ["mlflow.source.type", "LOCAL"],
    ["evalkit.version", facts.version],
    ["evalkit.run", report.run.id],
    ["evalkit.baseline", String(variant.baseline)],
    ...(decided ? [["evalkit.verdict", decided.verdict] as [string, string]] : []),
    ...(decided?.sentence ? [["evalkit.sentence", decided.sentence] as [string, string]] : []),
    ...figures.flatMap(([name, figure]): [string, string][] =>
      figure.status === "unknown" ? [[`unknown.${name}`, figure.reason]] : [],
    ),
  ]
  return [
    text(
      `${folder}/meta.yaml`,
      yamlText({
        artifact_uri: `${folder}/artifacts`,
        end_time: facts.ended,
        entry_point_name: "",
        experiment_id: facts.experiment,
        lifecycle_stage: "active",
        run_id: id,
        run_name: variant.name,
        run_uuid: id,
        source_name: "evalkit",
        source_type: 4,
        source_version: facts.version,
        start_time: facts.started,
        status: report.run.status === "finished" ? 3 : 4,
        tags: [],
        user_id: "evalkit",
      }),
    ),
    ...files(`${folder}/metrics`, metrics),
    ...files(
      `${folder}/params`,
      params.filter(([, value]) => value !== "").map(([name, value]) => [name, oneLine(value)]),
    ),
    ...files(
      `${folder}/tags`,
      tags.map(([name, value]) => [name, oneLine(value, 5000)]),
    ),
    text(`${folder}/artifacts/variant.json`, `${terminalJson(variant, 2)}\n`),
  ]
}

/** A file a name: MLflow reads names from the files' own. */
function files(folder: string, values: readonly (readonly [string, string])[]): readonly ExportedFile[] {
  const taken = new Set<string>()
  return values.map(([name, value]) => text(`${folder}/${pathPart(name, taken)}`, value))
}

function text(name: string, content: string): ExportedFile {
  return { name, chunks: () => [content] }
}

function oneLine(value: string, limit = maxParameterLength): string {
  const line = value.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
  return [...line].slice(0, limit).join("")
}

function timeOf(iso: string): number {
  const ms = Date.parse(iso)
  return Number.isFinite(ms) ? ms : 0
}
