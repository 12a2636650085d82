import { experienceLabels } from "../../words/perf/speed.ts"

/** A time that is known from studies of users, to be read beside a measured one. */
export interface ExperienceThreshold {
  readonly ms: number
  readonly label: string
}

/**
 * How long people wait for a reaction: what is shorter feels immediate (0.1 s), keeps the thought (1 s), keeps the attention (10 s). Jakob
 * Nielsen, Usability Engineering, 1993.
 */
export const waitingThresholds: readonly ExperienceThreshold[] = [
  { ms: 100, label: experienceLabels.immediate },
  { ms: 1000, label: experienceLabels.thought },
  { ms: 10_000, label: experienceLabels.attention },
]

/** A stop inside an answer that a reader notices. */
export const noticedStop: ExperienceThreshold = { ms: 200, label: experienceLabels.stop }

/** A token every 100 ms is about 450 words a minute, faster than a typical person reads (Databricks, 2023). */
export const readingThreshold: ExperienceThreshold = { ms: 100, label: experienceLabels.reading }
