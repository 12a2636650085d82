/** Segments that one worker's answers may have: those of worker 3 begin at three times as many. */
const segmentsOfWorker = 1_000_000

/** A segment of a worker's answers, where several answer a run: stamps of one have their own origin. */
export function workerSegment(worker: number, own: number): number {
  return worker * segmentsOfWorker + own
}

/**
 * Number of the worker that made the answers of a segment; 0 where one process made the run.
 *
 * @example workerOfSegment(workerSegment(3, 7)) // 3
 */
export function workerOfSegment(segment: number): number {
  return Math.floor(segment / segmentsOfWorker)
}
