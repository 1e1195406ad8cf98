/** Where the enclave logs what happened: an event and fields without secrets. */
export type EnclaveLog = (event: string, fields?: Record<string, string | number | boolean>) => void

/** The levels of pino, as in the log of the API. */
const [info, warn, error] = [30, 40, 50]
const levels: Readonly<Record<string, number>> = {
  'no key ring': warn,
  sealed: warn,
  'operation failed': warn,
  'connections dropped': warn,
  'start failed': error,
}

/** A log that writes one JSON line per event, with `level`, `time` (ms since 1970), `component` (the name of the program) and `event`. */
export function lineLog(
  component: 'enclave' | 'enclave-simulated',
  nowMs: () => number,
  write: (line: string) => void,
): EnclaveLog {
  return (event, fields) => {
    const head = { level: levels[event] ?? info, time: nowMs(), component, event }
    // They stand first, and no field replaces them.
    write(`${JSON.stringify({ ...head, ...fields, ...head })}\n`)
  }
}
