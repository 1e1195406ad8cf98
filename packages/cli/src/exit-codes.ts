/** What the program ends with. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const
