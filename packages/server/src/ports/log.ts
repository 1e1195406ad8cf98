/** Structured log (pino's shape). Objects are redacted by the adapter, but no caller relies on it. */
export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
