/** What the program ends with, by its verdict; 2 is wrong usage or an unreadable file. */
export const exitCodes = { verified: 0, failed: 1, unproven: 3 } as const
