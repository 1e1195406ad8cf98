/** Where the enclave logs what happened: an event and fields without secrets. */
export type EnclaveLog = (event: string, fields?: Record<string, string | number | boolean>) => void

/** A log that writes one JSON line per event; `source` is the name of the program. */
export function lineLog(source: 'enclave' | 'enclave-simulated', write: (line: string) => void): EnclaveLog {
  return (event, fields) => write(`${JSON.stringify({ source, event, ...fields })}\n`)
}
