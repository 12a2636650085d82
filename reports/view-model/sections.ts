import type { RunReport } from "../../src/core/report/report.ts"
import type { ReportSection, SectionKind, SectionOfKind } from "../../src/core/report/report-sections.ts"

/** The sections of one kind. */
export function sectionsOfKind<Kind extends SectionKind>(
  { sections }: Pick<RunReport, "sections">,
  kind: Kind,
): readonly SectionOfKind<Kind>[] {
  return sections.filter((section) => section.kind === kind) as unknown as readonly SectionOfKind<Kind>[]
}

/** The sections that compare quantizations: they have a place of their own in every output. */
export function quantizations(report: Pick<RunReport, "sections">): readonly SectionOfKind<"quantization">[] {
  return sectionsOfKind(report, "quantization")
}

/** The sections along an axis of a sweep: they have one, too. */
export function sweptLevels(report: Pick<RunReport, "sections">): readonly SectionOfKind<"levels">[] {
  return sectionsOfKind(report, "levels")
}

/** Slices of the samples, and what broke: they stand together. */
export function slicings({
  sections,
}: Pick<RunReport, "sections">): readonly (SectionOfKind<"slices"> | SectionOfKind<"what_broke">)[] {
  return sections.filter(
    (section): section is SectionOfKind<"slices"> | SectionOfKind<"what_broke"> =>
      section.kind === "slices" || section.kind === "what_broke",
  )
}

/** All other sections. */
export function otherSections({ sections }: Pick<RunReport, "sections">): readonly ReportSection[] {
  return sections.filter(({ kind }) => !placed.has(kind))
}

const placed: ReadonlySet<string> = new Set(["quantization", "levels", "slices", "what_broke"] satisfies SectionKind[])
