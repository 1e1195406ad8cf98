import { AsyncLocalStorage } from 'node:async_hooks'

type Waiting<input, output> = {
  input: input
  lane: string | undefined
  resolve: (output: output) => void
  reject: (error: unknown) => void
}

/**
 * Gathers calls into batches: what arrives while `inFlightMax` batches run waits and goes as the next one. At low load a
 * call leaves at the end of its tick, alone; under load batches grow and the cost per call falls.
 * `run` answers in the order of its inputs; when it throws, every call of that batch throws the same.
 * `laneOf`: whose call it is. Of each lane one batch runs at a time, so that what one organization asks does not wait for a large
 * batch of another.
 */
export function coalesce<input, output>(options: {
  run: (inputs: input[]) => Promise<output[]>
  batchMax: number
  inFlightMax: number
  laneOf?: (input: input) => string
}): (input: input) => Promise<output> {
  const { laneOf } = options
  const lanes = new Set<string | undefined>()
  let waiting: Waiting<input, output>[] = []
  let inFlight = 0
  let isScheduled = false
  // A batch is everybody's: it does not run on behalf of the call that happened to come first.
  const onNobodysBehalf = AsyncLocalStorage.snapshot()

  const pump = () => {
    isScheduled = false
    while (waiting.length > 0 && inFlight < options.inFlightMax) {
      const { batch, rest } = nextBatch(waiting, lanes, options.batchMax)
      if (batch.length === 0) return
      waiting = rest
      inFlight++
      void settle(batch)
    }
  }

  async function settle(batch: Waiting<input, output>[]) {
    if (laneOf !== undefined) for (const { lane } of batch) lanes.add(lane)
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
      for (const { lane } of batch) lanes.delete(lane)
      if (!isScheduled) pump()
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, lane: laneOf?.(input), resolve, reject })
      if (isScheduled) return
      isScheduled = true
      onNobodysBehalf(setImmediate, pump)
    })
}

/** The calls of the next batch, in order: of those that wait, the first ones whose lanes are free. */
function nextBatch<call extends { lane: string | undefined }>(
  waiting: call[],
  lanes: ReadonlySet<string | undefined>,
  batchMax: number,
): { batch: call[]; rest: call[] } {
  if (lanes.size === 0 && waiting.length <= batchMax) return { batch: waiting, rest: [] }
  const batch: call[] = []
  const rest: call[] = []
  for (const call of waiting) (batch.length < batchMax && !lanes.has(call.lane) ? batch : rest).push(call)
  return { batch, rest }
}
