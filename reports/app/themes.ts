/** Themes of the page: the reader's own, or one of two. */
export const themes = ["auto", "light", "dark"] as const
