import type { Worker } from 'node:cluster'

// Without a callback, Node throws a broken channel in the sender: a killed worker would end the primary, and with it the whole service.
const ignoreLoss = () => {}

/** Sends a message to a worker, if it still has its channel. A worker that is killed at this moment misses it. */
export function sendToWorker(worker: Worker | undefined, message: Record<string, unknown>): void {
  if (worker?.isConnected() === true) worker.process.send(message, ignoreLoss)
}

/** Sends a message to the primary, if there is one. A primary that has ended misses it. */
export function sendToPrimary(message: Record<string, unknown>): void {
  process.send?.(message, undefined, undefined, ignoreLoss)
}
