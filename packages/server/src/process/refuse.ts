/** EX_CONFIG of sysexits: another try would end the same way. */
export const misconfigured = 78

/** Tells the operator why the service does not run, a line for each reason, and ends this process. */
export function refuse(message: string, code: number): never {
  for (const line of message.split('\n')) process.stderr.write(`symbolon: ${line}\n`)
  process.exit(code)
}
