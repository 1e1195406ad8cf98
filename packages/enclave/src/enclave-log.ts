/** Where the enclave logs what happened: an event and fields without secrets. */
export type EnclaveLog = (event: string, fields?: Record<string, string | number | boolean>) => void

/** A log that writes one JSON line per event. */
export function lineLog(write: (line: string) => void): EnclaveLog {
  return (event, fields) => write(`${JSON.stringify({ source: 'enclave', event, ...fields })}\n`)
}
