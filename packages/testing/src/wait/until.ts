import { setTimeout as sleep } from 'node:timers/promises'

const lookMs = 10

/** Resolves once it is so. Rejects when it is not within the time, 30 s unless `withinMs` says otherwise. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`It was not so within ${withinMs} ms: ${isSo}`)
    await sleep(lookMs)
  }
}
