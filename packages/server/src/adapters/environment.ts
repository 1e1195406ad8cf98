/** Variables by their names, empty ones left out. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Records that a variable is invalid and which values it accepts, never the value itself. */
export type Complain = (variable: string, wants: string) => void
