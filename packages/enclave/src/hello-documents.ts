import {
  type ChannelOffer,
  type EnclaveHello,
  helloBinding,
  helloNonce,
  helloNoncesMax,
} from '@symbolon/crypto/node'
import type { Attestor } from './attestor.ts'
import type { EnclaveState } from './enclave-state.ts'

/** Answers hellos. `ask` rejects where the secure module does; `forget` says that nobody waits for it any more. */
export type HelloDocuments = {
  ask(nonce: Uint8Array): { hello: Promise<EnclaveHello>; forget(): void }
}

/** One document at a time, so many milliseconds apart. */
const everyMs = 50

type Asked = { nonce: Uint8Array; answer: PromiseWithResolvers<EnclaveHello> }

/**
 * The answers to hellos. Whoever connects may ask, so documents have a pace of their own, and each is for all hellos that came since the one before:
 * however many strangers ask, an API process waits for one document alone.
 */
export function helloDocuments(
  state: Pick<EnclaveState, 'facts'>,
  { offer, attestor }: { offer: Pick<ChannelOffer, 'publicKey'>; attestor: Attestor },
): HelloDocuments {
  const waiting = new Set<Asked>()
  let isRunning = false
  let nextAtMs = 0
  let timer: NodeJS.Timeout | undefined

  const start = (): void => {
    if (isRunning || timer !== undefined || waiting.size === 0) return
    const waitMs = nextAtMs - performance.now()
    if (waitMs > 0) {
      timer = setTimeout(() => {
        timer = undefined
        start()
      }, waitMs)
      return
    }
    isRunning = true
    nextAtMs = performance.now() + everyMs
    const batch = [...waiting].slice(0, helloNoncesMax)
    for (const asked of batch) waiting.delete(asked)
    void answer(batch).finally(() => {
      isRunning = false
      start()
    })
  }

  const answer = async (batch: readonly Asked[]): Promise<void> => {
    const nonces = batch.map(({ nonce }) => nonce)
    const facts = state.facts()
    try {
      const document = await attestor.attest({
        publicKey: offer.publicKey,
        nonce: helloNonce(nonces),
        userData: helloBinding(facts),
      })
      for (const { answer } of batch) answer.resolve({ ...facts, nonces, document })
    } catch (error) {
      for (const { answer } of batch) answer.reject(error)
    }
  }

  return {
    ask(nonce) {
      const asked: Asked = { nonce, answer: Promise.withResolvers() }
      waiting.add(asked)
      start()
      return { hello: asked.answer.promise, forget: () => void waiting.delete(asked) }
    },
  }
}
