import { findPlaces } from "../../../rows/columns/id-places.ts"

/** Positions of the samples in their data set. */
export interface SamplePositions {
  readonly size: number
  /** Undefined for a sample that is not in the data set. */
  get(sampleId: string): number | undefined
  idAt(position: number): string
}

/** @param ids in the order of the data set */
export function samplePositions(ids: readonly string[]): SamplePositions {
  const idAt = (position: number) => ids[position] as string
  return { size: ids.length, get: findPlaces(ids.length, idAt), idAt }
}
