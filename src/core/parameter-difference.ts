/**
 * What a call loses without a parameter. `sampling`: its tokens are drawn in another way; `text`: its text is bounded in another way
 * (stop texts, enforced JSON); `repeatability`: only the seed; `measurement`: only what is known of it.
 * @public
 */
export type ParameterEffect = "sampling" | "text" | "repeatability" | "measurement"

/** A parameter that a call was to have and that was left out, because its endpoint refuses it. @public */
export interface ParameterDifference {
  /** As the request's body would have named it: `temperature`. */
  readonly parameter: string
  readonly affects: ParameterEffect
}
