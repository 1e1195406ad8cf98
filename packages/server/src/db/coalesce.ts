import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Gathers calls into batches: what arrives while `inFlightMax` batches run waits and goes as the next one. At low load a
 * call leaves at the end of its tick, alone; under load batches grow and the cost per call falls.
 * `run` answers in the order of its inputs; when it throws, every call of that batch throws the same.
 */
export function coalesce<input, output>(options: {
  run: (inputs: input[]) => Promise<output[]>
  batchMax: number
  inFlightMax: number
}): (input: input) => Promise<output> {
  type Waiting = { input: input; resolve: (output: output) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let inFlight = 0
  let isScheduled = false
  // A batch is everybody's: it does not run on behalf of the call that happened to come first.
  const onNobodysBehalf = AsyncLocalStorage.snapshot()

  const pump = () => {
    isScheduled = false
    while (waiting.length > 0 && inFlight < options.inFlightMax) {
      const batch = waiting.length <= options.batchMax ? waiting : waiting.slice(0, options.batchMax)
      waiting = batch === waiting ? [] : waiting.slice(options.batchMax)
      inFlight++
      void settle(batch)
    }
  }

  async function settle(batch: Waiting[]) {
    try {
      const outputs = await options.run(batch.map(({ input }) => input))
      for (const [i, { resolve, reject }] of batch.entries()) {
        if (i < outputs.length) resolve(outputs[i] as output)
        else reject(new Error('A batch answered fewer results than it was asked for.'))
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      inFlight--
      if (!isScheduled) pump()
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (isScheduled) return
      isScheduled = true
      onNobodysBehalf(setImmediate, pump)
    })
}
