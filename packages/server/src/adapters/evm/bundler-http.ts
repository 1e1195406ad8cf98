import { entryPoint, type Hex, userOperationJson } from '@symbolon/networks/evm'
import * as z from 'zod'
import { type Bundler, BundlerError, type Sending } from '../../ports/bundler.ts'
import type { Clock } from '../../ports/clock.ts'
import { estimateError, readEstimate, refusalReason, StandardGasPrice } from './bundler-answers.ts'
import { readResult } from './evm-rpc-answers.ts'
import {
  failureReason,
  type JsonRpc,
  type JsonRpcAnswer,
  JsonRpcFailure,
  type JsonRpcRefusal,
  refusalText,
} from './json-rpc.ts'
import { isPassing } from './json-rpc-failover.ts'
import type { MeasureCall } from './measure-call.ts'
import { Address, Hash } from './rpc-values.ts'

const timeouts = { gasPrice: 2_000, estimate: 4_000, send: 10_000, ping: 3_000 }
const gasPriceMethod = 'pimlico_getUserOperationGasPrice'
const unsupportedForMs = 10 * 60_000
const [internalError, methodNotFound] = [-32603, -32601]
const alreadyKnown = /already[\s_]?(?:known|submitted|in (?:the )?mempool)/i
// The nonce is used, or the account exists already: an operation that has landed is refused like this when it is sent again.
const mayHaveLanded = /\bAA(?:25|10)\b|nonce/i

/** An ERC-4337 bundler (ERC-7769) for our entry point; the chain of `rpc` has been checked. */
export function bundlerHttp({
  rpc,
  measure,
  clock,
}: {
  rpc: JsonRpc
  measure: MeasureCall
  clock: Clock
}): Bundler {
  let unsupportedUntilMs = Number.NEGATIVE_INFINITY

  return {
    async gasPrice() {
      if (clock.nowMs() < unsupportedUntilMs) return undefined
      return measure(gasPriceMethod, () =>
        portErrors(async () => {
          const answer = await rpc.call(gasPriceMethod, [], { timeoutMs: timeouts.gasPrice })
          if ('error' in answer && answer.error.code === methodNotFound) {
            unsupportedUntilMs = clock.nowMs() + unsupportedForMs
            return undefined
          }
          return readResult(StandardGasPrice, resultOf(answer, rejectedError))
        }),
      )
    },

    estimate: (op, funds) =>
      measure('eth_estimateUserOperationGas', () =>
        portErrors(async () => {
          const overrides = funds === undefined ? [] : [{ [op.sender]: { balance: quantity(funds) } }]
          const params = [userOperationJson(op), entryPoint, ...overrides]
          const answer = await rpc.call('eth_estimateUserOperationGas', params, {
            timeoutMs: timeouts.estimate,
          })
          return readEstimate(resultOf(answer, estimateError), op)
        }),
      ),

    async send(op, hash) {
      let sending: Sending = { outcome: 'unknown', cause: undefined }
      // `measure` counts outcomes by their errors, but a sending never throws one.
      await measure('eth_sendUserOperation', async () => {
        sending = await send(rpc, [userOperationJson(op), entryPoint], hash)
        if (sending.outcome === 'rejected') throw new BundlerError('rejected', sending.reason)
        if (sending.outcome !== 'accepted') throw new BundlerError('transport', sending.outcome)
      }).catch(() => {})
      return sending
    },

    ping: () =>
      portErrors(async () => {
        const answer = await rpc.call('eth_supportedEntryPoints', [], { timeoutMs: timeouts.ping })
        const supported = readResult(z.array(Address), resultOf(answer, rejectedError))
        if (!supported.includes(entryPoint)) throw new BundlerError('rejected', 'another entry point')
      }),
  }
}

/** Submits an operation; the outcome is `unknown` whenever the bundler may have it. */
async function send(rpc: JsonRpc, params: readonly unknown[], hash: Hex): Promise<Sending> {
  const endsAt = performance.now() + timeouts.send
  try {
    const answer = await rpc.call('eth_sendUserOperation', params, {
      timeoutMs: timeouts.send,
      isFresh: true,
    })
    if ('error' in answer) return await readRefusal(rpc, answer.error, { hash, endsAt })
    if (Hash.safeParse(answer.result).data === hash) return { outcome: 'accepted' }
    return { outcome: 'unknown', cause: new JsonRpcFailure('malformed', true) }
  } catch (cause) {
    const wasSent = !(cause instanceof JsonRpcFailure) || cause.wasSent
    return { outcome: wasSent ? 'unknown' : 'unsent', cause }
  }
}

/** The outcome of a refused submission: an operation that is known or has landed counts as accepted. */
async function readRefusal(
  rpc: JsonRpc,
  refusal: JsonRpcRefusal,
  { hash, endsAt }: { hash: Hex; endsAt: number },
): Promise<Sending> {
  if (alreadyKnown.test(refusal.message)) return { outcome: 'accepted' }
  if (refusal.code === internalError || isPassing(refusal)) {
    return { outcome: 'unknown', cause: new JsonRpcFailure('refused_status', true, refusalText(refusal)) }
  }
  const rejected: Sending = { outcome: 'rejected', reason: refusalReason(refusal) }
  if (!mayHaveLanded.test(refusal.message)) return rejected
  const timeoutMs = endsAt - performance.now()
  const answer = await rpc.call('eth_getUserOperationByHash', [hash], { timeoutMs })
  return 'result' in answer && answer.result !== null ? { outcome: 'accepted' } : rejected
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`

const rejectedError = (refusal: JsonRpcRefusal) => new BundlerError('rejected', refusalReason(refusal))

function resultOf(answer: JsonRpcAnswer, errorOf: (refusal: JsonRpcRefusal) => BundlerError): unknown {
  if ('result' in answer) return answer.result
  if (isPassing(answer.error)) throw new JsonRpcFailure('refused_status', true, refusalText(answer.error))
  const error = errorOf(answer.error)
  // What broke inside the bundler says nothing about the operation, unless it is a revert that went astray.
  if (answer.error.code === internalError && error.code !== 'reverted') {
    throw new JsonRpcFailure('refused_status', true, refusalText(answer.error))
  }
  throw error
}

async function portErrors<value>(run: () => Promise<value>): Promise<value> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof JsonRpcFailure)) throw error
    throw new BundlerError('transport', failureReason(error), { cause: error })
  }
}
