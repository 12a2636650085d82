/** `--directory` and `--store` of every command that reads or writes the store. */
export const storeOptions = {
  directory: { type: "string", describe: "folder of the store (default .evalkit)" },
  store: {
    type: "string",
    describe: "a team's store: postgres://user@host/database (default: EVALKIT_STORE, where it is set)",
  },
} as const
