/** Why what a data set of the user's own gives is no sample. */
export const sampleFaults = {
  noObject: (got: string) => `expected an object, got ${got}`,
  id: "id: expected a text",
  input: "input: expected a text, turns {role, content}, or null",
  list: (field: string) => `${field}: expected a list`,
  metadata: "metadata: expected an object",
} as const
